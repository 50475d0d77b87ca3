"""Queues as the postbus command shows them."""
import json


def queue(daemon, *args):
    done = daemon.postbus('queue', *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def received(daemon, name, count=1, wait='10s'):
    return json.loads(queue(daemon, 'receive', name, '--count', count, '--wait', wait, '--json'))['messages']


def figures(daemon, name):
    for each in json.loads(queue(daemon, 'list', '--json'))['queues']:
        if each['name'] == name:
            return each
    return {'depth': 0}


def open_exchanges(daemon):
    return daemon.admin('GET', '/status')[1]['exchanges']['open']
