// The executable and the libraries of a recorded process, by the addresses at which they were loaded:
// symbols and source positions, from symbol tables and debug information. Separate files of it are found by
// build-id under /usr/lib/debug, by .gnu_debuglink beside the module, and, if DEBUGINFOD_URLS names servers
// and libdebuginfod is installed, from these, for the modules that are asked for alone. libdw behind values.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue.h"
#include "timeline/provenance.h"
#include "trace/symbols/symbol_table.h"

struct Dwfl;
struct Dwfl_Module;

namespace parcast::trace {

struct Symbol {
    std::string name;           // as linked
    std::uint64_t address = 0;  // where it begins in the process
    std::uint64_t size = 0;
    bool is_function = false;
    bool is_data = false;
};

struct Place {
    std::string file;
    std::uint32_t line = 0;
};

// As written in the source of C++ or Rust, or the name itself.
std::string demangle(std::string const& name);

// A header of the C++ library, the compiler or the system, not of the program.
bool is_library_header(std::string const& path);

class ModuleSymbols {
public:
    explicit ModuleSymbols(std::vector<Module> const& modules);

    // Index into `modules` of the one loaded there.
    std::optional<std::size_t> module_at(std::uint64_t address) const;
    std::string build_id(std::size_t module) const;  // hexadecimal; empty without one
    // Innermost function first, then those that it was inlined into. Empty if nothing is known.
    std::vector<Frame> frames_at(std::uint64_t address) const;
    // The symbol that covers the address.
    std::optional<Symbol> symbol_at(std::uint64_t address) const;
    // The first symbol, of the module loaded at `address`, that the test accepts. Cost: its whole table.
    std::optional<Symbol> find_symbol(std::uint64_t address,
                                      std::function<bool(Symbol const&)> const& accepts) const;
    std::optional<Place> place_of(std::uint64_t address) const;
    // The bytes of its section, up to so many before the address and from there on, as the file has them.
    std::vector<unsigned char> code_around(std::uint64_t address, std::uint64_t reach) const;

private:
    struct End {
        void operator()(Dwfl* session) const;
    };
    SymbolTable const& table_of(std::size_t module) const;

    std::unique_ptr<Dwfl, End> session_;
    std::vector<Dwfl_Module*> modules_;  // parallel to the list given; null if it could not be opened
    mutable std::map<std::size_t, SymbolTable> tables_;  // of the modules that were asked for
};

}  // namespace parcast::trace
