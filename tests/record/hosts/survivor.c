// survivor MODE: does something that a recorder in the same process might not survive, uses locks before and
// after, prints what it sees, and ends with a status of its own. 77: this system does not allow it.

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { not_allowed = 77 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* lock_often(void* times) {
    for (long i = 0; i < (long)times; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

// More than a chunk of the recording holds.
static void work(void) {
    pthread_t thread;
    lock_often((void*)20000);
    if (pthread_create(&thread, NULL, lock_often, (void*)20000) == 0)
        pthread_join(thread, NULL);
    else
        puts("no thread");
}

static int close_everything(void) {
    work();
    puts("closing");
    fflush(stdout);
    close_range(3, ~0U, 0);
    for (int descriptor = 3; descriptor < 1024; ++descriptor)
        close(descriptor);
    work();
    int const lowest = open("/dev/null", O_RDONLY);
    for (int descriptor = 0; descriptor < 3; ++descriptor)
        close(descriptor);
    work();
    return lowest == 3 && open("/dev/null", O_RDONLY) == 0 ? 7 : 1;
}

static int change_directory(void) {
    work();
    int const failed = chdir("/");
    work();
    return failed ? 1 : 8;
}

static int change_root(void) {
    work();
    if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0)
        return not_allowed;
    if (mkdir("root", 0700) != 0 || chroot("root") != 0 || chdir("/") != 0)
        return not_allowed;
    for (int i = 0; i < 10; ++i)
        work();
    return 9;
}

static int fork_without_exec(void) {
    work();
    pid_t const child = fork();
    if (child == 0) {
        work();
        puts("child");
        fflush(stdout);
        _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    work();
    printf("child ended with %d\n", WEXITSTATUS(status));
    return 4;
}

static int execute_itself(char* program, char* left) {
    work();
    char next[] = {(char)(left[0] - 1), 0};
    printf("%s left\n", left);
    fflush(stdout);
    if (left[0] == '0')
        return 5;
    execl("/no/such/program", program, NULL);
    execl("/proc/self/exe", program, "exec", next, NULL);
    return 1;
}

static int vfork_and_exec(void) {
    work();
    for (int i = 0; i < 20; ++i) {
        pid_t const child = vfork();
        if (child == 0) {
            if (i % 2)
                execl("/no/such/program", "none", NULL);
            else
                execl("/bin/sh", "sh", "-c", "exit 6", NULL);
            _exit(7);
        }
        int status = 0;
        waitpid(child, &status, 0);
        printf("%d ", WEXITSTATUS(status));
    }
    work();
    return 6;
}

static void say(void* text) {
    puts(text);
}

static void* wait_for_ever(void* unused) {
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_cleanup_push(say, "deferred");
    for (;;)
        pthread_cond_wait(&never, &own);
    pthread_cleanup_pop(0);
    return unused;
}

static void* compute_for_ever(void* ready) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_cleanup_push(say, "asynchronous");
    for (int volatile* flag = ready;;)
        *flag = 1;
    pthread_cleanup_pop(0);
    return NULL;
}

static int cancel_threads(void) {
    work();
    pthread_t waiting, computing;
    static int volatile ready = 0;
    pthread_create(&waiting, NULL, wait_for_ever, NULL);
    sched_yield();
    pthread_cancel(waiting);
    void* result = NULL;
    pthread_join(waiting, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
    pthread_create(&computing, NULL, compute_for_ever, (void*)&ready);
    while (!ready)
        usleep(1000);
    pthread_cancel(computing);
    pthread_join(computing, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
    work();
    return 10;
}

static sigjmp_buf before_fault;

static void leave(int signal) {
    pthread_mutex_lock(&mutex);  // events in a handler, on its own stack
    pthread_mutex_unlock(&mutex);
    siglongjmp(before_fault, signal);
}

static int survive_faults(void) {
    static char stack[65536];
    stack_t const alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    int volatile faults = 0;
    while (faults < 200) {
        if (sigsetjmp(before_fault, 1) == 0) {
            lock_often((void*)100);
            *(int volatile*)8 = 1;
        }
        ++faults;
    }
    work();
    printf("%d faults\n", faults);
    return 11;
}

static int small_files(void) {
    struct rlimit const limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 20; ++i)
        work();
    return 12;
}

static int no_descriptors(void) {
    struct rlimit const limit = {3, 3};
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < 20; ++i)
        work();
    return 13;
}

static int no_memory(void) {
    struct rlimit const limit = {64 << 20, 64 << 20};
    setrlimit(RLIMIT_AS, &limit);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    for (int i = 0; i < 20; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, lock_often, (void*)20000) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 14;
}

static int threads_in_turn(void) {
    for (int i = 0; i < 10000; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, lock_often, (void*)2) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 15;
}

static int threads_at_once(void) {
    enum { threads = 2000 };
    static pthread_t ids[threads];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < threads; ++i)
        if (pthread_create(&ids[i], &attributes, lock_often, (void*)2) != 0)
            return not_allowed;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < threads; ++i)
        pthread_join(ids[i], NULL);
    return 16;
}

// Longer than 32 bits of ticks.
static int idle(void) {
    lock_often((void*)1);
    struct timespec const three_seconds = {3, 0};
    nanosleep(&three_seconds, NULL);
    lock_often((void*)1);
    return 17;
}

int main(int count, char** arguments) {
    char const* const mode = count > 1 ? arguments[1] : "";
    char* const left = count > 2 ? arguments[2] : "3";
    char* const program = arguments[0];
    for (int i = 0; i < count; ++i)
        arguments[i] = NULL;  // as git does with those that it has read
    struct {
        char const* name;
        int (*run)(void);
    } const modes[] = {{"close", close_everything},
                       {"directory", change_directory},
                       {"root", change_root},
                       {"fork", fork_without_exec},
                       {"vfork", vfork_and_exec},
                       {"cancel", cancel_threads},
                       {"faults", survive_faults},
                       {"small_files", small_files},
                       {"no_descriptors", no_descriptors},
                       {"no_memory", no_memory},
                       {"in_turn", threads_in_turn},
                       {"at_once", threads_at_once},
                       {"idle", idle}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i)
        if (strcmp(mode, modes[i].name) == 0)
            return modes[i].run();
    if (strcmp(mode, "exec") == 0)
        return execute_itself(program, left);
    work();
    if (strcmp(mode, "_exit") == 0)
        _exit(18);
    if (strcmp(mode, "abort") == 0)
        abort();
    if (strcmp(mode, "kill") == 0)
        kill(getpid(), SIGKILL);
    return 2;
}
