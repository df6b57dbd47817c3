// Whether the host has code that makes explicit tasks. Asked before its first region, for all threads of a
// region must know it (OpenmpTeam::runs_tasks_before_end).
//
// Code that calls libgomp is in a module that names libgomp as needed, and names the function in a
// relocation. What is loaded after the first region shows only when it makes a task.
// Cost: once, linear in the relocations of these modules.

#include <link.h>
#include <string.h>

#include "recorder/openmp/openmp_team.h"

namespace parcast::recorder {

constinit bool openmp_tasks_used = false;

namespace {

struct Relocations {
    ElfW(Rela) const* first;
    size_t bytes;
};

// What a module's dynamic section says. The loader has made addresses of its offsets.
struct DynamicSection {
    char const* names = nullptr;
    ElfW(Sym) const* symbols = nullptr;
    Relocations calls = {};
    Relocations others = {};
};

DynamicSection read(ElfW(Dyn) const* entry) {
    DynamicSection section;
    for (; entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
            case DT_STRTAB: section.names = reinterpret_cast<char const*>(entry->d_un.d_ptr); break;
            case DT_SYMTAB: section.symbols = reinterpret_cast<ElfW(Sym) const*>(entry->d_un.d_ptr); break;
            case DT_JMPREL:
                section.calls.first = reinterpret_cast<ElfW(Rela) const*>(entry->d_un.d_ptr);
                break;
            case DT_PLTRELSZ: section.calls.bytes = entry->d_un.d_val; break;
            case DT_RELA:
                section.others.first = reinterpret_cast<ElfW(Rela) const*>(entry->d_un.d_ptr);
                break;
            case DT_RELASZ: section.others.bytes = entry->d_un.d_val; break;
            default: break;
        }
    }
    return section;
}

bool begins_with(char const* text, char const* prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool needs_libgomp(ElfW(Dyn) const* entry, char const* names) {
    for (; entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_NEEDED && begins_with(names + entry->d_un.d_val, "libgomp"))
            return true;
    return false;
}

bool makes_tasks(DynamicSection const& section, Relocations relocations) {
    for (size_t i = 0; i < relocations.bytes / sizeof(ElfW(Rela)); ++i) {
        size_t const symbol = ELF64_R_SYM(relocations.first[i].r_info);
        char const* const name = section.names + section.symbols[symbol].st_name;
        if (strcmp(name, "GOMP_task") == 0 || begins_with(name, "GOMP_taskloop"))
            return true;
    }
    return false;
}

int visit(dl_phdr_info* module, size_t, void*) {
    for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
        ElfW(Phdr) const& segment = module->dlpi_phdr[i];
        if (segment.p_type != PT_DYNAMIC)
            continue;
        auto const* const dynamic = reinterpret_cast<ElfW(Dyn) const*>(module->dlpi_addr + segment.p_vaddr);
        DynamicSection const section = read(dynamic);
        if (section.names && section.symbols && needs_libgomp(dynamic, section.names))
            return makes_tasks(section, section.calls) || makes_tasks(section, section.others);
    }
    return 0;
}

constinit bool looked = false;

}  // namespace

void look_for_tasks() {
    if (__atomic_exchange_n(&looked, true, __ATOMIC_RELAXED))
        return;
    if (dl_iterate_phdr(visit, nullptr))
        expect_tasks();
}

}  // namespace parcast::recorder
