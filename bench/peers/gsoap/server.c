/* HelloWorld by gSOAP: a thread for each connection, kept alive. server PORT */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "HelloWorld.nsmap"
#include "soapH.h"

int hello__sayHi(struct soap* soap, char* arg0, struct hello__sayHiResponse* answer) {
    const char* name = arg0 ? arg0 : "";
    size_t length = strlen(name);
    answer->return_ = soap_malloc(soap, length + 7);
    if (!answer->return_) return SOAP_EOM;
    memcpy(answer->return_, "Hello ", 6);
    memcpy(answer->return_ + 6, name, length + 1);
    return SOAP_OK;
}

static void* serve(void* own) {
    struct soap* soap = own;
    pthread_detach(pthread_self());
    soap_serve(soap);
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return NULL;
}

int main(int count, char** arguments) {
    struct soap* soap = soap_new1(SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING);
    if (count != 2 || !soap) return 2;
    signal(SIGPIPE, SIG_IGN);
    soap->max_keep_alive = 0; /* no end */
    soap->bind_flags = SO_REUSEADDR;
    if (!soap_valid_socket(soap_bind(soap, "127.0.0.1", atoi(arguments[1]), 4096))) {
        soap_print_fault(soap, stderr);
        return 1;
    }
    for (;;) {
        struct soap* own;
        pthread_t thread;
        if (!soap_valid_socket(soap_accept(soap))) continue;
        own = soap_copy(soap);
        if (!own || pthread_create(&thread, NULL, serve, own)) return 1;
    }
}
