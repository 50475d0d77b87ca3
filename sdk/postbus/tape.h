/* The tape: a document as one flat array of nodes.
 *
 * A tape is what a plugin reads a message from, in place, without a call per node. It is plain C, refers by index and
 * offset only, and so may be copied to another process or kept on disk as it is.
 *
 * Order. An element's node is followed by its namespace declarations, then its attributes, then its content in document
 * order; `next` is the index just behind all of that. So the first child of an element is the first node after its
 * attributes that lies before `next`, and its sibling stands at that child's `next`. Node 0 is the root element.
 *
 * Text. Values are UTF-8 without a terminating zero, in `text`; adjoining character data, CDATA sections included, is
 * one text node; comments and processing instructions are not kept. `text` as a whole is UTF-8 too; what it holds
 * beside names and values means nothing.
 *
 * A tape is immutable while it is lent, and lives as long as the call that lends it.
 */
#ifndef POSTBUS_TAPE_H
#define POSTBUS_TAPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when the layout of what follows changes. */
#define POSTBUS_TAPE_LAYOUT 1u

/* An index that names no node. */
#define POSTBUS_NO_NODE UINT32_MAX

/* postbus_node.kind */
enum {
    POSTBUS_NODE_ELEMENT = 1,
    POSTBUS_NODE_NAMESPACE = 2, /* a declaration: the name's prefix ("" for the default) and uri ("" takes it back) */
    POSTBUS_NODE_ATTRIBUTE = 3, /* name and value */
    POSTBUS_NODE_TEXT = 4       /* value */
};

typedef struct postbus_node {
    uint32_t kind;
    uint32_t name;   /* index into names; elements, attributes and declarations */
    uint32_t text;   /* offset of the value in text; attributes and text nodes */
    uint32_t length; /* of the value, in bytes */
    uint32_t next;   /* index behind this node and all it contains */
    uint32_t parent; /* index of the element that holds this node, POSTBUS_NO_NODE at the root */
    uint32_t line;   /* 1-based line of the source, 0 when there is none */
} postbus_node;

/* Each distinct (prefix, uri, local) of a document stands once. Offsets and lengths into text. */
typedef struct postbus_name {
    uint32_t uri, uri_length;
    uint32_t local, local_length; /* empty for declarations */
    uint32_t prefix, prefix_length;
} postbus_name;

typedef struct postbus_tape {
    uint32_t size;   /* of this struct, for later growth */
    uint32_t layout; /* POSTBUS_TAPE_LAYOUT */
    const postbus_node* nodes;
    const postbus_name* names;
    const char* text;
    uint32_t node_count, name_count, text_size;
} postbus_tape;

#ifdef __cplusplus
}
#endif
#endif
