"""python3-zeep with WS-Addressing: zeep_addressing_client.py WSDL [plugin] > answer

It sends the headers by itself where the WSDL names actions, else with its plugin.
"""
import json
import sys

import zeep
from zeep.plugins import HistoryPlugin
from zeep.wsa import WsAddressingPlugin

history = HistoryPlugin()
client = zeep.Client(sys.argv[1], plugins=[history] + [WsAddressingPlugin()] * ('plugin' in sys.argv))
text = client.service.sayHi(arg0='Ann')


def headers(message):
    return {each.tag.split('}')[1]: each.text for each in message['envelope'].find('{*}Header')
            if each.tag.startswith('{http://www.w3.org/2005/08/addressing}')}


json.dump({'text': text, 'sent': headers(history.last_sent), 'received': headers(history.last_received)}, sys.stdout)
