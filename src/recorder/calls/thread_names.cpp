// Names of threads. prctl() sets them, too, and takes away what the recorder needs.

#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "recorder/calls/restrictions.h"
#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::pthread_setname_np)> real_pthread_setname_np{"pthread_setname_np"};
PARCAST_REAL Real<int(int, ...)> real_prctl{"prctl"};

[[gnu::always_inline]] inline void record_name(pthread_t whose, char const* name) {
    Stream* const stream = this_stream();
    if (!stream)
        return;
    uint64_t words[2] = {};
    memcpy(words, name, strnlen(name, sizeof words - 1));
    stream->event<Kind::set_name>(no_object, call_site(), no_flags, whose, words[0], words[1]);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int pthread_setname_np(pthread_t thread, char const* name) noexcept {
    int const error = real_pthread_setname_np(thread, name);
    if (error == 0)
        record_name(thread, name);
    return error;
}

// PR_SET_NAME names the calling thread, and some of the other options restrict it. The kernel takes five
// words.
PARCAST_HOOK int prctl(int option, ...) noexcept {
    va_list rest;
    va_start(rest, option);
    unsigned long words[4];
    for (unsigned long& word : words)
        word = va_arg(rest, unsigned long);
    va_end(rest);
    expect_restriction_by_prctl(option, words[0]);
    int const result = real_prctl(option, words[0], words[1], words[2], words[3]);
    if (option == PR_SET_NAME && result == 0)
        record_name(pthread_self(), reinterpret_cast<char const*>(words[0]));
    return result;
}
