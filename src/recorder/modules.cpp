#include "recorder/modules.h"

#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "recorder/raw_file.h"
#include "recorder/recording.h"
#include "recorder/system.h"
#include "recorder/text_line.h"

namespace parcast::recorder {
namespace {

constexpr unsigned module_limit = 4096;

struct Range {
    uintptr_t begin;
    uintptr_t end;
};

struct Modules {
    bool busy;  // one thread appends; another one that comes meanwhile leaves it to it
    unsigned count;
    unsigned long long additions;  // dlpi_adds at the last scan: nothing was loaded since if it is equal
    wire::ChunkHeader* chunk;      // being filled
    uint32_t chunk_count;
    Range ranges[module_limit];
    char program[PATH_MAX];  // here and not on the stack, which may be small
    char line[PATH_MAX + 64];
};
constinit Modules modules = {};

bool is_known(uintptr_t address) {
    unsigned const count = __atomic_load_n(&modules.count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < count; ++i)
        if (address >= modules.ranges[i].begin && address < modules.ranges[i].end)
            return true;
    return false;
}

Range range_of(dl_phdr_info const& module) {
    uintptr_t begin = UINTPTR_MAX;
    uintptr_t end = 0;
    for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
        ElfW(Phdr) const& segment = module.dlpi_phdr[i];
        if (segment.p_type != PT_LOAD)
            continue;
        uintptr_t const first = module.dlpi_addr + segment.p_vaddr;
        begin = first < begin ? first : begin;
        end = first + segment.p_memsz > end ? first + segment.p_memsz : end;
    }
    return {begin, end};
}

// Most programs have few modules, and a page is enough.
uint16_t pages_for_line(size_t length) {
    uint32_t pages = modules.chunk_count < 4 ? 1u << modules.chunk_count : wire::most_chunk_pages;
    while (wire::chunk_content_bytes(static_cast<uint16_t>(pages)) < length)
        pages *= 2;
    return static_cast<uint16_t>(pages);
}

void append_line(char const* line, size_t length) {
    if (!modules.chunk || modules.chunk->bytes + length > wire::chunk_content_bytes(modules.chunk->pages)) {
        modules.chunk = allocate_chunk(*recording.header, wire::ChunkKind::modules, pages_for_line(length), 0,
                                       modules.chunk_count);
        ++modules.chunk_count;
    }
    if (!modules.chunk)
        return;
    memcpy(reinterpret_cast<char*>(modules.chunk + 1) + modules.chunk->bytes, line, length);
    __atomic_store_n(&modules.chunk->bytes, modules.chunk->bytes + static_cast<uint32_t>(length),
                     __ATOMIC_RELEASE);
}

// The program itself has an empty name; the vdso has one that is no file, which the reader sorts out.
void append_module(dl_phdr_info const& module, Range range) {
    TextLine line(modules.line, sizeof modules.line);
    line.add_number(module.dlpi_addr, 16).add(" ").add_number(range.end - module.dlpi_addr, 16).add(" ");
    if (module.dlpi_name && *module.dlpi_name)
        line.add(module.dlpi_name);
    else
        line.add(modules.program, read_link("/proc/self/exe", modules.program, sizeof modules.program));
    line.add("\n");
    if (line.is_whole())
        append_line(modules.line, line.length());
}

int visit(dl_phdr_info* module, size_t, void*) {
    if (modules.count > 0 && module->dlpi_adds == modules.additions)
        return 1;
    Range const range = range_of(*module);
    if (range.begin >= range.end || is_known(range.begin) || modules.count == module_limit)
        return 0;
    append_module(*module, range);
    modules.ranges[modules.count] = range;
    __atomic_store_n(&modules.count, modules.count + 1, __ATOMIC_RELEASE);
    return 0;
}

int read_additions(dl_phdr_info* module, size_t, void*) {
    modules.additions = module->dlpi_adds;
    return 1;
}

}  // namespace

void record_new_modules() {
    if (__atomic_exchange_n(&modules.busy, true, __ATOMIC_ACQUIRE))
        return;
    dl_iterate_phdr(visit, nullptr);
    dl_iterate_phdr(read_additions, nullptr);
    __atomic_store_n(&modules.busy, false, __ATOMIC_RELEASE);
}

void expect_module_of(void const* site) {
    if (!is_known(reinterpret_cast<uintptr_t>(site)))
        record_new_modules();
}

void forget_modules() {
    modules.busy = false;
    modules.count = 0;
    modules.chunk = nullptr;
    modules.chunk_count = 0;
}

}  // namespace parcast::recorder
