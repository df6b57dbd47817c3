// The real functions behind our hooks.
//
//     PARCAST_REAL Real<decltype(pthread_mutex_lock)> real_mutex_lock{"pthread_mutex_lock"};
//     ...
//     return real_mutex_lock(mutex);
//
// A Real converts to the function's pointer, so it is called like the function, variadic ones too. All of
// them lie in one section of the module; the constructor resolves them at once (resolve_all), so that no
// hook pays for a look-up or for the allocation of a failing one. A hook that another library's
// constructor calls before ours resolves its own on first use.
//
// Assumption: the default version of a symbol is the one the host uses (checked for glibc 2.36; only
// binaries from before 2003 use others).

#pragma once

// Defines a function in the place of libc's.
#define PARCAST_HOOK extern "C" __attribute__((visibility("default")))

#define PARCAST_REAL __attribute__((section("parcast_real"), used)) static constinit

namespace parcast::recorder {

struct alignas(16) RealSymbol {
    void* address;
    char const* name;
};

// The function's address; that of one that returns ENOSYS if no loaded library has it.
void* resolve(RealSymbol& symbol);

void resolve_all();

template <class Function>
struct Real : RealSymbol {
    constexpr explicit Real(char const* symbol) : RealSymbol{nullptr, symbol} {}

    operator Function*() {
        void* const found = __builtin_expect(address != nullptr, 1) ? address : resolve(*this);
        return reinterpret_cast<Function*>(found);
    }
};

}  // namespace parcast::recorder
