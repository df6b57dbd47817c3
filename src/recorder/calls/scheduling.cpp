#include "recorder/calls/scheduling.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/calls/pretended_cpus.h"
#include "recorder/kept_scheduling.h"
#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/system.h"
#include "recorder/thread_life.h"

namespace parcast::recorder {
namespace {

using SetPriority = int(int, id_t, int);

PARCAST_REAL Real<long(long, ...)> real_syscall{"syscall"};
PARCAST_REAL Real<decltype(::sched_setaffinity)> real_sched_setaffinity{"sched_setaffinity"};
PARCAST_REAL Real<decltype(::pthread_setaffinity_np)> real_pthread_setaffinity_np{"pthread_setaffinity_np"};
PARCAST_REAL Real<decltype(::pthread_setconcurrency)> real_pthread_setconcurrency{"pthread_setconcurrency"};
PARCAST_REAL Real<decltype(::pthread_setschedparam)> real_pthread_setschedparam{"pthread_setschedparam"};
PARCAST_REAL Real<decltype(::pthread_getschedparam)> real_pthread_getschedparam{"pthread_getschedparam"};
PARCAST_REAL Real<decltype(::pthread_setschedprio)> real_pthread_setschedprio{"pthread_setschedprio"};
PARCAST_REAL Real<decltype(::sched_setscheduler)> real_sched_setscheduler{"sched_setscheduler"};
PARCAST_REAL Real<decltype(::sched_getscheduler)> real_sched_getscheduler{"sched_getscheduler"};
PARCAST_REAL Real<decltype(::sched_setparam)> real_sched_setparam{"sched_setparam"};
PARCAST_REAL Real<decltype(::sched_getparam)> real_sched_getparam{"sched_getparam"};
PARCAST_REAL Real<SetPriority> real_setpriority{"setpriority"};
PARCAST_REAL Real<decltype(::nice)> real_nice{"nice"};

// wire::Kind::set_priority
constexpr uint64_t fifo_base = 1000;
constexpr uint64_t turns_base = 2000;

bool is_real_time(int policy) {
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

// As the kernel sees it: 0 or EINVAL. An empty mask names no processor.
int check_mask(size_t size, cpu_set_t const* mask) {
    return CPU_COUNT_S(size, mask) == 0 ? EINVAL : 0;
}

uint64_t first_word(size_t size, cpu_set_t const* mask) {
    uint64_t word = 0;
    memcpy(&word, mask, size < sizeof word ? size : sizeof word);
    return word;
}

bool is_permitted(int priority) {
    if (system_call(SYS_geteuid) == 0)
        return true;
    struct rlimit limit = {};
    return system_call(SYS_prlimit64, 0, RLIMIT_RTPRIO, 0, as_word(&limit)) == 0 &&
           limit.rlim_cur >= static_cast<rlim_t>(priority);
}

bool has_capability(unsigned number) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
    return system_call(SYS_capget, as_word(&header), as_word(data)) == 0 &&
           (data[number / 32].effective >> number % 32 & 1) != 0;
}

// 0, EINVAL or EPERM, as the kernel would answer (sched(7)); capabilities are taken to be root's.
int check_real_time(int priority) {
    if (priority < 1 || priority > 99)
        return EINVAL;
    return is_permitted(priority) ? 0 : EPERM;
}

// The way of sched_* to report what pthread_* return.
int as_errno(int error) {
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

// --- processors

unsigned take_number(char const*& at) {
    unsigned number = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
        number = 10 * number + static_cast<unsigned>(*at - '0');
    return number;
}

// "0-3,8"
void add_listed(char const* at, uint64_t (&mask)[kept_mask_words]) {
    while (*at >= '0' && *at <= '9') {
        unsigned const first = take_number(at);
        unsigned last = first;
        if (*at == '-')
            last = take_number(++at);
        for (unsigned cpu = first; cpu <= last && cpu < 64 * kept_mask_words; ++cpu)
            mask[cpu / 64] |= uint64_t{1} << cpu % 64;
        if (*at == ',')
            ++at;
    }
}

// Those that the host shows: a program that asks for all that a mask has room for hears what there are.
void find_processors(uint64_t (&mask)[kept_mask_words]) {
    memset(mask, 0, sizeof mask);
    for (unsigned cpu = 0; cpu < pretended_cpus() && cpu < 64 * kept_mask_words; ++cpu)
        mask[cpu / 64] |= uint64_t{1} << cpu % 64;
    if (pretended_cpus())
        return;
    char text[256] = {};
    int const file = open_file("/sys/devices/system/cpu/online", O_RDONLY);
    if (file < 0)
        return;
    system_call(SYS_read, file, as_word(text), sizeof text - 1);
    close_file(file);
    add_listed(text, mask);
}

// The processors of the mask that there are. If there is none of them, the mask itself: a program may bind
// its threads to more processors than this host has, and be recorded for a host that has them.
}  // namespace

void keep_mask(KeptScheduling& kept, size_t size, cpu_set_t const* mask) {
    uint64_t usable[kept_mask_words];
    find_processors(usable);
    memset(kept.mask, 0, sizeof kept.mask);
    memcpy(kept.mask, mask, size < sizeof kept.mask ? size : sizeof kept.mask);
    uint64_t any = 0;
    for (unsigned word = 0; word < kept_mask_words; ++word)
        any |= usable[word] &= kept.mask[word];
    if (any)
        memcpy(kept.mask, usable, sizeof usable);
    kept.has_mask = true;
}

namespace {

int set_mask(Stream* stream, Scheduled thread, size_t size, cpu_set_t const* mask, void const* site) {
    int const error = check_mask(size, mask);
    stream->event<Kind::set_affinity>(no_object, site, flags_of_error(error), thread.recorded_as,
                                      first_word(size, mask));
    if (error == 0)
        keep_mask(kept_for(thread.kernel_id), size, mask);
    return error;
}

// --- classes. Real-time ones are kept; in the others, which are executed, only the nice value counts.

KeptPolicy kept_policy(Scheduled thread) {
    KeptScheduling const* const kept = find_kept(thread.kernel_id);
    return kept ? kept->policy : KeptPolicy{};
}

int policy_of(Scheduled thread) {
    KeptPolicy const kept = kept_policy(thread);
    if (kept.is_kept)
        return kept.policy;
    return static_cast<int>(system_call(SYS_sched_getscheduler, thread.kernel_id)) & ~SCHED_RESET_ON_FORK;
}

int set_real_time(Stream* stream, Scheduled thread, int policy, int priority, void const* site) {
    int const plain = policy & ~SCHED_RESET_ON_FORK;
    int const error = check_real_time(priority);
    stream->event<Kind::set_priority>(
        no_object, site, flags_of_error(error), thread.recorded_as,
        (plain == SCHED_RR ? turns_base : fifo_base) + static_cast<uint64_t>(priority));
    if (error == 0)
        kept_for(thread.kernel_id).policy = {true, plain != policy, plain, priority, {}};
    return error;
}

// The system put the thread into another class.
int left_real_time(Scheduled thread, int result) {
    if (result == 0 && kept_policy(thread).is_kept)
        kept_for(thread.kernel_id).policy = {};
    return result;
}

int give_policy(Scheduled thread, int policy) {
    KeptPolicy const kept = kept_policy(thread);
    return kept.is_kept && policy >= 0 ? kept.policy | (kept.ends_at_fork ? SCHED_RESET_ON_FORK : 0) : policy;
}

void give_priority(Scheduled thread, sched_param* parameters) {
    KeptPolicy const kept = kept_policy(thread);
    if (kept.is_kept)
        parameters->sched_priority = kept.priority;
}

int set_scheduler(Stream* stream, pid_t number, int policy, sched_param const* parameters, void const* site) {
    Scheduled const thread = thread_of_number(number);
    if (!parameters || !is_real_time(policy & ~SCHED_RESET_ON_FORK))
        return left_real_time(thread, real_sched_setscheduler(number, policy, parameters));
    return as_errno(set_real_time(stream, thread, policy, parameters->sched_priority, site));
}

int set_parameters(Stream* stream, pid_t number, sched_param const* parameters, void const* site) {
    Scheduled const thread = thread_of_number(number);
    int const policy = policy_of(thread);
    if (!parameters || !is_real_time(policy))
        return real_sched_setparam(number, parameters);
    return as_errno(set_real_time(stream, thread, policy, parameters->sched_priority, site));
}

// --- struct sched_attr of the kernel (sched_setattr(2)), which libc has had since glibc 2.41

}  // namespace

struct Attributes {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t budget_ns[3];  // runtime, deadline, period
};

namespace {

constexpr uint64_t flag_reset_on_fork = 1;
constexpr uint64_t flags_keep = 0x18;  // the policy, the parameters
constexpr int deadline_class = 6;      // SCHED_DEADLINE

// The kernel checks arguments and rights first; then it refuses a thread that may not run on every CPU, as no
// thread of a recorded program may. The thread stays in its class.
bool is_refused_for_its_cpu(Attributes const& attributes, int result) {
    return result == -1 && errno == EPERM && attributes.policy == deadline_class &&
           has_capability(CAP_SYS_NICE);
}

KeptPolicy deadline_policy(Attributes const& attributes) {
    KeptPolicy kept = {true, (attributes.flags & flag_reset_on_fork) != 0, deadline_class, 0, {}};
    memcpy(kept.budget_ns, attributes.budget_ns, sizeof kept.budget_ns);
    if (kept.budget_ns[2] == 0)
        kept.budget_ns[2] = kept.budget_ns[1];  // the period is the deadline
    return kept;
}

int set_attributes(Stream* stream, pid_t number, Attributes const* attributes, unsigned flags,
                   void const* site) {
    Scheduled const thread = thread_of_number(number);
    auto const execute = [&] {
        return static_cast<int>(real_syscall(SYS_sched_setattr, number, attributes, flags));
    };
    if (!stream || !attributes || (attributes->flags & flags_keep))
        return execute();
    if (!is_real_time(static_cast<int>(attributes->policy))) {
        int const host_errno = errno;
        int const result = execute();
        if (!is_refused_for_its_cpu(*attributes, result))
            return left_real_time(thread, result);
        errno = host_errno;
        kept_for(thread.kernel_id).policy = deadline_policy(*attributes);
        return 0;
    }
    int const resets = attributes->flags & flag_reset_on_fork ? SCHED_RESET_ON_FORK : 0;
    return as_errno(set_real_time(stream, thread, static_cast<int>(attributes->policy) | resets,
                                  static_cast<int>(attributes->priority), site));
}

int read_attributes(pid_t number, Attributes* attributes, unsigned size, unsigned flags) {
    auto const result = static_cast<int>(real_syscall(SYS_sched_getattr, number, attributes, size, flags));
    KeptPolicy const kept = kept_policy(thread_of_number(number));
    if (result != 0 || !kept.is_kept)
        return result;
    attributes->policy = static_cast<uint32_t>(kept.policy);
    attributes->flags =
        (attributes->flags & ~flag_reset_on_fork) | (kept.ends_at_fork ? flag_reset_on_fork : 0);
    attributes->nice = 0;
    attributes->priority = static_cast<uint32_t>(kept.priority);
    memcpy(attributes->budget_ns, kept.budget_ns, sizeof kept.budget_ns);
    return 0;
}

}  // namespace

Scheduled thread_of_number(pid_t number) {
    return {static_cast<uint64_t>(number), static_cast<uint32_t>(number)};
}

Scheduled thread_of_handle(pthread_t handle) {
    return {static_cast<uint64_t>(handle), handle == pthread_self() ? 0 : kernel_id_of(handle)};
}

void give_kept_mask(Scheduled thread, size_t size, cpu_set_t* mask) {
    KeptScheduling const* const kept = find_kept(thread.kernel_id);
    if (!kept || !kept->has_mask)
        return;
    memset(mask, 0, size);
    memcpy(mask, kept->mask, size < sizeof kept->mask ? size : sizeof kept->mask);
}

bool is_scheduling_call(long number) {
    switch (number) {
        case SYS_sched_setaffinity:
        case SYS_sched_getaffinity:
        case SYS_sched_setscheduler:
        case SYS_sched_getscheduler:
        case SYS_sched_setparam:
        case SYS_sched_getparam:
        case SYS_sched_setattr:
        case SYS_sched_getattr: return true;
        default: return false;
    }
}

long call_for_scheduling(Stream* stream, long number, long const (&a)[6], void const* site) {
    auto const id = static_cast<pid_t>(a[0]);
    Scheduled const thread = thread_of_number(id);
    auto const forward = [&] { return real_syscall(number, a[0], a[1], a[2], a[3]); };
    auto const size = static_cast<size_t>(a[1]);
    auto* const mask = reinterpret_cast<cpu_set_t*>(a[2]);
    auto* const attributes = reinterpret_cast<Attributes*>(a[1]);
    auto* const parameters = reinterpret_cast<sched_param*>(a[1]);
    long result = 0;
    switch (number) {
        case SYS_sched_setaffinity:
            return mask ? as_errno(set_mask(stream, thread, size, mask, site)) : forward();
        case SYS_sched_getaffinity:  // the bytes that the kernel wrote
            if ((result = forward()) > 0)
                give_kept_mask(thread, static_cast<size_t>(result), mask);
            return result;
        case SYS_sched_setscheduler:
            return set_scheduler(stream, id, static_cast<int>(a[1]), reinterpret_cast<sched_param*>(a[2]),
                                 site);
        case SYS_sched_getscheduler: return give_policy(thread, static_cast<int>(forward()));
        case SYS_sched_setparam: return set_parameters(stream, id, parameters, site);
        case SYS_sched_getparam:
            if ((result = forward()) == 0)
                give_priority(thread, parameters);
            return result;
        case SYS_sched_setattr:
            return set_attributes(stream, id, attributes, static_cast<unsigned>(a[2]), site);
        case SYS_sched_getattr:
            return read_attributes(id, attributes, static_cast<unsigned>(a[2]), static_cast<unsigned>(a[3]));
        default: return forward();
    }
}

}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int sched_setaffinity(pid_t thread, size_t size, cpu_set_t const* mask) noexcept {
    Stream* const stream = this_stream();
    if (!stream || !mask)
        return real_sched_setaffinity(thread, size, mask);
    return as_errno(set_mask(stream, thread_of_number(thread), size, mask, call_site()));
}

PARCAST_HOOK int pthread_setaffinity_np(pthread_t thread, size_t size, cpu_set_t const* mask) noexcept {
    Stream* const stream = this_stream();
    if (!stream || !mask)
        return real_pthread_setaffinity_np(thread, size, mask);
    return set_mask(stream, thread_of_handle(thread), size, mask, call_site());
}

PARCAST_HOOK int sched_setscheduler(pid_t thread, int policy, sched_param const* parameters) noexcept {
    Stream* const stream = this_stream();
    return stream ? set_scheduler(stream, thread, policy, parameters, call_site())
                  : real_sched_setscheduler(thread, policy, parameters);
}

PARCAST_HOOK int sched_getscheduler(pid_t thread) noexcept {
    return give_policy(thread_of_number(thread), real_sched_getscheduler(thread));
}

PARCAST_HOOK int sched_setparam(pid_t thread, sched_param const* parameters) noexcept {
    Stream* const stream = this_stream();
    return stream ? set_parameters(stream, thread, parameters, call_site())
                  : real_sched_setparam(thread, parameters);
}

PARCAST_HOOK int sched_getparam(pid_t thread, sched_param* parameters) noexcept {
    int const result = real_sched_getparam(thread, parameters);
    if (result == 0)
        give_priority(thread_of_number(thread), parameters);
    return result;
}

// Under names of our own, since not every libc declares these two.
PARCAST_HOOK int set_attributes_of(pid_t, Attributes const*, unsigned) noexcept asm("sched_setattr");
PARCAST_HOOK int get_attributes_of(pid_t, Attributes*, unsigned, unsigned) noexcept asm("sched_getattr");

int set_attributes_of(pid_t thread, Attributes const* attributes, unsigned flags) noexcept {
    return set_attributes(this_stream(), thread, attributes, flags, call_site());
}
int get_attributes_of(pid_t thread, Attributes* attributes, unsigned size, unsigned flags) noexcept {
    return read_attributes(thread, attributes, size, flags);
}

PARCAST_HOOK int pthread_setschedparam(pthread_t handle, int policy, sched_param const* parameters) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_pthread_setschedparam(handle, policy, parameters);
    Scheduled const thread = thread_of_handle(handle);
    if (!is_real_time(policy))
        return left_real_time(thread, real_pthread_setschedparam(handle, policy, parameters));
    return set_real_time(stream, thread, policy, parameters->sched_priority, call_site());
}

PARCAST_HOOK int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) noexcept {
    int const error = real_pthread_getschedparam(handle, policy, parameters);
    if (error != 0)
        return error;
    Scheduled const thread = thread_of_handle(handle);
    *policy = give_policy(thread, *policy) & ~SCHED_RESET_ON_FORK;
    give_priority(thread, parameters);
    return 0;
}

PARCAST_HOOK int pthread_setschedprio(pthread_t handle, int priority) noexcept {
    Stream* const stream = this_stream();
    Scheduled const thread = thread_of_handle(handle);
    int const policy = stream ? policy_of(thread) : SCHED_OTHER;
    return is_real_time(policy) ? set_real_time(stream, thread, policy, priority, call_site())
                                : real_pthread_setschedprio(handle, priority);
}

// PRIO_PROCESS alone names a thread: on Linux a nice value belongs to a thread, not to a process.
PARCAST_HOOK int setpriority(__priority_which_t which, id_t who, int value) noexcept {
    int const result = real_setpriority(static_cast<int>(which), who, value);
    Stream* const stream = which == PRIO_PROCESS ? this_stream() : nullptr;
    if (stream)
        stream->event<Kind::set_priority>(no_object, call_site(),
                                          result == 0 ? no_flags : parcast::wire::flag_failed, uint64_t{who},
                                          static_cast<uint64_t>(static_cast<int64_t>(value)));
    return result;
}

// -1 is a nice value, too: only errno tells it from a failure.
PARCAST_HOOK int nice(int increment) noexcept {
    int const host_errno = errno;
    errno = 0;
    int const value = real_nice(increment);
    bool const failed = value == -1 && errno != 0;
    if (!failed)
        errno = host_errno;
    if (Stream* const stream = this_stream())
        stream->event<Kind::set_priority>(no_object, call_site(),
                                          failed ? parcast::wire::flag_failed : no_flags, 0,
                                          static_cast<uint64_t>(static_cast<int64_t>(value)));
    return value;
}

// A no-op on Linux but for its check; under other schedulers it is the number of LWPs.
PARCAST_HOOK int pthread_setconcurrency(int level) noexcept {
    int const error = real_pthread_setconcurrency(level);
    if (Stream* const stream = this_stream())
        stream->event<Kind::set_concurrency>(no_object, call_site(), flags_of_error(error),
                                             static_cast<uint64_t>(static_cast<int64_t>(level)));
    return error;
}
