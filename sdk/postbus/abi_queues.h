/* The durable queues and the topics of the bus, by their names: an extension of abi.h, by postbus_host.extension.
 * Lengths of time are in nanoseconds where nothing else is said.
 */
#ifndef POSTBUS_ABI_QUEUES_H
#define POSTBUS_ABI_QUEUES_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POSTBUS_QUEUES "postbus.queues/1"

/* postbus_property.kind */
enum { POSTBUS_PROPERTY_BOOL = 1, POSTBUS_PROPERTY_INTEGER, POSTBUS_PROPERTY_REAL, POSTBUS_PROPERTY_TEXT };

typedef struct postbus_property {
    postbus_str name;
    uint32_t kind;   /* says which of these has the value */
    int64_t integer; /* of a BOOL: 0 or 1 */
    double real;
    postbus_str text;
} postbus_property;

/* A message as it is sent, and as it comes. The names in brackets are JMS's. */
typedef struct postbus_message {
    uint32_t size;
    uint32_t priority;      /* 0-9, 9 is delivered first; JMS's default is 4 [JMSPriority] */
    uint32_t persistent;    /* 0: kept in memory alone, gone with the daemon [JMSDeliveryMode] */
    int32_t group_sequence; /* -1: the last of its group [JMSXGroupSeq] */
    postbus_str body;
    postbus_str content_type;
    postbus_str id; /* not given or empty: the bus makes one [JMSMessageID] */
    postbus_str correlation_id, reply_to, type;
    postbus_str group;         /* all of a group go to one consumer, in order [JMSXGroupID] */
    postbus_str duplicate_key; /* for the detection of duplicates; not given or empty: the id, if one was given */
    int64_t time_to_live;      /* in milliseconds; 0: what the queue says */
    int64_t delay;             /* likewise: not to be delivered before */
    int64_t timestamp;         /* of one that comes: when it was sent, in milliseconds since 1970 */
    int64_t expires;           /* likewise; 0: never */
    const postbus_property* properties;
    uint32_t property_count;
    uint32_t property_size; /* sizeof(postbus_property), the array's stride */
} postbus_message;

/* A message that has come, lent until it is settled, once, on any thread. */
typedef struct postbus_delivery {
    uint32_t size;
    uint32_t count;       /* attempts to work on it, with this one, that are known of [JMSXDeliveryCount] */
    uint32_t redelivered; /* 0: certainly never delivered before [JMSRedelivered] */
    postbus_str queue;
    const postbus_message* message;
    postbus_str dead_origin, dead_reason; /* of one in a dead letter queue; else not given */
} postbus_delivery;

/* postbus_destination.kind */
enum { POSTBUS_DESTINATION_QUEUE = 1, POSTBUS_DESTINATION_TOPIC = 2 };

typedef struct postbus_destination {
    uint32_t size;
    uint32_t kind;
    postbus_str name;
} postbus_destination;

/* postbus_queue_result.kind */
enum {
    POSTBUS_QUEUE_DONE = 0,
    POSTBUS_QUEUE_NOTHING,     /* to receive: none came in time */
    POSTBUS_QUEUE_CANCELLED,   /* to receive: nobody waits any more for the call that it was done for */
    POSTBUS_QUEUE_INVALID,     /* no name for a queue, no selector, a message that may not be */
    POSTBUS_QUEUE_NOT_FOUND,   /* no such queue; or the message is no longer this consumer's */
    POSTBUS_QUEUE_TOO_LARGE,   /* the queue takes no message of that size */
    POSTBUS_QUEUE_UNAVAILABLE, /* full, paused, the disk is full, the queues are out of service: another time perhaps */
    POSTBUS_QUEUE_CLOSED,      /* the service leaves: it is replaced or removed, or the bus ends */
    POSTBUS_QUEUE_BLOCKING,    /* this thread must not wait */
    POSTBUS_QUEUE_FAILED       /* the store has failed; nothing durable is taken until it is opened anew */
};

typedef struct postbus_queue_result {
    uint32_t size;
    uint32_t kind;
    postbus_str reason;         /* for a person; lent */
    postbus_delivery* delivery; /* to receive, when DONE: the receiver's to settle */
} postbus_queue_result;

/* Called exactly once. The result is lent. */
typedef void (*postbus_queue_then)(void* context, const postbus_queue_result*);

/* Who takes messages. */
typedef struct postbus_consumer {
    uint32_t size;
    uint32_t concurrency; /* subscriptions: messages at work at once, each of a group after the other; 1-256 */
    uint32_t prefetch;    /* likewise: what each of them holds ready beyond that; at most 10000 */
    postbus_str selector; /* JMS's; not given or empty: all */
    postbus_str name;     /* of a topic's durable subscription, shared by all who name it; else not given */
} postbus_consumer;

/* postbus_queues.settle */
enum {
    POSTBUS_SETTLE_DONE = 1, /* acknowledged: it never comes back */
    POSTBUS_SETTLE_RELEASE,  /* back at once, no attempt counted */
    POSTBUS_SETTLE_FAIL,     /* a failed attempt: again after the queue's back-off, set aside after the last */
    POSTBUS_SETTLE_SET_ASIDE /* to the dead letter queue at once */
};

struct postbus_subscription; /* the bus's; valid until the service's destroy returns */

/* Where `wait` is not 0, `then` is called on this thread before the function returns, after a wait: BLOCKING at once
 * where it must not. Where it is 0 `then` is called on a thread of the bus that must not wait, perhaps before this
 * returns. What is given is copied before the function returns. */
typedef struct postbus_queues {
    uint32_t size;
    /* DONE once the message is durable, or, for one that is not persistent, taken. */
    void (*send)(struct postbus_service_context*, const postbus_destination*, const postbus_message*, int wait,
                 postbus_queue_then then, void* context);
    /* One message of a queue, waited for that long. `caller` is the call that it is done for, not completed before
     * `then`, or NULL: with it the wait ends when the call is cancelled; without it, when the service leaves. */
    void (*receive)(struct postbus_service_context*, const postbus_call* caller, const postbus_destination*,
                    const postbus_consumer*, int64_t time, int wait, postbus_queue_then then, void* context);
    /* The delivery is not lent any more, whatever comes of it: where that is not DONE the message may come again.
     * `then` may be NULL: nobody is told, or waits. `reason` is kept with a message that is set aside. */
    void (*settle)(postbus_delivery*, uint32_t how, postbus_str reason, int wait, postbus_queue_then then,
                   void* context);
    /* Has `take` called for each message, on threads that may wait, from when the service serves until it leaves; what
     * comes meanwhile and can't be taken stays in the queue. `closed` is called once, when the last delivery has been
     * settled and the last `take` has returned, or the service could not be started: on a thread that must not wait,
     * before stop. NULL: refused, for a reason that has been logged, and neither is ever called. */
    struct postbus_subscription* (*subscribe)(struct postbus_service_context*, const postbus_destination*,
                                              const postbus_consumer*, void (*take)(void* context, postbus_delivery*),
                                              void (*closed)(void* context), void* context);
    /* Takes no more. Any thread; `take` too. */
    void (*unsubscribe)(struct postbus_subscription*);
} postbus_queues;

#ifdef __cplusplus
}
#endif
#endif
