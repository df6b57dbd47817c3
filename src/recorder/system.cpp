#include "recorder/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "recorder/faults.h"
#include "recorder/loaded_functions.h"

namespace parcast::recorder {
namespace {

void* memory_at(long result) {
    return result < 0 ? nullptr : reinterpret_cast<void*>(result);
}

using ReadClock = long(clockid_t, timespec*);
constinit ReadClock* clock_in_vdso = nullptr;

long ask_for_clock(clockid_t clock, timespec* time) {
    bool const is_cpu_clock = clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME;  // the kernel's alone
    return is_cpu_clock || !clock_in_vdso ? system_call(SYS_clock_gettime, clock, as_word(time))
                                          : clock_in_vdso(clock, time);
}

}  // namespace

long system_call(long number, long a, long b, long c, long d, long e, long f) {
    long result = number;
    register long fourth asm("r10") = d;
    register long fifth asm("r8") = e;
    register long sixth asm("r9") = f;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                 : "rcx", "r11", "memory");
    return result;
}

void* map_memory(size_t bytes) {
    if (request_fails(Request::memory))
        return nullptr;
    return memory_at(system_call(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

void* map_file(int descriptor, off_t offset, size_t bytes, int protection) {
    if (request_fails(Request::memory))
        return nullptr;
    return memory_at(system_call(SYS_mmap, 0, static_cast<long>(bytes), protection, MAP_SHARED, descriptor,
                                 static_cast<long>(offset)));
}

void unmap(void* memory, size_t bytes) {
    system_call(SYS_munmap, as_word(memory), static_cast<long>(bytes));
}

void make_present(void* memory, size_t bytes) {
    if (!request_fails(Request::memory))
        system_call(SYS_madvise, as_word(memory), static_cast<long>(bytes), MADV_POPULATE_WRITE);
}

int open_file(char const* path, int flags) {
    if (request_fails(Request::file))
        return -EACCES;
    return static_cast<int>(system_call(SYS_openat, AT_FDCWD, as_word(path), flags | O_CLOEXEC, 0600));
}

void close_file(int descriptor) {
    system_call(SYS_close, descriptor);
}

void remove_file(char const* path) {
    system_call(SYS_unlinkat, AT_FDCWD, as_word(path), 0);
}

bool reserve_space(int descriptor, off_t offset, size_t bytes) {
    if (request_fails(Request::file))
        return false;
    long result;
    do
        result =
            system_call(SYS_fallocate, descriptor, 0, static_cast<long>(offset), static_cast<long>(bytes));
    while (result == -EINTR);
    if (result != -EOPNOTSUPP && result != -ENOSYS)
        return result == 0;
    // Writes to every block, where the file system cannot do it at once.
    int const host_errno = errno;
    bool const done = posix_fallocate(descriptor, offset, static_cast<off_t>(bytes)) == 0;
    errno = host_errno;
    return done;
}

bool may_grow_to(off_t bytes) {
    struct rlimit limit = {};
    bool const is_known =
        !request_fails(Request::file) && system_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, as_word(&limit)) == 0;
    return !is_known || limit.rlim_cur == RLIM_INFINITY || static_cast<rlim_t>(bytes) <= limit.rlim_cur;
}

size_t read_link(char const* path, char* text, size_t capacity) {
    if (request_fails(Request::file))
        return 0;
    long const length =
        system_call(SYS_readlinkat, AT_FDCWD, as_word(path), as_word(text), static_cast<long>(capacity));
    return length < 0 ? 0 : static_cast<size_t>(length);
}

size_t read_working_directory(char* text, size_t capacity) {
    if (request_fails(Request::file))
        return 0;
    // The kernel counts the zero byte; a path that is "(unreachable)" from the root folder is none.
    long const length = system_call(SYS_getcwd, as_word(text), static_cast<long>(capacity));
    return length <= 1 || text[0] != '/' ? 0 : static_cast<size_t>(length - 1);
}

pid_t own_process() {
    return static_cast<pid_t>(system_call(SYS_getpid));
}

pid_t parent_process() {
    return static_cast<pid_t>(system_call(SYS_getppid));
}

bool on_signal_stack() {
    stack_t stack = {};
    return system_call(SYS_sigaltstack, 0, as_word(&stack)) == 0 && (stack.ss_flags & SS_ONSTACK);
}

void find_clock_in_vdso() {
    clock_in_vdso = reinterpret_cast<ReadClock*>(find_in_vdso("__vdso_clock_gettime"));
}

// "RAN DELAYED SLICES\n", all 0 where the kernel does not count.
int64_t read_run_delay_ns() {
    int const descriptor = open_file("/proc/thread-self/schedstat", O_RDONLY);
    if (descriptor < 0)
        return descriptor;
    char text[64];
    long const length = system_call(SYS_read, descriptor, as_word(text), sizeof text);
    close_file(descriptor);
    int64_t numbers[2] = {0, 0};
    long at = 0;
    for (int64_t& number : numbers) {
        for (; at < length && text[at] >= '0' && text[at] <= '9'; ++at)
            number = number * 10 + (text[at] - '0');
        ++at;
    }
    return length > 0 && numbers[0] > 0 ? numbers[1] : -ENODATA;
}

uint64_t read_clock_ns(clockid_t clock) {
    timespec time = {};
    if (request_fails(Request::clock) || ask_for_clock(clock, &time) != 0)
        return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace parcast::recorder
