// Makes the calls of one family, and nothing else that is recorded: calls MODE.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static void expect(int condition) {
    if (!condition)
        abort();
}

static void descriptors(void) {
    int ends[2];
    char bytes[8];
    expect(pipe(ends) == 0);
    expect(write(ends[1], "hello", 5) == 5);
    expect(read(ends[0], bytes, sizeof bytes) == 5);
    expect(read(-1, bytes, sizeof bytes) == -1);
    expect(close(ends[1]) == 0);
}

static void sockets(void) {
    int ends[2];
    char byte;
    expect(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    expect(send(ends[0], "x", 1, 0) == 1);
    struct pollfd ready = {.fd = ends[1], .events = POLLIN};
    expect(poll(&ready, 1, 1000) == 1);
    expect(recv(ends[1], &byte, 1, 0) == 1);
    expect(poll(&ready, 1, 1) == 0);
}

// Ten short lines lie in one buffer: one of the calls reads it, the last one finds the end.
static void standard_io(char const* path) {
    FILE* file = fopen(path, "w");
    for (int i = 0; i < 10; ++i)
        fputs("line\n", file);
    fclose(file);
    file = fopen(path, "r");
    char line[16];
    while (fgets(line, sizeof line, file)) {
    }
    fclose(file);
}

static void sleeping(void) {
    struct timespec const moment = {0, 2000000};
    nanosleep(&moment, NULL);
    usleep(1000);
    sched_yield();
}

static void* yield_often(void* unused) {
    for (int i = 0; i < 5000; ++i)
        sched_yield();
    return unused;
}

// Two threads that only yield, so that each yield is a switch.
static void yielding(void) {
    pthread_t other;
    expect(pthread_create(&other, NULL, yield_often, NULL) == 0);
    yield_often(NULL);
    expect(pthread_join(other, NULL) == 0);
}

static void scheduling(void) {
    cpu_set_t before, other, empty;
    CPU_ZERO(&other);
    CPU_ZERO(&empty);
    CPU_SET(0, &other);
    expect(sched_getaffinity(0, sizeof before, &before) == 0);
    expect(sched_setaffinity(0, sizeof other, &other) == 0);
    expect(pthread_setaffinity_np(pthread_self(), sizeof empty, &empty) != 0);
    struct sched_param const real_time = {.sched_priority = 10};
    int const refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &real_time);
    expect(sched_getscheduler(0) == (refused ? SCHED_OTHER : SCHED_FIFO));
    expect(setpriority(PRIO_PROCESS, 0, 3) == 0);
    prctl(PR_SET_NAME, "renamed", 0, 0, 0);
    expect(pthread_setconcurrency(4) == 0 && pthread_getconcurrency() == 4);
    expect(pthread_setconcurrency(-1) == EINVAL);
    expect(CPU_COUNT(&before) == 1);
}

static int handled[2];

static void write_a_byte(int signal) {
    (void)signal;
    (void)!write(handled[1], "x", 1);
}

static void signal_after(int milliseconds) {
    struct itimerval const once = {.it_value = {0, milliseconds * 1000}};
    expect(setitimer(ITIMER_REAL, &once, NULL) == 0);
}

static void waiting_for_signals(void) {
    sigset_t none, alarms;
    sigemptyset(&none);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    expect(pipe(handled) == 0);
    signal(SIGALRM, write_a_byte);
    signal_after(2);
    expect(pause() == -1 && errno == EINTR);
    sigprocmask(SIG_BLOCK, &alarms, NULL);
    signal_after(2);
    expect(sigsuspend(&none) == -1 && errno == EINTR);
    int taken = 0;
    signal_after(2);
    expect(sigwait(&alarms, &taken) == 0 && taken == SIGALRM);
    struct timespec const moment = {0, 1000000};
    expect(sigtimedwait(&alarms, NULL, &moment) == -1 && errno == EAGAIN);
    signal_after(2);
    expect(sigwaitinfo(&alarms, NULL) == SIGALRM);
}

static void* sleep_for_20_ms(void* unused) {
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    usleep(20000);
    return unused;
}

static void interrupted_wait(void) {
    pthread_t other;
    expect(pipe(handled) == 0);
    signal(SIGALRM, write_a_byte);
    expect(pthread_create(&other, NULL, sleep_for_20_ms, NULL) == 0);
    signal_after(5);
    expect(pthread_join(other, NULL) == 0);
}

static void file_locks(char const* path) {
    int const file = open(path, O_RDWR | O_CREAT, 0600);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    expect(flock(file, LOCK_EX) == 0 && flock(file, LOCK_UN) == 0);
    expect(lockf(file, F_LOCK, 0) == 0 && lockf(file, F_ULOCK, 0) == 0);
    expect(fcntl(file, F_SETLKW, &whole) == 0 && fcntl(file, F_SETLK, &whole) == 0);
    expect((fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR);
    pid_t const child = fork();
    if (child == 0) {
        expect(fcntl(file, F_SETLK, &whole) == -1);
        _exit(fcntl(file, F_SETLKW, &whole));
    }
    usleep(20000);
    close(file);
    int status;
    expect(waitpid(child, &status, 0) == child && status == 0);
}

static void make_processes(char* self) {
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    int status;
    expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
    char* arguments[] = {self, "return", NULL};
    expect(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0);
    expect(wait(&status) == child && WEXITSTATUS(status) == 4);
}

// How many processors the program sees, in six ways that must agree.
static void count_processors(void) {
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    int listed = 0;
    char line[512];
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (fgets(line, sizeof line, file))
        listed += strncmp(line, "processor", 9) == 0;
    fclose(file);
    int last = -1;
    int const descriptor = open("/sys/devices/system/cpu/online", O_RDONLY);
    expect(read(descriptor, line, sizeof line) > 0);
    expect(sscanf(line, "0-%d", &last) == 1);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    expect(pthread_attr_setaffinity_np(&attributes, sizeof mask, &mask) == 0);
    int const count = CPU_COUNT(&mask);
    expect(sysconf(_SC_NPROCESSORS_ONLN) == count && sysconf(_SC_NPROCESSORS_CONF) == count);
    expect(get_nprocs() == count && listed == count && last + 1 == count);
    expect(sched_getcpu() < count);
    exit(count);
}

int main(int count, char** arguments) {
    char const* const mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "descriptors") == 0)
        descriptors();
    else if (strcmp(mode, "sockets") == 0)
        sockets();
    else if (strcmp(mode, "standard_io") == 0)
        standard_io(arguments[2]);
    else if (strcmp(mode, "sleeping") == 0)
        sleeping();
    else if (strcmp(mode, "yielding") == 0)
        yielding();
    else if (strcmp(mode, "scheduling") == 0)
        scheduling();
    else if (strcmp(mode, "waiting_for_signals") == 0)
        waiting_for_signals();
    else if (strcmp(mode, "interrupted_wait") == 0)
        interrupted_wait();
    else if (strcmp(mode, "file_locks") == 0)
        file_locks(arguments[2]);
    else if (strcmp(mode, "processes") == 0)
        make_processes(arguments[0]);
    else if (strcmp(mode, "processors") == 0)
        count_processors();
    else if (strcmp(mode, "exec") == 0)
        execl(arguments[0], arguments[0], "return", (char*)NULL);
    else if (strcmp(mode, "failed_exec") == 0)
        execlp("/no/such/program", "program", (char*)NULL);
    else if (strcmp(mode, "exit") == 0)
        exit(5);
    else if (strcmp(mode, "_exit") == 0)
        _exit(6);
    else if (strcmp(mode, "quick_exit") == 0)
        quick_exit(7);
    else if (strcmp(mode, "abort") == 0)
        abort();
    return strcmp(mode, "return") == 0 ? 4 : 0;
}
