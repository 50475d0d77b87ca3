// soapcpp2 reads comments
// clang-format off
// The contract of HelloWorld, as soapcpp2 reads it.
//gsoap hello service name: HelloWorld
//gsoap hello service namespace: http://cxf.examples.servicemix.apache.org/
//gsoap hello service style: document
//gsoap hello service encoding: literal
//gsoap hello schema namespace: http://cxf.examples.servicemix.apache.org/
//gsoap hello schema form: unqualified

struct hello__sayHiResponse {
    char* return_ 0;
};
int hello__sayHi(char* arg0, struct hello__sayHiResponse* answer);
