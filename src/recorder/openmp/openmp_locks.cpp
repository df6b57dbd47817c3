// Critical sections and locks of OpenMP. libgomp's own locks wait by futexes that nobody sees.

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<void()> real_critical_start{"GOMP_critical_start"};
PARCAST_REAL Real<void()> real_critical_end{"GOMP_critical_end"};
PARCAST_REAL Real<void(void**)> real_named_start{"GOMP_critical_name_start"};
PARCAST_REAL Real<void(void**)> real_named_end{"GOMP_critical_name_end"};
PARCAST_REAL Real<void()> real_atomic_start{"GOMP_atomic_start"};
PARCAST_REAL Real<void()> real_atomic_end{"GOMP_atomic_end"};
PARCAST_REAL Real<void(void*)> real_set_lock{"omp_set_lock"};
PARCAST_REAL Real<int(void*)> real_test_lock{"omp_test_lock"};
PARCAST_REAL Real<void(void*)> real_unset_lock{"omp_unset_lock"};
PARCAST_REAL Real<void(void*)> real_set_nest_lock{"omp_set_nest_lock"};
PARCAST_REAL Real<int(void*)> real_test_nest_lock{"omp_test_nest_lock"};
PARCAST_REAL Real<void(void*)> real_unset_nest_lock{"omp_unset_nest_lock"};

// The locks of unnamed critical sections and of atomics that the hardware does not have.
constinit char const unnamed_critical = 0;
constinit char const any_atomic = 0;

// Critical sections cannot be tried, so whether they waited is not known.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline void enter(void const* object, void const* site, Real<Signature>& real,
                                         Arguments... arguments) {
    real(arguments...);
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_lock>(object, site, no_flags);
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline void leave(void const* object, void const* site, Real<Signature>& real,
                                         Arguments... arguments) {
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_unlock>(object, site, no_flags);
    real(arguments...);
}

[[gnu::always_inline]] inline void set(void* lock, void const* site, Real<int(void*)>& real_test,
                                       Real<void(void*)>& real_set) {
    Stream* const stream = this_stream();
    if (!stream) {
        real_set(lock);
        return;
    }
    if (real_test(lock)) {
        stream->event<Kind::mutex_lock>(lock, site, no_flags);
        return;
    }
    stream->blocked<Kind::mutex_lock>(lock, site);
    real_set(lock);
    stream->resumed(0, no_flags);
}

[[gnu::always_inline]] inline int test(void* lock, void const* site, Real<int(void*)>& real_test) {
    int const depth = real_test(lock);
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_try_lock>(lock, site, depth ? no_flags : wire::flag_failed);
    return depth;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK void GOMP_critical_start() {
    enter(&unnamed_critical, call_site(), real_critical_start);
}
PARCAST_HOOK void GOMP_critical_end() {
    leave(&unnamed_critical, call_site(), real_critical_end);
}
PARCAST_HOOK void GOMP_critical_name_start(void** name) {
    enter(name, call_site(), real_named_start, name);
}
PARCAST_HOOK void GOMP_critical_name_end(void** name) {
    leave(name, call_site(), real_named_end, name);
}
PARCAST_HOOK void GOMP_atomic_start() {
    enter(&any_atomic, call_site(), real_atomic_start);
}
PARCAST_HOOK void GOMP_atomic_end() {
    leave(&any_atomic, call_site(), real_atomic_end);
}

PARCAST_HOOK void omp_set_lock(void* lock) {
    set(lock, call_site(), real_test_lock, real_set_lock);
}
PARCAST_HOOK int omp_test_lock(void* lock) {
    return test(lock, call_site(), real_test_lock);
}
PARCAST_HOOK void omp_unset_lock(void* lock) {
    leave(lock, call_site(), real_unset_lock, lock);
}
PARCAST_HOOK void omp_set_nest_lock(void* lock) {
    set(lock, call_site(), real_test_nest_lock, real_set_nest_lock);
}
PARCAST_HOOK int omp_test_nest_lock(void* lock) {
    return test(lock, call_site(), real_test_nest_lock);
}
PARCAST_HOOK void omp_unset_nest_lock(void* lock) {
    leave(lock, call_site(), real_unset_nest_lock, lock);
}
