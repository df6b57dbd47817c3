// executes WAY before|aside: executes itself by one of the ways that libc has, with the recorder or after it
// has stepped aside; the program that is executed prints its environment. "itself": prints its own.

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char const program[] = "/proc/self/exe";

static int print_environment(void) {
    for (char** variable = environ; *variable; ++variable)
        puts(*variable);
    return 0;
}

// A filter that forbids nothing, before which the recorder steps aside.
static int have_recorder_step_aside(void) {
    struct sock_filter steps[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    struct sock_fprog filter = {1, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static int status_of(pid_t child) {
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

static int print_from(FILE* pipe) {
    char line[4096];
    while (fgets(line, sizeof line, pipe))
        fputs(line, stdout);
    return pclose(pipe);
}

// The ways that come back, if only in a parent. -1: none of them.
static int come_back_by(char const* way, char** arguments) {
    char command[4096];
    pid_t child = 0;
    snprintf(command, sizeof command, "'%s' print", arguments[0]);
    if (strcmp(way, "system") == 0)
        return system(command);
    if (strcmp(way, "popen") == 0)
        return print_from(popen(command, "r"));
    if (strcmp(way, "fork") == 0) {
        if ((child = fork()) == 0) {
            execv(program, arguments);
            _exit(4);
        }
        return status_of(child);
    }
    if (strcmp(way, "vfork") == 0) {
        if ((child = vfork()) == 0) {
            execve(program, arguments, environ);
            _exit(4);
        }
        return status_of(child);
    }
    if (strcmp(way, "posix_spawn") == 0)
        return posix_spawn(&child, program, NULL, NULL, arguments, environ) == 0 ? status_of(child) : 5;
    if (strcmp(way, "posix_spawnp") == 0)
        return posix_spawnp(&child, program, NULL, NULL, arguments, environ) == 0 ? status_of(child) : 5;
    return -1;
}

static void execute_by(char const* way, char** arguments) {
    if (strcmp(way, "execve") == 0)
        execve(program, arguments, environ);
    if (strcmp(way, "execv") == 0)
        execv(program, arguments);
    if (strcmp(way, "execvp") == 0)
        execvp(program, arguments);
    if (strcmp(way, "execvpe") == 0)
        execvpe(program, arguments, environ);
    if (strcmp(way, "execl") == 0)
        execl(program, arguments[0], "print", (char*)NULL);
    if (strcmp(way, "execlp") == 0)
        execlp(program, arguments[0], "print", (char*)NULL);
    if (strcmp(way, "execle") == 0)
        execle(program, arguments[0], "print", (char*)NULL, environ);
    if (strcmp(way, "fexecve") == 0)
        fexecve(open(program, O_RDONLY | O_CLOEXEC), arguments, environ);
    if (strcmp(way, "execveat") == 0)
        execveat(AT_FDCWD, program, arguments, environ, 0);
}

int main(int count, char** arguments) {
    if (count < 3 || strcmp(arguments[1], "itself") == 0)
        return print_environment();
    if (strcmp(arguments[2], "aside") == 0 && !have_recorder_step_aside())
        return 2;
    char print[] = "print";
    char* next[] = {arguments[0], print, NULL};
    int const status = come_back_by(arguments[1], next);
    if (status >= 0)
        return status;
    execute_by(arguments[1], next);
    return 6;
}
