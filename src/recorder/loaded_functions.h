// Finds functions of the loaded modules in their ELF symbol tables, as ld.so does (System V ABI, chapter 5,
// and the GNU hash table). Not by dlsym: one that finds nothing allocates the text of its error, and the
// malloc of the host may not be ready for it. This allocates nothing and calls nothing of the host.
//
// Among several versions of a function the default one is taken, as by dlsym.
// Cost: some 20 ns for each module and name.

#pragma once

#include <stdint.h>

namespace parcast::recorder {

// The hash that the tables use.
constexpr uint32_t gnu_hash(char const* name) {
    uint32_t hash = 5381;
    for (; *name; ++name)
        hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

struct RealSymbol;

// Fills in the addresses that are missing in [begin, end): of each name the first function in the modules
// that follow the recorder in the order of loading. As RTLD_NEXT, but modules that were loaded late and
// privately count too: a plugin brings its own libstdc++, and our hooks in the global scope catch its calls.
void find_in_next_modules(RealSymbol* begin, RealSymbol* end);

// A function that the kernel lays into each process (vdso(7)); nullptr if it has none of that name.
void* find_in_vdso(char const* name);

// Unloads of modules since the program began: an address found at another count may be that of a module
// that is gone.
uint32_t count_unloads();

}  // namespace parcast::recorder
