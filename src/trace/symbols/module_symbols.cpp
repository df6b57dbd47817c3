#include "trace/symbols/module_symbols.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#define HAVE_DECL_BASENAME 1  // the C library declares it; libiberty would, differently
#include <libiberty/demangle.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>

namespace parcast::trace {

namespace {

// libdw hands out memory of malloc.
struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
};
template <class T>
using Allocated = std::unique_ptr<T, FreeMemory>;

char* debug_file_folders = nullptr;  // libdw's default: beside the file, and /usr/lib/debug

Dwfl_Callbacks const callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                  dwfl_offline_section_address, &debug_file_folders};

std::string name_of_function(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    for (unsigned const name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
        if (char const* const linked = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute)))
            return demangle(linked);
    char const* const plain = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return plain == nullptr ? "" : plain;
}

std::span<Dwarf_Die> scopes_at(Dwarf_Die* unit, Dwarf_Addr address, Allocated<Dwarf_Die>& memory) {
    Dwarf_Die* scopes = nullptr;
    int const count = dwarf_getscopes(unit, address, &scopes);
    memory.reset(scopes);
    return {scopes, static_cast<std::size_t>(std::max(count, 0))};
}

std::span<Dwarf_Die> scopes_around(Dwarf_Die* die, Allocated<Dwarf_Die>& memory) {
    Dwarf_Die* scopes = nullptr;
    int const count = dwarf_getscopes_die(die, &scopes);
    memory.reset(scopes);
    return {scopes, static_cast<std::size_t>(std::max(count, 0))};
}

bool is_function(Dwarf_Die* die) {
    int const tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

// Compilers that are called from a build folder write names relative to it: alone they would lead nowhere.
std::string path_of(char const* folder, char const* file) {
    if (file == nullptr)
        return "";
    std::filesystem::path const path(file);
    return path.is_absolute() || folder == nullptr ? file : (folder / path).lexically_normal().string();
}

char const* folder_of(Dwarf_Die* unit) {
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

Place call_place(Dwarf_Die* unit, Dwarf_Die* inlined) {
    Place place;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
        dwarf_getsrcfiles(unit, &files, &file_count) == 0 && file < file_count) {
        place.file = path_of(folder_of(unit), dwarf_filesrc(files, file, nullptr, nullptr));
    }
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0)
        place.line = static_cast<std::uint32_t>(line);
    return place;
}

// The functions around an address by debug information: the chain of inlined calls, innermost first.
std::vector<Frame> frames_by_debug_information(Dwarf_Die* unit, Dwarf_Addr address, Place place) {
    std::vector<Frame> frames;
    Allocated<Dwarf_Die> inner_memory;
    auto const inner = scopes_at(unit, address, inner_memory);
    auto const function =
        std::find_if(inner.begin(), inner.end(), [](Dwarf_Die& die) { return is_function(&die); });
    if (function == inner.end())
        return frames;
    // The scopes of an inlined function are those of its source; around its entry are those of its caller.
    Allocated<Dwarf_Die> memory;
    for (Dwarf_Die& die : scopes_around(&*function, memory)) {
        if (!is_function(&die))
            continue;
        frames.push_back({name_of_function(&die), place.file, place.line});
        if (dwarf_tag(&die) == DW_TAG_subprogram)
            break;
        place = call_place(unit, &die);
    }
    return frames;
}

// Functions that are local to their file have only a bare name in the debug information; the symbol table
// says where they belong.
bool is_unqualified(std::string const& function) {
    return function.find_first_of("(:") == std::string::npos;
}

// "f(int) [clone .cold]" -> "f(int)": the compiler's copy is still that function.
std::string without_clone(std::string const& function) {
    return function.substr(0, function.find(" [clone "));
}

std::string hexadecimal(std::span<unsigned char const> bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned char const byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

Symbol symbol_from(char const* name, GElf_Sym const& entry, GElf_Addr address) {
    int const type = GELF_ST_TYPE(entry.st_info);
    return {name, address, entry.st_size, type == STT_FUNC || type == STT_GNU_IFUNC, type == STT_OBJECT};
}

}  // namespace

std::string demangle(std::string const& name) {
    if (!name.starts_with("_Z") && !name.starts_with("_R"))
        return name;  // of C; as a type, "m" would be an unsigned long
    // Both manglings of Rust; the older one is nearly one of C++, with a hash at its end.
    if (Allocated<char> const rust(rust_demangle(name.c_str(), DMGL_PARAMS)); rust)
        return rust.get();
    int status = 0;
    Allocated<char> const text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
    return text ? text.get() : name;
}

bool is_library_header(std::string const& path) {
    return path.starts_with("/usr/include/") || path.find("/include/c++/") != std::string::npos ||
           path.find("/lib/gcc/") != std::string::npos ||  // intrinsics
           path.starts_with("/rustc/");                    // as the standard library was built
}

void ModuleSymbols::End::operator()(Dwfl* session) const {
    dwfl_end(session);
}

ModuleSymbols::ModuleSymbols(std::vector<Module> const& modules)
    : session_(dwfl_begin(&callbacks)), modules_(modules.size(), nullptr) {
    if (!session_)
        return;
    dwfl_report_begin(session_.get());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        modules_[i] = dwfl_report_elf(session_.get(), modules[i].path.c_str(), modules[i].path.c_str(), -1,
                                      modules[i].load_bias, true);
    }
    dwfl_report_end(session_.get(), nullptr, nullptr);
}

std::optional<std::size_t> ModuleSymbols::module_at(std::uint64_t address) const {
    Dwfl_Module* const found = session_ ? dwfl_addrmodule(session_.get(), address) : nullptr;
    auto const position = std::find(modules_.begin(), modules_.end(), found);
    if (found == nullptr || position == modules_.end())
        return std::nullopt;
    return static_cast<std::size_t>(position - modules_.begin());
}

std::string ModuleSymbols::build_id(std::size_t module) const {
    GElf_Addr bias = 0;
    if (modules_[module] == nullptr || dwfl_module_getelf(modules_[module], &bias) == nullptr)
        return "";
    unsigned char const* bits = nullptr;
    GElf_Addr address = 0;
    int const length = dwfl_module_build_id(modules_[module], &bits, &address);
    return length <= 0 ? "" : hexadecimal({bits, static_cast<std::size_t>(length)});
}

std::vector<Frame> ModuleSymbols::frames_at(std::uint64_t address) const {
    auto const index = module_at(address);
    if (!index)
        return {};
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = dwfl_module_addrdie(modules_[*index], address, &bias);
    Place const place = place_of(address).value_or(Place{});
    auto frames =
        unit == nullptr ? std::vector<Frame>{} : frames_by_debug_information(unit, address - bias, place);
    auto const symbol = symbol_at(address);
    if (frames.empty() && symbol)
        frames.push_back({demangle(symbol->name), place.file, place.line});
    else if (symbol && symbol->is_function && is_unqualified(frames.back().function))
        frames.back().function = without_clone(demangle(symbol->name));
    return frames;
}

std::optional<Symbol> ModuleSymbols::symbol_at(std::uint64_t address) const {
    auto const index = module_at(address);
    if (!index)
        return std::nullopt;
    auto const at = table_of(*index).symbol_at(address);
    if (!at)
        return std::nullopt;
    GElf_Sym entry;
    GElf_Addr begin = 0;
    char const* const name =
        dwfl_module_getsym_info(modules_[*index], *at, &entry, &begin, nullptr, nullptr, nullptr);
    return symbol_from(name, entry, begin);
}

SymbolTable const& ModuleSymbols::table_of(std::size_t module) const {
    auto const known = tables_.find(module);
    return known != tables_.end() ? known->second
                                  : tables_.try_emplace(module, modules_[module]).first->second;
}

std::optional<Symbol> ModuleSymbols::find_symbol(std::uint64_t address,
                                                 std::function<bool(Symbol const&)> const& accepts) const {
    auto const index = module_at(address);
    int const count = index ? dwfl_module_getsymtab(modules_[*index]) : 0;
    for (int i = 1; i < count; ++i) {
        GElf_Sym entry;
        GElf_Addr symbol_address = 0;
        char const* const name =
            dwfl_module_getsym_info(modules_[*index], i, &entry, &symbol_address, nullptr, nullptr, nullptr);
        if (name == nullptr || entry.st_shndx == SHN_UNDEF)
            continue;
        Symbol symbol = symbol_from(name, entry, symbol_address);
        if (accepts(symbol))
            return symbol;
    }
    return std::nullopt;
}

std::optional<Place> ModuleSymbols::place_of(std::uint64_t address) const {
    auto const index = module_at(address);
    Dwfl_Line* const line = index ? dwfl_module_getsrc(modules_[*index], address) : nullptr;
    int number = 0;
    char const* const file =
        line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
    if (file == nullptr)
        return std::nullopt;
    return Place{path_of(dwfl_line_comp_dir(line), file), static_cast<std::uint32_t>(std::max(number, 0))};
}

std::vector<unsigned char> ModuleSymbols::code_around(std::uint64_t address, std::uint64_t reach) const {
    auto const index = module_at(address);
    if (!index)
        return {};
    Dwarf_Addr offset = address;  // in the section
    Dwarf_Addr bias = 0;
    Elf_Scn* const section = dwfl_module_address_section(modules_[*index], &offset, &bias);
    Elf_Data const* const data = section == nullptr ? nullptr : elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr || offset >= data->d_size)
        return {};
    auto const* const bytes = static_cast<unsigned char const*>(data->d_buf);
    return {bytes + (offset < reach ? 0 : offset - reach), bytes + std::min(offset + reach, data->d_size)};
}

}  // namespace parcast::trace
