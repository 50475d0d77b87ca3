/* The boundary between the bus and a plugin: one exported C function and a few tables. Plain C; no C++ type, exception
 * or allocation crosses. Authors in C++ include <postbus/plugin.hpp>, which fills all this in.
 *
 * Versions. The major number is part of the entry's name. Every table begins with its size in bytes as its maker saw
 * it; members are only ever appended, and each side looks at the size before it touches one that came later.
 *
 * Strings are borrowed: the bus keeps none past the call it was given in unless the text here says so.
 *
 * Threads. create, start, stop and destroy are called by one thread, one after the other. handle is called from many
 * threads at once. If start succeeded, stop is called exactly once, after the last call has been completed.
 */
#ifndef POSTBUS_ABI_H
#define POSTBUS_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "tape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POSTBUS_ABI_MAJOR 1u
#define POSTBUS_ABI_MINOR 0u
#define POSTBUS_ENTRY_SYMBOL "postbus_plugin_entry_v1"

typedef struct postbus_str {
    const char* data; /* UTF-8, not terminated; NULL stands for "not given", which differs from empty */
    size_t size;
} postbus_str;

/* ---- What operations take and give ---------------------------------------------------------------------------------
 */

/* postbus_field.kind and postbus_type.kind. The comment names the XML Schema type (XML Schema Part 2). */
enum {
    POSTBUS_KIND_STRING = 1, /* xs:string */
    POSTBUS_KIND_BOOL,       /* xs:boolean */
    POSTBUS_KIND_INT8,       /* xs:byte */
    POSTBUS_KIND_INT16,      /* xs:short */
    POSTBUS_KIND_INT32,      /* xs:int */
    POSTBUS_KIND_INT64,      /* xs:long */
    POSTBUS_KIND_UINT8,      /* xs:unsignedByte */
    POSTBUS_KIND_UINT16,     /* xs:unsignedShort */
    POSTBUS_KIND_UINT32,     /* xs:unsignedInt */
    POSTBUS_KIND_UINT64,     /* xs:unsignedLong */
    POSTBUS_KIND_FLOAT,      /* xs:float */
    POSTBUS_KIND_DOUBLE,     /* xs:double */
    POSTBUS_KIND_DECIMAL,    /* xs:decimal, carried as text */
    POSTBUS_KIND_DATETIME,   /* xs:dateTime, carried as text */
    POSTBUS_KIND_BASE64,     /* xs:base64Binary */
    POSTBUS_KIND_ENUM,       /* restriction of xs:string to the values of `type` */
    POSTBUS_KIND_STRUCT      /* complex type, the sequence of the fields of `type` */
};

/* postbus_field.flags */
enum {
    POSTBUS_FIELD_OPTIONAL = 1u << 0, /* minOccurs="0" */
    POSTBUS_FIELD_LIST = 1u << 1      /* minOccurs="0" maxOccurs="unbounded" */
};

struct postbus_type;

typedef struct postbus_field {
    postbus_str name;
    postbus_str doc;
    uint32_t kind;
    uint32_t flags;
    const struct postbus_type* type; /* for ENUM and STRUCT */
} postbus_field;

typedef struct postbus_type {
    uint32_t size;
    uint32_t kind;               /* POSTBUS_KIND_ENUM or POSTBUS_KIND_STRUCT */
    postbus_str name;            /* the type's name in the schema */
    const postbus_field* fields; /* STRUCT */
    const postbus_str* values;   /* ENUM */
    uint32_t field_count;
    uint32_t field_size; /* sizeof(postbus_field), the array's stride */
    uint32_t value_count;
} postbus_type;

/* postbus_operation.flags */
enum {
    POSTBUS_OPERATION_NONBLOCKING = 1u << 0, /* runs on the loop that read the request; must not wait for anything */
    POSTBUS_OPERATION_ANY = 1u << 1          /* takes whatever no other operation of the service takes */
};

/* Message exchange patterns, by their WSDL 2.0 names (WSDL 2.0 Adjuncts, section 2). */
enum {
    POSTBUS_MEP_IN_ONLY = 1,
    POSTBUS_MEP_ROBUST_IN_ONLY = 2,
    POSTBUS_MEP_IN_OUT = 3,
    POSTBUS_MEP_IN_OPTIONAL_OUT = 4,
    /* For exchanges that a service begins (postbus_out_first); no operation has them. */
    POSTBUS_MEP_OUT_ONLY = 5,
    POSTBUS_MEP_ROBUST_OUT_ONLY = 6,
    POSTBUS_MEP_OUT_IN = 7,
    POSTBUS_MEP_OUT_OPTIONAL_IN = 8
};

/* Kept by the bus until the service's destroy returns: it must stay valid as long. */
typedef struct postbus_operation {
    uint32_t size;
    uint32_t id; /* handed back in postbus_call.operation */
    uint32_t flags;
    uint32_t mep;
    postbus_str name;
    postbus_str in_element; /* local names in the service's namespace; not given for ANY */
    postbus_str out_element;
    postbus_str soap_action; /* not given or empty: none */
    postbus_str doc;
    const postbus_type* in; /* NULL: raw, not described */
    const postbus_type* out;
} postbus_operation;

/* ---- A call --------------------------------------------------------------------------------------------------------
 */

/* One request, lent to the plugin until it completes it with reply or fail, exactly once, from any thread. Everything
 * reachable from here lives until then, even if the caller has gone or the deadline has passed. */
typedef struct postbus_call {
    uint32_t size;
    uint32_t operation;       /* postbus_operation.id */
    const postbus_tape* tape; /* the whole document, envelope included; NULL for a message that is not XML */
    uint32_t payload;         /* the element that named the operation, POSTBUS_NO_NODE when the message is empty */
    uint32_t content;         /* the element whose content is the message (a SOAP Body), POSTBUS_NO_NODE for bare XML */
    postbus_str id;           /* of the request; stands in the log, in faults and in the answer's head */
    postbus_str content_type; /* as the caller wrote it */
    postbus_str bytes;        /* the message as it came, for one that is not XML */
    int64_t deadline;         /* CLOCK_MONOTONIC in nanoseconds, 0 for none */
} postbus_call;

/* Who is to blame. SOAP 1.1 section 4.4.1 / SOAP 1.2 section 5.4.6. */
enum { POSTBUS_FAULT_SENDER = 1, POSTBUS_FAULT_RECEIVER = 2 };

typedef struct postbus_fault {
    uint32_t size;
    uint32_t code;
    postbus_str reason;
    postbus_str detail; /* well-formed XML elements that stand by themselves, or not given: the content of detail */
} postbus_fault;

/* Builds the answer's payload, event by event, straight into the buffer that goes out. Names are resolved by namespace;
 * `prefix` is a wish. A character that XML 1.0 forbids, or events out of order, make the answer a Receiver fault. */
typedef struct postbus_writer {
    uint32_t size;
    void (*start)(postbus_call*, postbus_str uri, postbus_str local, postbus_str prefix);
    void (*declare)(postbus_call*, postbus_str prefix, postbus_str uri); /* after start, before text */
    void (*attribute)(postbus_call*, postbus_str uri, postbus_str local, postbus_str prefix, postbus_str value);
    void (*text)(postbus_call*, postbus_str text);
    void (*end)(postbus_call*);
    /* The subtree at `node`, or with copy_content all that `node` contains, with the declarations in scope there. */
    void (*copy)(postbus_call*, const postbus_tape*, uint32_t node);
    void (*copy_content)(postbus_call*, const postbus_tape*, uint32_t node);
} postbus_writer;

/* ---- The two tables ------------------------------------------------------------------------------------------------
 */

/* postbus_host.log */
enum { POSTBUS_LOG_DEBUG = 0, POSTBUS_LOG_INFO = 1, POSTBUS_LOG_WARNING = 2, POSTBUS_LOG_ERROR = 3 };

struct postbus_service_context; /* the bus's side of one service */

typedef struct postbus_host {
    uint32_t size;
    uint32_t abi_major, abi_minor;
    const postbus_writer* writer;

    /* Within start only. 0, or not: then the reason has been logged and start should fail. */
    int (*define)(struct postbus_service_context*, const postbus_operation*);
    /* Any time, any thread. */
    void (*log)(struct postbus_service_context*, int level, postbus_str text);

    /* The rest is for a call that has not been completed. */
    postbus_str (*header)(const postbus_call*, postbus_str name); /* a transport header of the request, any case */
    void (*set_content_type)(postbus_call*, postbus_str);         /* for an answer that is not SOAP */
    void (*set_header)(postbus_call*, postbus_str name, postbus_str value);
    void (*set_bytes)(postbus_call*, postbus_str);     /* the answer as bytes, instead of the writer */
    void (*reply)(postbus_call*);                      /* the answer as written so far; completes */
    void (*fail)(postbus_call*, const postbus_fault*); /* completes; what was written is dropped */

    /* Later additions by name, NULL when this bus has none of it. */
    const void* (*extension)(struct postbus_service_context*, postbus_str id);
} postbus_host;

/* ---- Calls to other endpoints: an extension ------------------------------------------------------------------------
 */

#define POSTBUS_INVOKE "postbus.invoke/1"

/* postbus_outcome.kind */
enum {
    POSTBUS_OUTCOME_ANSWER = 1,
    POSTBUS_OUTCOME_DONE = 2, /* the pattern has no answer, or had none to give */
    POSTBUS_OUTCOME_FAULT = 3
};

typedef struct postbus_outcome {
    uint32_t size;
    uint32_t kind;
    const postbus_tape* tape;        /* of an answer that is XML: its root is the payload */
    postbus_str bytes, content_type; /* of one that is not */
    uint32_t code;                   /* of a fault, as in postbus_fault */
    postbus_str reason, detail;
    /* Whether it ended because nobody waits any more for the call that it was made for. */
    uint32_t cancelled;
} postbus_outcome;

typedef struct postbus_invoke {
    uint32_t size;
    /* A request to an endpoint, by its name, to be written with postbus_host.writer. `caller` is the call that it is
     * made for, not completed yet, or NULL: its deadline and its count of hops travel along. NULL: out of memory. */
    postbus_call* (*begin)(struct postbus_service_context*, const postbus_call* caller, postbus_str endpoint);
    /* CLOCK_MONOTONIC in nanoseconds; only ever shortens the time. Without any it is 30 seconds. */
    void (*limit)(postbus_call* request, int64_t deadline);
    /* Sends. `then` is called exactly once, from a thread of the bus that must not wait, perhaps before this returns;
     * the outcome is lent to it. */
    void (*send)(postbus_call* request, void (*then)(void* context, const postbus_outcome*), void* context);
    /* Sends and waits, for operations that are not nonblocking: on a thread that must not wait it gives a fault at
     * once. The outcome lives until drop. */
    const postbus_outcome* (*wait)(postbus_call* request);
    /* Ends a request that was not sent, or was waited for. */
    void (*drop)(postbus_call* request);
    /* Of a message of POSTBUS_OUT_FIRST that was not sent: the address of its receiver, instead of the one that the
     * configuration has for messages of this name. Whether the configuration allows it shows when it is sent. 0, or
     * not: the request goes to the endpoint that it was begun for, or there is no memory. */
    int (*to)(postbus_call* request, postbus_str address);
    /* Memory for what the `context` of send is to point to, aligned for anything: the plugin's until `then` returns.
     * NULL: there is not that much. */
    void* (*room)(postbus_call* request, uint32_t size);
} postbus_invoke;

/* ---- Exchanges that a service begins: an extension -----------------------------------------------------------------
 */

#define POSTBUS_OUT_FIRST "postbus.out-first/1"

typedef struct postbus_out_first {
    uint32_t size;
    /* A message of the service's own, to be written with postbus_host.writer, under one of the patterns that begin with
     * Out. The configuration says where messages of this name go to. `cause` is the call that is the reason for it, not
     * completed yet, or NULL: its count of hops travels along, and nothing else of it. NULL: out of memory, or the
     * pattern is none of these. */
    postbus_call* (*begin)(struct postbus_service_context*, const postbus_call* cause, uint32_t mep,
                           postbus_str message);
    /* What is done with it then, but for its begin. The outcome is what the pattern lets come back: DONE under
     * OUT_ONLY, once the receiver has the message for good; DONE or FAULT under ROBUST_OUT_ONLY; ANSWER or FAULT under
     * OUT_IN; each of them under OUT_OPTIONAL_IN. A message that could not be sent is a FAULT. */
    const postbus_invoke* requests;
} postbus_out_first;

/* ---- More about a call: an extension -------------------------------------------------------------------------------
 */

#define POSTBUS_CALL_STATE "postbus.call-state/1"

/* Told when a call is cancelled. In memory of the plugin's, which stays as it is until unwatch has returned or the
 * call has been completed. */
typedef struct postbus_watch {
    uint32_t size;
    void (*cancelled)(struct postbus_watch*); /* once at most, on a thread of the bus that must not wait */
    void* bus[3];                             /* the bus's own */
} postbus_watch;

typedef struct postbus_call_state {
    uint32_t size;
    /* Whether nobody waits for the answer any more: the deadline has passed or the caller is gone. Any thread, until
     * the call is completed, which is still due. */
    int (*cancelled)(const postbus_call*);
    /* Any thread, while the call is not completed. 0: cancelled already, and the watch will not be told. */
    int (*watch)(const postbus_call*, postbus_watch*);
    /* Any thread. A watch that is being told is waited for, unless it is that one which calls. */
    void (*unwatch)(postbus_watch*);
} postbus_call_state;

/* ---- Going on later: an extension ----------------------------------------------------------------------------------
 */

#define POSTBUS_RESUME "postbus.resume/1"

typedef struct postbus_resume {
    uint32_t size;
    /* Has `then` called, once and not within this call, on a thread of the bus that must not wait: after that time, or
     * as soon as the call is cancelled; `cancelled` says which. 0, or not: no memory, `then` is not called. */
    int (*after)(struct postbus_service_context*, const postbus_call*, int64_t nanoseconds,
                 void (*then)(void* context, int cancelled), void* context);
    /* Has `then` called, once, on a thread that may wait. 0, or not: none is free, and `then` is not called. */
    int (*on_worker)(struct postbus_service_context*, void (*then)(void* context), void* context);
} postbus_resume;

typedef struct postbus_service {
    uint32_t size;
    postbus_str name; /* of the endpoint, [A-Za-z0-9_.-]+ */
    postbus_str ns;   /* target namespace */
    postbus_str version;
    postbus_str path;           /* the default HTTP path; not given: /cxf/NAME */
    postbus_str implementation; /* names the WSDL's service and port (JAX-WS 2.2 section 3.11); not given: NAME */
    postbus_str doc;

    void* (*create)(const postbus_host*, struct postbus_service_context*); /* NULL: failed, and logged */
    int (*start)(void* self);                                              /* 0: serves */
    void (*handle)(void* self, postbus_call*);
    void (*stop)(void* self);
    void (*destroy)(void* self);
    int (*health)(void* self); /* 0: well; NULL when there is nothing to ask */
} postbus_service;

typedef struct postbus_plugin {
    uint32_t size;
    uint32_t abi_major, abi_minor;
    postbus_str name; /* [a-z0-9-]+ by custom; the file's name has no meaning */
    postbus_str version;
    const postbus_service* const* services;
    uint32_t service_count;
} postbus_plugin;

/* Exported by the plugin under POSTBUS_ENTRY_SYMBOL. Cheap, pure, callable any number of times. */
typedef const postbus_plugin* (*postbus_plugin_entry)(void);

#ifdef __cplusplus
}
#endif
#endif
