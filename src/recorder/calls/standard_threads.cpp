// std::thread and std::condition_variable, as far as they live in libstdc++: their members call the
// pthread functions from inside the library, so the hooks there would see a call site that tells the
// user nothing. Ours lend them the caller's. The names are mangled; a reference is passed as its address.

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

// A unique_ptr<std::thread::_State>, which is passed by reference since it is not trivially copied.
struct StateOwner {
    void const* state;
};

using StartThread = void(void* thread, StateOwner* owner, void (*depend)());
using Join = void(void* thread);
using Wait = void(void* condition, void* lock);

PARCAST_REAL Real<StartThread> real_start_thread{
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
PARCAST_REAL Real<Join> real_join{"_ZNSt6thread4joinEv"};
PARCAST_REAL Real<Wait> real_wait{"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"};

// What was lent and not taken (the call threw) is taken back by the next hook; a wrong site at worst.
void lend(void const* site) {
    if (Stream* const stream = this_stream())
        stream->lend_site(site);
}

}  // namespace

PARCAST_HOOK void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* thread, StateOwner* owner, void (*depend)()) {
    if (Stream* const stream = this_stream()) {
        stream->lend_site(call_site());
        stream->lend_state(owner->state);
    }
    real_start_thread(thread, owner, depend);
}

PARCAST_HOOK void _ZNSt6thread4joinEv(void* thread) {
    lend(call_site());
    real_join(thread);
}

PARCAST_HOOK void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void* condition, void* lock) {
    lend(call_site());
    real_wait(condition, lock);
}

}  // namespace parcast::recorder
