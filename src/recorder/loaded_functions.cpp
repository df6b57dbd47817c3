#include "recorder/loaded_functions.h"

#include <link.h>
#include <string.h>

#include "recorder/real.h"

namespace parcast::recorder {
namespace {

constexpr ElfW(Half) hidden_version = 0x8000;

struct SymbolTables {
    uintptr_t bias;
    ElfW(Sym) const* symbols;
    char const* names;
    ElfW(Half) const* versions;  // null: the module has none
    uint32_t const* gnu_hash;    // null: it has the older table alone, or none
    uint32_t const* older_hash;
};

bool lies_in(dl_phdr_info const& module, void const* address) {
    auto const place = reinterpret_cast<uintptr_t>(address) - module.dlpi_addr;
    for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
        ElfW(Phdr) const& segment = module.dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && place >= segment.p_vaddr &&
            place - segment.p_vaddr < segment.p_memsz)
            return true;
    }
    return false;
}

ElfW(Dyn) const* dynamic_section_of(dl_phdr_info const& module) {
    for (unsigned i = 0; i < module.dlpi_phnum; ++i)
        if (module.dlpi_phdr[i].p_type == PT_DYNAMIC)
            return reinterpret_cast<ElfW(Dyn) const*>(module.dlpi_addr + module.dlpi_phdr[i].p_vaddr);
    return nullptr;
}

// ld.so has relocated the addresses in this section, but not those of the vdso.
template <class T>
T const* table_at(dl_phdr_info const& module, ElfW(Dyn) const& entry) {
    uintptr_t const address = entry.d_un.d_ptr;
    return reinterpret_cast<T const*>(address < module.dlpi_addr ? address + module.dlpi_addr : address);
}

SymbolTables tables_of(dl_phdr_info const& module) {
    SymbolTables tables = {};
    tables.bias = module.dlpi_addr;
    for (ElfW(Dyn) const* entry = dynamic_section_of(module); entry && entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
            case DT_SYMTAB: tables.symbols = table_at<ElfW(Sym)>(module, *entry); break;
            case DT_STRTAB: tables.names = table_at<char>(module, *entry); break;
            case DT_VERSYM: tables.versions = table_at<ElfW(Half)>(module, *entry); break;
            case DT_GNU_HASH: tables.gnu_hash = table_at<uint32_t>(module, *entry); break;
            case DT_HASH: tables.older_hash = table_at<uint32_t>(module, *entry); break;
            default: break;
        }
    }
    return tables;
}

bool is_definition_of(SymbolTables const& tables, uint32_t i, char const* name) {
    ElfW(Sym) const& symbol = tables.symbols[i];
    unsigned const type = ELF64_ST_TYPE(symbol.st_info);
    bool const is_function = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
    return is_function && symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
           !(tables.versions && (tables.versions[i] & hidden_version)) &&
           strcmp(tables.names + symbol.st_name, name) == 0;
}

void* address_of(SymbolTables const& tables, uint32_t i) {
    ElfW(Sym) const& symbol = tables.symbols[i];
    uintptr_t const address = tables.bias + symbol.st_value;
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
        return reinterpret_cast<void* (*)()>(address)();
    return reinterpret_cast<void*>(address);
}

//     bucket count, first hashed symbol, words of the filter, shift | filter | buckets | hashes
void* find_by_gnu_hash(SymbolTables const& tables, RealSymbol const& wanted) {
    uint32_t const bucket_count = tables.gnu_hash[0];
    uint32_t const first_hashed = tables.gnu_hash[1];
    uint32_t const filter_words = tables.gnu_hash[2];
    uint32_t const shift = tables.gnu_hash[3];
    auto const* const filter = reinterpret_cast<uint64_t const*>(tables.gnu_hash + 4);
    auto const* const buckets = reinterpret_cast<uint32_t const*>(filter + filter_words);
    uint32_t const* const hashes = buckets + bucket_count;
    uint32_t const hash = wanted.hash;
    if (bucket_count == 0 || filter_words == 0)
        return nullptr;
    uint64_t const filtered = filter[hash / 64 % filter_words];
    if (!(filtered >> hash % 64 & filtered >> (hash >> shift) % 64 & 1))
        return nullptr;
    uint32_t i = buckets[hash % bucket_count];
    if (i < first_hashed)
        return nullptr;
    constexpr uint32_t is_last = 1;
    for (;; ++i) {
        uint32_t const here = hashes[i - first_hashed];
        if ((here | is_last) == (hash | is_last) && is_definition_of(tables, i, wanted.name))
            return address_of(tables, i);
        if (here & is_last)
            return nullptr;
    }
}

uint32_t older_hash(char const* name) {
    uint32_t hash = 0;
    for (; *name; ++name) {
        hash = (hash << 4) + static_cast<unsigned char>(*name);
        uint32_t const high = hash & 0xf0000000;
        hash = (hash ^ high >> 24) & ~high;
    }
    return hash;
}

//     bucket count, symbol count | buckets | chains
void* find_by_older_hash(SymbolTables const& tables, RealSymbol const& wanted) {
    uint32_t const bucket_count = tables.older_hash[0];
    uint32_t const* const buckets = tables.older_hash + 2;
    uint32_t const* const chains = buckets + bucket_count;
    if (bucket_count == 0)
        return nullptr;
    for (uint32_t i = buckets[older_hash(wanted.name) % bucket_count]; i != STN_UNDEF; i = chains[i])
        if (is_definition_of(tables, i, wanted.name))
            return address_of(tables, i);
    return nullptr;
}

void* find(SymbolTables const& tables, RealSymbol const& wanted) {
    if (!tables.symbols || !tables.names)
        return nullptr;
    if (tables.gnu_hash)
        return find_by_gnu_hash(tables, wanted);
    return tables.older_hash ? find_by_older_hash(tables, wanted) : nullptr;
}

struct Search {
    RealSymbol* begin;
    RealSymbol* end;
    bool is_after_us;
};

int search_module(dl_phdr_info* module, size_t, void* search_at) {
    auto& search = *static_cast<Search*>(search_at);
    if (!search.is_after_us) {
        search.is_after_us = lies_in(*module, reinterpret_cast<void const*>(&search_module));
        return 0;
    }
    SymbolTables const tables = tables_of(*module);
    for (RealSymbol* symbol = search.begin; symbol != search.end; ++symbol)
        if (!symbol->address)
            symbol->address = find(tables, *symbol);
    return 0;
}

// Called linux-vdso.so.1: no file has this name.
int search_vdso(dl_phdr_info* module, size_t, void* wanted_at) {
    if (!module->dlpi_name || strncmp(module->dlpi_name, "linux-vdso.", strlen("linux-vdso.")) != 0)
        return 0;
    auto& wanted = *static_cast<RealSymbol*>(wanted_at);
    wanted.address = find(tables_of(*module), wanted);
    return 1;
}

int read_unloads(dl_phdr_info* module, size_t, void* unloads) {
    *static_cast<uint32_t*>(unloads) = static_cast<uint32_t>(module->dlpi_subs);
    return 1;
}

}  // namespace

void find_in_next_modules(RealSymbol* begin, RealSymbol* end) {
    Search search = {begin, end, false};
    dl_iterate_phdr(search_module, &search);
}

void* find_in_vdso(char const* name) {
    RealSymbol wanted = {nullptr, name, gnu_hash(name), 0, nullptr};
    dl_iterate_phdr(search_vdso, &wanted);
    return wanted.address;
}

uint32_t count_unloads() {
    uint32_t unloads = 0;
    dl_iterate_phdr(read_unloads, &unloads);
    return unloads;
}

}  // namespace parcast::recorder
