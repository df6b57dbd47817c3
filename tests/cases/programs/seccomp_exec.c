// A program that installs a seccomp filter, executes itself and counts the variables of its environment.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int c, char** v) {
    if (c > 1) {
        int n = 0;
        while (environ[n])
            n++;
        printf("ran with %d variables\n", n);
        return 0;
    }
    int a = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    struct sock_filter f[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    struct sock_fprog p = {1, f};
    int b = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
    char* av[] = {"se", "x", 0};
    execv("/proc/self/exe", av);
    fprintf(stderr, "nnp %d seccomp %d exec: %s\n", a, b, strerror(errno));
    return 1;
}
