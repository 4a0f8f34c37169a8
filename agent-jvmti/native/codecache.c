#include "codecache.h"

#include <stdatomic.h>
#include <string.h>

#include "process.h"
#include "vmstructs.h"
#include "wire.h"

/* Written once by pf_codecache_find, before other threads ask. The first looks at foreign memory
 * are system calls, so what cannot change is read once, and a CodeBlob's fields are cut out of one
 * copy of its head. */
static struct {
    struct pf_vm_field code_begin, code_offset, frame_size, frame_complete; /* CodeBlob: an address until 21, later an offset */
    struct pf_vm_field level, id;                                           /* nmethod */
    struct pf_vm_field const_method, constants, name_index, symbol_length, symbol_body;
    uint64_t block_bytes, pool_bytes; /* sizeof HeapBlock, ConstantPool */
    struct segment {
        struct pf_code_heap range;
        uint64_t map;  /* address of the segment map */
        uint64_t log2; /* of the bytes that one of its entries stands for */
    } segments[PF_CODE_HEAPS];
    int segment_count;
} vm;

/* How much of an object is copied at once: fields further behind (none today) are read on their
 * own. */
enum { HEAD_BYTES = 352 };

/* Until a layout has been right that often, system calls read it, because they survive a wrong
 * address. From then on it is read directly: the system calls were half of the agent's CPU on
 * HotSpot's Service Thread. "Right" is no guess: the blob that was found said where its code
 * begins, the Method its own name. A layout is the JVM's build's and does not change while it runs.
 */
enum { PROOFS = 64 };
static _Atomic uint32_t blobs_right, methods_right;

static bool is_proven(const _Atomic uint32_t *right) { return atomic_load_explicit(right, memory_order_relaxed) >= PROOFS; }

static void proves(_Atomic uint32_t *right) {
    if (!is_proven(right)) atomic_fetch_add_explicit(right, 1, memory_order_relaxed);
}

/* Copies memory of the JVM that is there if its layout is what we take it for. */
static bool copy_if(const _Atomic uint32_t *right, uint64_t address, void *into, size_t n) {
    if (!is_proven(right)) return pf_peek(address, into, n);
    memcpy(into, (const void *)(uintptr_t)address, n);
    return true;
}

/* CodeCache::_heaps is a GrowableArray<CodeHeap*>*; a CodeHeap holds its reserved memory and its
 * segment map as VirtualSpaces. */
static void find_segments(void) {
    const struct pf_vm_field memory = pf_vm_field("CodeHeap", "_memory"), segmap = pf_vm_field("CodeHeap", "_segmap");
    const struct pf_vm_field low = pf_vm_field("VirtualSpace", "_low_boundary"), high = pf_vm_field("VirtualSpace", "_high_boundary");
    uint64_t array, length, data, heap;
    if (!memory.found || !segmap.found || !pf_vm_read(pf_vm_field("CodeCache", "_heaps"), 0, &array) ||
        !pf_vm_read(pf_vm_field("GrowableArrayBase", "_len"), array, &length) ||
        !pf_vm_read(pf_vm_field("GrowableArray<int>", "_data"), array, &data))
        return;
    for (uint64_t i = 0; i < length && vm.segment_count < PF_CODE_HEAPS && pf_peek(data + i * sizeof heap, &heap, sizeof heap); i++) {
        struct segment *s = &vm.segments[vm.segment_count];
        if (pf_vm_read(low, heap + memory.offset, &s->range.low) && pf_vm_read(high, heap + memory.offset, &s->range.high) &&
            pf_vm_read(low, heap + segmap.offset, &s->map) && pf_vm_read(pf_vm_field("CodeHeap", "_log2_segment_size"), heap, &s->log2) &&
            s->range.low < s->range.high && s->log2 <= 20)
            vm.segment_count++;
    }
}

void pf_codecache_find(void) {
    vm.code_begin = pf_vm_field("CodeBlob", "_code_begin");
    vm.code_offset = pf_vm_field("CodeBlob", "_code_offset");
    vm.frame_size = pf_vm_field("CodeBlob", "_frame_size");
    vm.frame_complete = pf_vm_field("CodeBlob", "_frame_complete_offset");
    vm.level = pf_vm_field("nmethod", "_comp_level");
    vm.id = pf_vm_field("nmethod", "_compile_id");
    vm.const_method = pf_vm_field("Method", "_constMethod");
    vm.constants = pf_vm_field("ConstMethod", "_constants");
    vm.name_index = pf_vm_field("ConstMethod", "_name_index");
    vm.symbol_length = pf_vm_field("Symbol", "_length");
    vm.symbol_body = pf_vm_field("Symbol", "_body");
    vm.block_bytes = pf_vm_sizeof("HeapBlock");
    vm.pool_bytes = pf_vm_sizeof("ConstantPool");
    if (vm.block_bytes != 0) find_segments();
}

int pf_code_heaps(struct pf_code_heap heaps[PF_CODE_HEAPS]) {
    for (int i = 0; i < vm.segment_count; i++) heaps[i] = vm.segments[i].range;
    return vm.segment_count;
}

/* Address of the CodeBlob in which `code` lies. heap.cpp: the segment map holds one byte for each
 * segment of a block. The first segment's is 0; the others say how many segments to go back (0xff:
 * free, so at most 0xfe at a time). */
static bool blob_of(uint64_t code, uint64_t *blob) {
    for (int i = 0; i < vm.segment_count; i++) {
        const struct segment *s = &vm.segments[i];
        if (code < s->range.low || code >= s->range.high) continue;
        uint64_t at = (code - s->range.low) >> s->log2;
        for (uint8_t back;; at -= back) {
            if (!copy_if(&blobs_right, s->map + at, &back, 1) || back == 0xff || back > at) return false;
            if (back == 0) break;
        }
        *blob = s->range.low + (at << s->log2) + vm.block_bytes;
        return *blob < code;
    }
    return false;
}

/* A copy of an object's head; fields of it are read without a system call. */
struct head {
    uint64_t address;
    uint8_t bytes[HEAD_BYTES];
    size_t copied; /* bytes */
};

static bool field(const struct head *head, struct pf_vm_field f, uint64_t *value) {
    if (!f.found || f.is_static) return false;
    if (f.offset + 8 > head->copied) return pf_vm_read(f, head->address, value);
    return pf_vm_decode(f, head->bytes + f.offset, value);
}

static void copy_head(struct head *head, uint64_t address) {
    head->address = address;
    head->copied = pf_peek(address, head->bytes, HEAD_BYTES) ? HEAD_BYTES : 0;
}

/* The fields of a CodeBlob all lie before its code. */
static void copy_blob(struct head *head, uint64_t address, uint64_t code) {
    head->address = address;
    const size_t n = code - address < HEAD_BYTES ? code - address : HEAD_BYTES;
    head->copied = copy_if(&blobs_right, address, head->bytes, n) ? n : 0;
}

static bool begins_at(const struct head *blob, uint64_t code) {
    uint64_t value;
    if (field(blob, vm.code_begin, &value)) return value == code;
    return field(blob, vm.code_offset, &value) && blob->address + value == code;
}

struct pf_code_facts pf_code_facts(uint64_t code) {
    struct pf_code_facts facts = {.frame_complete = WIRE_FRAME_COMPLETE_UNKNOWN};
    struct head blob;
    uint64_t address, value;
    if (!blob_of(code, &address)) return facts;
    copy_blob(&blob, address, code);
    if (!begins_at(&blob, code)) return facts;
    proves(&blobs_right);
    /* 0: no frame at all (method handle linkers, which jump on): the return address is all there is
     * between the two stack pointers. */
    if (field(&blob, vm.frame_size, &value) && value < 1 << 20) facts.frame_bytes = value == 0 ? 8 : (uint32_t)value * 8;
    if (field(&blob, vm.frame_complete, &value) && (int64_t)value >= 0) facts.frame_complete = (uint32_t)value;
    if (field(&blob, vm.level, &value) && (int64_t)value >= 0 && value <= 4) facts.compile_level = (uint32_t)value;
    if (field(&blob, vm.id, &value) && (int64_t)value >= 0) facts.compile_id = (uint32_t)value;
    return facts;
}

/* Method → ConstMethod → ConstantPool, whose entries stand behind it, one word each → Symbol. */
static bool name_is(uint64_t method, const char *name) {
    uint64_t const_method, pool, index, symbol_at, length;
    struct head head;
    uint8_t symbol[256];
    const size_t n = strlen(name), symbol_bytes = vm.symbol_body.offset + n;
    if (vm.pool_bytes == 0 || !vm.symbol_body.found || !vm.symbol_length.found || symbol_bytes > sizeof symbol ||
        vm.symbol_length.offset + 2 > symbol_bytes || !pf_vm_read(vm.const_method, method, &const_method))
        return false;
    copy_head(&head, const_method);
    if (!field(&head, vm.constants, &pool) || !field(&head, vm.name_index, &index) ||
        !pf_peek(pool + vm.pool_bytes + (index & 0xffff) * sizeof symbol_at, &symbol_at, sizeof symbol_at) ||
        !pf_peek(symbol_at, symbol, symbol_bytes))
        return false;
    return pf_vm_decode(vm.symbol_length, symbol + vm.symbol_length.offset, &length) && (length & 0xffff) == n &&
           memcmp(symbol + vm.symbol_body.offset, name, n) == 0;
}

uint64_t pf_method_ptr(const void *jmethod_id, const char *name) {
    uint64_t method;
    if (!copy_if(&methods_right, (uint64_t)(uintptr_t)jmethod_id, &method, sizeof method)) return 0;
    if (is_proven(&methods_right)) return method;
    if (!name_is(method, name)) return 0;
    proves(&methods_right);
    return method;
}
