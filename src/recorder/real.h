// The real functions behind our hooks.
//
//     PARCAST_REAL Real<decltype(pthread_mutex_lock)> real_mutex_lock{"pthread_mutex_lock"};
//     ...
//     return real_mutex_lock(mutex);
//
// A Real converts to the function's pointer, so it is called like the function, variadic ones too. All of
// them lie in one section of the module; the constructor resolves them at once (resolve_all), so that no
// hook pays for a look-up. Functions of a plugin's libraries (libstdc++, libgomp) are resolved when they are
// called, and so is what another library's constructor calls before ours.
//
// Assumption: the default version of a symbol is the one the host uses (checked for glibc 2.36; only
// binaries from before 2003 use others).

#pragma once

#include "recorder/loaded_functions.h"

// Defines a function in the place of libc's. At an even address: an odd one in a pointer to a member function
// (std::async keeps one to std::thread::join) says that it is virtual.
#define PARCAST_HOOK extern "C" __attribute__((visibility("default"), aligned(16)))

#define PARCAST_REAL __attribute__((section("parcast_real"), used)) static constinit

namespace parcast::recorder {

// Aligned to its size: without gaps in the section.
struct alignas(32) RealSymbol {
    void* address;  // in a module that was loaded before the program began; null if none has the function
    char const* name;
    uint32_t hash;
    uint32_t unloads;  // how many modules had been unloaded when `late` was found
    void* late;        // in a module that was loaded later, and may be gone again
};

// The function's address; that of one that returns ENOSYS if no loaded library has it.
void* resolve(RealSymbol& symbol);

void resolve_all();

template <class Function>
struct Real : RealSymbol {
    constexpr explicit Real(char const* symbol) : RealSymbol{nullptr, symbol, gnu_hash(symbol), 0, nullptr} {}

    operator Function*() {
        void* const found = __builtin_expect(address != nullptr, 1) ? address : resolve(*this);
        return reinterpret_cast<Function*>(found);
    }
};

}  // namespace parcast::recorder
