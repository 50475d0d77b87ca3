"""A client of the field that speaks WS-Addressing: python3-zeep."""
import json
import subprocess
import sys
from pathlib import Path

import pytest
from postbus_daemon import HELLO, HELLO_PATH, Daemon

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize('policy, action', [
    (None, ''),  # a WSDL without actions: zeep sends an empty one
    ('optional', HELLO + 'HelloWorld/sayHi'),
    ('required', HELLO + 'HelloWorld/sayHi'),
])
def test_zeep_is_answered_with_what_relates_to_its_request(policy, action):
    config = 'endpoints: {HelloWorld: {interceptors: [{addressing: %s}]}}\n' % policy if policy else None
    with Daemon(config=config) as daemon:
        command = [sys.executable, HERE / 'zeep_addressing_client.py', daemon.url + HELLO_PATH + '?wsdl']
        done = subprocess.run(command + ([] if policy else ['plugin']), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)

    sent, received = answer['sent'], answer['received']
    assert answer['text'] == 'Hello Ann'
    assert sent['Action'] == action
    assert received['RelatesTo'] == sent['MessageID']
    assert received['Action'] == HELLO + 'HelloWorld/sayHiResponse'
    assert received['MessageID'] not in ('', sent['MessageID'])
