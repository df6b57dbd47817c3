// The symbols of one module, sorted by address. dwfl_module_addrinfo answers the same question by a walk over
// the whole table, which for libLLVM is a millisecond for each place and object of a recording.
//
// A symbol with a size covers its range, one without (a label of assembly) goes on to the next one in its
// section. Several that cover an address rank as in libdwfl: global before local, then the one that
// begins last, then the stronger, smaller or first one. Cost: time and memory O(n log n) and O(n) once, for n
// symbols; O(log n) for each look-up unless ranges are nested deeply.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

struct Dwfl_Module;

namespace parcast::trace {

class SymbolTable {
public:
    // REQUIRES: the module outlives the table.
    explicit SymbolTable(Dwfl_Module* module);

    // Its index in the module's table.
    std::optional<int> symbol_at(std::uint64_t address) const;

private:
    struct Range {
        std::uint64_t begin;
        std::uint64_t end;
        int index;
        int strength;
    };
    struct Ranges {
        std::vector<Range> sorted;         // by begin, better ones of equal begin last
        std::vector<std::uint64_t> reach;  // the furthest end of the range here and all before it

        void add(Range const& range) { sorted.push_back(range); }
        void sort();
        std::size_t count_up_to(std::uint64_t address) const;
        std::uint64_t reach_up_to(std::uint64_t address) const;
        std::optional<int> covering(std::uint64_t address) const;
    };

    std::optional<int> label_before(std::uint64_t address) const;

    Dwfl_Module* module_;
    Ranges globals_;
    Ranges locals_;
    Ranges labels_;
};

}  // namespace parcast::trace
