"""curl: curl_client.py WSDL 1.1|1.2 < cases > answers"""
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.sax.saxutils import escape

ENVELOPE = {'1.1': 'http://schemas.xmlsoap.org/soap/envelope/', '1.2': 'http://www.w3.org/2003/05/soap-envelope'}
MEDIA_TYPE = {'1.1': 'text/xml; charset=utf-8', '1.2': 'application/soap+xml; charset=utf-8'}
WSDL = '{http://schemas.xmlsoap.org/wsdl/}'
SOAP = '{http://schemas.xmlsoap.org/wsdl/soap/}'


def curl(*arguments, data=None):
    return subprocess.run(['curl', '-sS', '--max-time', '30', *arguments], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


class Client:
    """What a shell script would do: envelopes by hand, all calls of one list over one curl and one connection."""

    def __init__(self, wsdl, version):
        definitions = ElementTree.fromstring(curl(wsdl))
        self.namespace = definitions.get('targetNamespace')
        self.url = definitions.find('%sservice/%sport/%saddress' % (WSDL, WSDL, SOAP)).get('location')
        self.version = version

    def envelope(self, operation, text):
        argument = '' if text is None else '<arg0>%s</arg0>' % escape(text)
        return '<e:Envelope xmlns:e="%s"><e:Body><n:%s xmlns:n="%s">%s</n:%s></e:Body></e:Envelope>' % (
            ENVELOPE[self.version], operation, self.namespace, argument, operation)

    def call(self, operation, texts, *options):
        """The body's first element of each answer."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / str(number) for number in range(len(texts))]
            config = '\nnext\n'.join(
                'url = "%s"\nheader = "Content-Type: %s"\ndata-binary = %s\noutput = "%s"' % (
                    self.url, MEDIA_TYPE[self.version], json.dumps(self.envelope(operation, text), ensure_ascii=False),
                    file) for text, file in zip(texts, files))
            curl(*options, '--config', '-', data=config.encode())
            answers = [ElementTree.fromstring(file.read_bytes()) for file in files]
        return [answer.find('{%s}Body' % ENVELOPE[self.version])[0] for answer in answers]

    def say_hi(self, texts, *options):
        return [answer.find('return').text or '' for answer in self.call('sayHi', texts, *options)]

    def fault_of(self, operation):
        (fault,) = self.call(operation, ['x'])
        name = '{%s}' % ENVELOPE['1.2']
        if self.version == '1.1':
            code, text = fault.find('faultcode').text, fault.find('faultstring').text
        else:
            code, text = fault.find(name + 'Code/' + name + 'Value').text, fault.find(name + 'Reason/' + name + 'Text').text
        return {'type': fault.tag.split('}')[1], 'code': code, 'text': text}


def main(wsdl, version):
    cases = json.load(sys.stdin)
    client = Client(wsdl, version)
    names = list(cases['texts'])
    json.dump({
        'texts': dict(zip(names, client.say_hi([cases['texts'][name] for name in names]))),
        'absent': client.say_hi([None])[0],
        'series': client.say_hi(cases['series']),
        'parallel': client.say_hi(cases['parallel'], '--parallel', '--parallel-immediate', '--parallel-max', '8'),
        'fault': client.fault_of(cases['unknown']),
    }, sys.stdout)


main(*sys.argv[1:])
