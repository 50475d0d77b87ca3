"""Real SOAP clients call sayHi, told nothing but the WSDL's address.

Each client is a program of its own beside this file. It reads the cases as JSON, makes one client of the kind that its
library offers, and prints what it got as JSON.
"""
import json
import subprocess
import sys
from pathlib import Path

import pytest

from postbus_daemon import HELLO_PATH, SLOWNESS, Daemon

HERE = Path(__file__).resolve().parent
BOTH_VERSIONS = 'endpoints: {HelloWorld: {soap: {versions: ["1.1", "1.2"], advertise: ["1.1", "1.2"]}}}\n'

CLIENTS = {
    'curl': [sys.executable, HERE / 'curl_client.py'],
    'php-soap': ['php', HERE / 'php_client.php'],
    'zeep': [sys.executable, HERE / 'zeep_client.py'],
    'soap-lite': ['perl', HERE / 'soap_lite_client.pl'],
    'node-soap': ['node', HERE / 'node' / 'client.js'],
}
# The type by which each client shows a fault to its user.
FAULT_TYPE = {'curl': 'Fault', 'php-soap': 'SoapFault', 'zeep': 'zeep.exceptions.Fault', 'soap-lite': '$som->fault',
              'node-soap': 'error.root.Envelope.Body.Fault'}
CASES = {
    'texts': {
        'plain': 'World',
        'empty': '',
        'beyond ASCII': 'Zoë–日本',
        'markup': '<&">',
        '64 KB': ''.join('%07x ' % number for number in range(8 * 1024)),
    },
    'series': ['call %d' % number for number in range(20)],
    'parallel': ['caller %d' % number for number in range(8)],
    'unknown': 'sayGoodbye',
}


@pytest.fixture(scope='module')
def daemons():
    """One with the built-in defaults, and one whose WSDL has a port for each SOAP version."""
    with Daemon() as plain, Daemon(config=BOTH_VERSIONS) as both:
        yield {'1.1': plain, '1.2': both}


@pytest.fixture(scope='module', params=[(name, version) for name in CLIENTS for version in ('1.1', '1.2')],
                ids=lambda each: '%s-%s' % each)
def answered(request, daemons):
    """(client, version, what it got)"""
    name, version = request.param
    daemon = daemons[version]
    run = subprocess.run([*CLIENTS[name], daemon.url + HELLO_PATH + '?wsdl', version], input=json.dumps(CASES).encode(),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60 * SLOWNESS)
    assert run.returncode == 0, '%s\n%s\npostbusd: %s' % (run.stdout.decode(), run.stderr.decode(), daemon.log()[-8000:])
    return name, version, json.loads(run.stdout)


@pytest.mark.parametrize('case', CASES['texts'])
def test_text(answered, case):
    assert answered[2]['texts'][case] == 'Hello ' + CASES['texts'][case]


def test_absent_argument(answered):
    assert answered[2]['absent'] == 'Hello '


def test_twenty_calls_on_one_client(answered):
    assert answered[2]['series'] == ['Hello ' + text for text in CASES['series']]


def test_eight_calls_at_once(answered):
    assert answered[2]['parallel'] == ['Hello ' + text for text in CASES['parallel']]


def test_unknown_operation_is_the_clients_own_fault_type(answered):
    name, version, answers = answered

    fault = answers['fault']

    assert fault, 'no fault'
    assert fault['type'] == FAULT_TYPE[name]
    assert fault['code'].split(':')[-1] == {'1.1': 'Client', '1.2': 'Sender'}[version]
    assert CASES['unknown'] in fault['text']
