#include "codecache.h"

#include <string.h>

#include "process.h"
#include "vmstructs.h"
#include "wire.h"

/* Written once by pf_codecache_find, before other threads ask. */
static struct {
    struct pf_vm_field heaps, array_length, array_data;           /* CodeCache::_heaps, a GrowableArray<CodeHeap*>* */
    struct pf_vm_field memory, segmap, log2_segment;              /* CodeHeap */
    struct pf_vm_field low_boundary, high_boundary, low, high;    /* VirtualSpace */
    struct pf_vm_field code_begin, code_offset, frame_size, frame_complete; /* CodeBlob: an address until 21, later an offset */
    struct pf_vm_field level, id;                                 /* nmethod */
    struct pf_vm_field const_method, constants, name_index, symbol_length, symbol_body;
    uint64_t block_bytes, pool_bytes; /* sizeof HeapBlock, ConstantPool */
} vm;

void pf_codecache_find(void) {
    vm.heaps = pf_vm_field("CodeCache", "_heaps");
    vm.array_length = pf_vm_field("GrowableArrayBase", "_len");
    vm.array_data = pf_vm_field("GrowableArray<int>", "_data");
    vm.memory = pf_vm_field("CodeHeap", "_memory");
    vm.segmap = pf_vm_field("CodeHeap", "_segmap");
    vm.log2_segment = pf_vm_field("CodeHeap", "_log2_segment_size");
    vm.low_boundary = pf_vm_field("VirtualSpace", "_low_boundary");
    vm.high_boundary = pf_vm_field("VirtualSpace", "_high_boundary");
    vm.low = pf_vm_field("VirtualSpace", "_low");
    vm.high = pf_vm_field("VirtualSpace", "_high");
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
}

/* Address of the i-th CodeHeap; false behind the last. */
static bool heap_at(uint64_t i, uint64_t *heap) {
    uint64_t array, length, data;
    return vm.heaps.found && vm.array_length.found && pf_vm_read(vm.heaps, 0, &array) && pf_vm_read(vm.array_length, array, &length) &&
           i < length && pf_vm_read(vm.array_data, array, &data) && pf_peek(data + i * sizeof *heap, heap, sizeof *heap);
}

int pf_code_heaps(struct pf_code_heap heaps[PF_CODE_HEAPS]) {
    int n = 0;
    uint64_t heap;
    if (!vm.memory.found) return 0;
    for (uint64_t i = 0; i < PF_CODE_HEAPS && heap_at(i, &heap); i++) {
        const uint64_t memory = heap + vm.memory.offset;
        if (pf_vm_read(vm.low_boundary, memory, &heaps[n].low) && pf_vm_read(vm.high_boundary, memory, &heaps[n].high) &&
            heaps[n].low < heaps[n].high)
            n++;
    }
    return n;
}

/* Address of the CodeBlob in which `code` lies within that heap. heap.cpp: the segment map holds, for each segment of a block, 0 in the
 * first and else how many segments to go back (0xff: free, so at most 0xfe at a time). */
static bool blob_in(uint64_t heap, uint64_t code, uint64_t *blob) {
    uint64_t low, high, map, log2;
    if (!pf_vm_read(vm.low, heap + vm.memory.offset, &low) || !pf_vm_read(vm.high, heap + vm.memory.offset, &high) || code < low ||
        code >= high || !pf_vm_read(vm.low, heap + vm.segmap.offset, &map) || !pf_vm_read(vm.log2_segment, heap, &log2) || log2 > 20)
        return false;
    uint64_t segment = (code - low) >> log2;
    for (uint8_t back;;) {
        if (!pf_peek(map + segment, &back, 1) || back == 0xff || back > segment) return false;
        if (back == 0) break;
        segment -= back;
    }
    *blob = low + (segment << log2) + vm.block_bytes;
    return true;
}

static bool blob_of(uint64_t code, uint64_t *blob) {
    uint64_t heap;
    if (!vm.memory.found || !vm.segmap.found || vm.block_bytes == 0) return false;
    for (uint64_t i = 0; i < PF_CODE_HEAPS && heap_at(i, &heap); i++)
        if (blob_in(heap, code, blob)) return true;
    return false;
}

static bool begins_at(uint64_t blob, uint64_t code) {
    uint64_t value;
    if (pf_vm_read(vm.code_begin, blob, &value)) return value == code;
    return pf_vm_read(vm.code_offset, blob, &value) && blob + value == code;
}

struct pf_code_facts pf_code_facts(uint64_t code) {
    struct pf_code_facts facts = {.frame_complete = WIRE_FRAME_COMPLETE_UNKNOWN};
    uint64_t blob, value;
    if (!blob_of(code, &blob) || !begins_at(blob, code)) return facts;
    /* 0: no frame at all (method handle linkers, which jump on): the return address is all there is between the two stack pointers. */
    if (pf_vm_read(vm.frame_size, blob, &value) && value < 1 << 20) facts.frame_bytes = value == 0 ? 8 : (uint32_t)value * 8;
    if (pf_vm_read(vm.frame_complete, blob, &value) && (int64_t)value >= 0) facts.frame_complete = (uint32_t)value;
    if (pf_vm_read(vm.level, blob, &value) && (int64_t)value >= 0 && value <= 4) facts.compile_level = (uint32_t)value;
    if (pf_vm_read(vm.id, blob, &value) && (int64_t)value >= 0) facts.compile_id = (uint32_t)value;
    return facts;
}

/* Method → ConstMethod → ConstantPool, whose entries stand behind it, one word each → Symbol. */
static bool name_is(uint64_t method, const char *name) {
    uint64_t const_method, pool, index, symbol, length;
    char body[256];
    const size_t n = strlen(name);
    return vm.pool_bytes != 0 && vm.symbol_body.found && pf_vm_read(vm.const_method, method, &const_method) &&
           pf_vm_read(vm.constants, const_method, &pool) && pf_vm_read(vm.name_index, const_method, &index) &&
           pf_peek(pool + vm.pool_bytes + (index & 0xffff) * sizeof symbol, &symbol, sizeof symbol) &&
           pf_vm_read(vm.symbol_length, symbol, &length) && (length & 0xffff) == n && n < sizeof body &&
           pf_peek(symbol + vm.symbol_body.offset, body, n) && memcmp(body, name, n) == 0;
}

uint64_t pf_method_ptr(const void *jmethod_id, const char *name) {
    uint64_t method;
    if (!pf_peek((uint64_t)(uintptr_t)jmethod_id, &method, sizeof method) || !name_is(method, name)) return 0;
    return method;
}
