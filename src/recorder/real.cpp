#include "recorder/real.h"

#include <dlfcn.h>
#include <errno.h>

// The linker delimits the section of all Real objects.
extern "C" {
extern parcast::recorder::RealSymbol __start_parcast_real[] __attribute__((visibility("hidden")));
extern parcast::recorder::RealSymbol __stop_parcast_real[] __attribute__((visibility("hidden")));
}

namespace parcast::recorder {
namespace {

int missing_function() {
    errno = ENOSYS;
    return ENOSYS;
}

// A program may load libstdc++ or libgomp late and privately, with a plugin; then it is not in the scope that
// RTLD_NEXT searches, though our hooks in the global scope catch its calls.
void* find_in_late_library(char const* name) {
    char const* const files[] = {"libstdc++.so.6", "libgomp.so.1"};
    for (char const* const file : files) {
        void* const library = dlopen(file, RTLD_NOLOAD | RTLD_LAZY);
        if (void* const found = library ? dlsym(library, name) : nullptr)
            return found;
    }
    return nullptr;
}

}  // namespace

void* resolve(RealSymbol& symbol) {
    void* found = dlsym(RTLD_NEXT, symbol.name);
    if (!found)
        found = find_in_late_library(symbol.name);
    if (!found)
        return reinterpret_cast<void*>(&missing_function);
    __atomic_store_n(&symbol.address, found, __ATOMIC_RELAXED);
    return found;
}

void resolve_all() {
    for (RealSymbol* symbol = __start_parcast_real; symbol != __stop_parcast_real; ++symbol)
        if (!symbol->address)
            symbol->address = dlsym(RTLD_NEXT, symbol->name);
}

}  // namespace parcast::recorder
