#include "recorder/calls/thread_attributes.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

using GetMask = int(pthread_attr_t const*, size_t, cpu_set_t*);
using GetSignals = int(pthread_attr_t const*, sigset_t*);
using SetSignals = int(pthread_attr_t*, sigset_t const*);

PARCAST_REAL Real<decltype(::pthread_attr_setaffinity_np)> real_set_mask{"pthread_attr_setaffinity_np"};
PARCAST_REAL Real<GetMask> real_get_mask{"pthread_attr_getaffinity_np"};
PARCAST_REAL Real<GetSignals> real_get_signals{"pthread_attr_getsigmask_np"};  // since glibc 2.32
PARCAST_REAL Real<SetSignals> real_set_signals{"pthread_attr_setsigmask_np"};
PARCAST_REAL Real<int(pthread_attr_t*)> real_destroy{"pthread_attr_destroy"};
PARCAST_REAL Real<int(pthread_attr_t const*)> real_set_default{"pthread_setattr_default_np"};
PARCAST_REAL Real<int(pthread_attr_t*)> real_get_default{"pthread_getattr_default_np"};
PARCAST_REAL Real<int(pthread_t, pthread_attr_t*)> real_get_attributes{"pthread_getattr_np"};

// glibc's struct pthread_attr behind its scheduling parameters, guard and stack. Since 2.32 `extension` has
// the processors and the signal mask, and the other word is unused; before, they are the processors and their
// size.
struct AttributeWords {
    char before[40];
    void* extension;
    void* size;
};
static_assert(sizeof(AttributeWords) == sizeof(pthread_attr_t));

// What pthread_setattr_default_np set. Threads that set and create at once have a race without us, too.
constinit cpu_set_t default_mask = {};
constinit bool has_default_mask = false;

// libc answers with every bit if there is no mask in the object.
bool has_every_bit(cpu_set_t const& mask) {
    auto const* const bytes = reinterpret_cast<unsigned char const*>(&mask);
    for (size_t i = 0; i < sizeof mask; ++i)
        if (bytes[i] != 0xff)
            return false;
    return true;
}

// False: none, or one of more processors than a cpu_set_t has.
bool read_mask(pthread_attr_t const* attributes, cpu_set_t& mask) {
    return real_get_mask(attributes, sizeof mask, &mask) == 0 && !has_every_bit(mask);
}

// What libc read from its creator or from the process (pthread_getattr_np) binds it to nothing new.
bool is_inherited(cpu_set_t const& mask) {
    cpu_set_t own;
    CPU_ZERO(&own);
    return sched_getaffinity(0, sizeof own, &own) == 0 && CPU_EQUAL(&own, &mask);
}

}  // namespace

CreationAttributes::CreationAttributes(pthread_attr_t const* given) : attributes_(given) {
    if (given) {
        take_mask(given);
    } else if (has_default_mask) {
        mask_ = default_mask;
        has_mask_ = !is_inherited(mask_);
    }
}

CreationAttributes::~CreationAttributes() {
    if (is_copied_)
        real_destroy(&copy_);
}

void CreationAttributes::take_mask(pthread_attr_t const* given) {
    if (!read_mask(given, mask_))
        return;
    has_mask_ = !is_inherited(mask_);
    copy_without_mask(given);
}

void CreationAttributes::copy_without_mask(pthread_attr_t const* given) {
    AttributeWords words;
    memcpy(&words, given, sizeof words);
    words.extension = nullptr;
    words.size = nullptr;
    memcpy(&copy_, &words, sizeof copy_);
    cpu_set_t left;
    if (read_mask(&copy_, left))  // a libc of another layout: the thread leaves the CPU
        return;
    sigset_t signals;
    if (real_get_signals(given, &signals) == 0 && real_set_signals(&copy_, &signals) != 0)
        return;
    is_copied_ = true;
    attributes_ = &copy_;
}

}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int pthread_setattr_default_np(pthread_attr_t const* attributes) noexcept {
    if (!this_stream())
        return real_set_default(attributes);
    cpu_set_t mask = {};
    bool const has_mask = read_mask(attributes, mask);
    CreationAttributes const without(attributes);
    int const error = real_set_default(without.attributes());
    if (error == 0) {
        has_default_mask = has_mask;
        default_mask = mask;
    }
    return error;
}

PARCAST_HOOK int pthread_getattr_default_np(pthread_attr_t* attributes) noexcept {
    int const error = real_get_default(attributes);
    return error == 0 && has_default_mask ? real_set_mask(attributes, sizeof default_mask, &default_mask)
                                          : error;
}

// With the processors that the thread sees.
PARCAST_HOOK int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
    int const error = real_get_attributes(thread, attributes);
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (error != 0 || !this_stream() || pthread_getaffinity_np(thread, sizeof mask, &mask) != 0)
        return error;
    return real_set_mask(attributes, sizeof mask, &mask);
}
