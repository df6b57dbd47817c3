// tree WHAT: creates threads in several ways. Each prints a word of its own, the CPUs on which the kernel
// runs it, and the CPUs that it sees. WHAT is "threads", or a child process: "fork", "vfork", "spawn", or
// "exec".

#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace {

std::string text_of(cpu_set_t const& cpus) {
    std::string text;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &cpus))
            text += (text.empty() ? "" : ",") + std::to_string(cpu);
    return text;
}

void report(char const* word) {
    cpu_set_t real;
    CPU_ZERO(&real);
    syscall(SYS_sched_getaffinity, 0, sizeof real, &real);
    cpu_set_t seen;
    sched_getaffinity(0, sizeof seen, &seen);
    int const nice = 20 - static_cast<int>(syscall(SYS_getpriority, PRIO_PROCESS, 0));
    printf("%s %s sees %s nice %d\n", word, text_of(real).c_str(), text_of(seen).c_str(), nice);
    fflush(stdout);
}

extern "C" void* leaf(void* word) {
    report(static_cast<char const*>(word));
    return nullptr;
}

extern "C" void* unruly(void* word) {
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
    pthread_setaffinity_np(pthread_self(), sizeof all, &all);
    setpriority(PRIO_PROCESS, 0, 3);
    report(static_cast<char const*>(word));
    return nullptr;
}

void create_and_join(void* (*routine)(void*), char const* word) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, routine, const_cast<char*>(word)) == 0)
        pthread_join(thread, nullptr);
}

void* branch(void* word) {
    report(static_cast<char const*>(word));
    create_and_join(leaf, "0.1.0");
    return nullptr;
}

int c11_leaf(void* word) {
    report(static_cast<char const*>(word));
    return 0;
}

void create_threads() {
    create_and_join(leaf, "0.0");
    create_and_join(branch, "0.1");
    std::thread([] { report("0.2"); }).join();
    thrd_t c11;
    thrd_create(&c11, c11_leaf, const_cast<char*>("0.3"));
    thrd_join(c11, nullptr);
    create_and_join(unruly, "0.4");
    std::thread named([] {
        pthread_setname_np(pthread_self(), "drain");
        report("drain");
    });
    named.join();
}

int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

}  // namespace

int main(int count, char** arguments) {
    std::string const what = count > 1 ? arguments[1] : "threads";
    report("0");
    if (what == "threads") {
        create_threads();
        return 3;
    }
    fflush(stdout);
    char threads[] = "threads";
    char* const next[] = {arguments[0], threads, nullptr};
    if (what == "exec")
        execv(arguments[0], next);
    pid_t child = 0;
    if (what == "fork" && (child = fork()) == 0) {
        report("child");
        create_threads();
        fflush(stdout);
        _exit(4);
    }
    if (what == "vfork" && (child = vfork()) == 0) {
        execv(arguments[0], next);
        _exit(1);
    }
    if (what == "spawn")
        posix_spawn(&child, arguments[0], nullptr, nullptr, next, environ);
    return status_of(child) + 10;
}
