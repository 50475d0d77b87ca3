// npm's soap: client.js WSDL 1.1|1.2 < cases > answers
'use strict';
const soap = require('soap');
const http = require('http');

const [wsdl, version] = process.argv.slice(2);
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));

async function connect() {
    const httpAgent = new http.Agent({keepAlive: true});
    const client = await soap.createClientAsync(wsdl, {forceSoap12Headers: version === '1.2', preserveWhitespace: true});
    client.addHttpHeader('Connection', 'keep-alive');
    return {
        sayHi: async (args, options = {}) => (await client.sayHiAsync(args, {httpAgent, ...options}))[0].return,
        close: () => httpAgent.destroy(),
    };
}

async function main() {
    const answers = {texts: {}, series: []};
    const client = await connect();
    for (const [name, text] of Object.entries(cases.texts)) answers.texts[name] = await client.sayHi({arg0: text});
    answers.absent = await client.sayHi({});
    for (const text of cases.series) answers.series.push(await client.sayHi({arg0: text}));
    answers.parallel = await Promise.all(cases.parallel.map((text) => client.sayHi({arg0: text})));
    try {
        await client.sayHi({arg0: 'x'}, {postProcess: (xml) => xml.replaceAll('sayHi', cases.unknown)});
        answers.fault = null;
    } catch (error) {
        const fault = error.root.Envelope.Body.Fault;
        answers.fault = {
            type: 'error.root.Envelope.Body.Fault',
            code: version === '1.2' ? fault.Code.Value : fault.faultcode,
            text: version === '1.2' ? fault.Reason.Text.$value ?? fault.Reason.Text : fault.faultstring,
        };
    }
    client.close();
    console.log(JSON.stringify(answers));
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
