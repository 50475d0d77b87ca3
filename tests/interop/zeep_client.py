"""python3-zeep: zeep_client.py WSDL 1.1|1.2 < cases > answers"""
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import zeep
from lxml import etree


class Rename(zeep.Plugin):
    """Asks for an operation that the WSDL does not have."""

    def __init__(self, name):
        self.name = name

    def egress(self, envelope, http_headers, operation, binding_options):
        for payload in envelope.findall('{*}Body/{*}sayHi'):
            payload.tag = etree.QName(etree.QName(payload).namespace, self.name)
        return envelope, http_headers


def connect(wsdl, version, plugins=()):
    client = zeep.Client(wsdl, plugins=list(plugins))
    return client.bind('HelloWorldImplService', 'HelloWorldImplPortSoap12' if version == '1.2' else 'HelloWorldImplPort')


def fault_of(port):
    try:
        port.sayHi(arg0='x')
    except zeep.exceptions.Fault as fault:
        return {'type': 'zeep.exceptions.Fault', 'code': fault.code, 'text': fault.message}
    return None


def main(wsdl, version):
    cases = json.load(sys.stdin)
    port = connect(wsdl, version)

    def say_hi(text):
        return port.sayHi(arg0=text)

    with ThreadPoolExecutor(len(cases['parallel'])) as pool:
        answers = {
            'texts': {name: say_hi(text) for name, text in cases['texts'].items()},
            'absent': port.sayHi(),
            'series': [say_hi(text) for text in cases['series']],
            'parallel': list(pool.map(say_hi, cases['parallel'])),
            'fault': fault_of(connect(wsdl, version, [Rename(cases['unknown'])])),
        }
    json.dump(answers, sys.stdout)


main(*sys.argv[1:])
