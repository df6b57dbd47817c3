#include "trace/symbols/symbol_table.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include <algorithm>
#include <tuple>

namespace parcast::trace {

namespace {

constexpr int local_strength = 0;

int strength_of(GElf_Sym const& symbol) {
    switch (GELF_ST_BIND(symbol.st_info)) {
        case STB_GLOBAL: return 3;
        case STB_WEAK: return 2;
        case STB_LOCAL: return local_strength;
        default: return 1;
    }
}

bool has_address(GElf_Sym const& symbol) {
    int const type = GELF_ST_TYPE(symbol.st_info);
    return symbol.st_shndx != SHN_UNDEF && type != STT_SECTION && type != STT_FILE && type != STT_TLS;
}

}  // namespace

void SymbolTable::Ranges::sort() {
    std::sort(sorted.begin(), sorted.end(), [](Range const& a, Range const& b) {
        return std::tuple(a.begin, a.strength, b.end, b.index) <
               std::tuple(b.begin, b.strength, a.end, a.index);
    });
    std::uint64_t furthest = 0;
    for (Range const& range : sorted)
        reach.push_back(furthest = std::max(furthest, range.end));
}

std::size_t SymbolTable::Ranges::count_up_to(std::uint64_t address) const {
    auto const after =
        std::upper_bound(sorted.begin(), sorted.end(), address,
                         [](std::uint64_t at, Range const& range) { return at < range.begin; });
    return static_cast<std::size_t>(after - sorted.begin());
}

std::uint64_t SymbolTable::Ranges::reach_up_to(std::uint64_t address) const {
    std::size_t const count = count_up_to(address);
    return count == 0 ? 0 : reach[count - 1];
}

std::optional<int> SymbolTable::Ranges::covering(std::uint64_t address) const {
    for (std::size_t i = count_up_to(address); i > 0 && reach[i - 1] > address; --i)
        if (sorted[i - 1].end > address)
            return sorted[i - 1].index;
    return std::nullopt;
}

SymbolTable::SymbolTable(Dwfl_Module* module) : module_(module) {
    int const count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; ++i) {
        GElf_Sym symbol;
        GElf_Addr begin = 0;
        char const* const name =
            dwfl_module_getsym_info(module, i, &symbol, &begin, nullptr, nullptr, nullptr);
        if (name == nullptr || *name == '\0' || !has_address(symbol))
            continue;
        int const strength = strength_of(symbol);
        Ranges& ranges = symbol.st_size == 0 ? labels_ : strength == local_strength ? locals_ : globals_;
        ranges.add({begin, begin + symbol.st_size, i, strength});
    }
    for (Ranges* const ranges : {&globals_, &locals_, &labels_})
        ranges->sort();
}

std::optional<int> SymbolTable::symbol_at(std::uint64_t address) const {
    if (auto const symbol = globals_.covering(address))
        return symbol;
    if (auto const symbol = locals_.covering(address))
        return symbol;
    return label_before(address);
}

// Not one that a symbol with a size follows, nor one of another section.
std::optional<int> SymbolTable::label_before(std::uint64_t address) const {
    std::size_t const count = labels_.count_up_to(address);
    if (count == 0)
        return std::nullopt;
    SymbolTable::Range const& label = labels_.sorted[count - 1];
    if (label.begin < std::max(globals_.reach_up_to(address), locals_.reach_up_to(address)))
        return std::nullopt;
    GElf_Sym symbol;
    GElf_Word section_index = 0;
    Elf* elf = nullptr;
    Dwarf_Addr bias = 0;
    GElf_Addr begin = 0;
    dwfl_module_getsym_info(module_, label.index, &symbol, &begin, &section_index, &elf, &bias);
    GElf_Shdr memory;
    GElf_Shdr const* const section = gelf_getshdr(elf_getscn(elf, section_index), &memory);
    bool const is_in_section = section != nullptr && address - bias - section->sh_addr < section->sh_size;
    return is_in_section ? std::optional(label.index) : std::nullopt;
}

}  // namespace parcast::trace
