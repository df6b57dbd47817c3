#include "recorder/real.h"

#include <errno.h>

#include "recorder/faults.h"

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

}  // namespace

void* resolve(RealSymbol& symbol) {
    uint32_t const unloads = count_unloads();
    void* const known = __atomic_load_n(&symbol.late, __ATOMIC_RELAXED);
    if (known && __atomic_load_n(&symbol.unloads, __ATOMIC_ACQUIRE) == unloads)
        return __atomic_load_n(&symbol.late, __ATOMIC_RELAXED);
    RealSymbol wanted = {nullptr, symbol.name, symbol.hash, 0, nullptr};
    find_in_next_modules(&wanted, &wanted + 1);
    __atomic_store_n(&symbol.late, wanted.address, __ATOMIC_RELAXED);
    __atomic_store_n(&symbol.unloads, unloads, __ATOMIC_RELEASE);
    return wanted.address ? wanted.address : reinterpret_cast<void*>(&missing_function);
}

void resolve_all() {
    find_in_next_modules(__start_parcast_real, __stop_parcast_real);
    for (RealSymbol* symbol = __start_parcast_real; symbol != __stop_parcast_real; ++symbol)
        if (symbol->address && request_fails(Request::function))
            symbol->address = nullptr;
}

}  // namespace parcast::recorder
