// The command line of an example: whole numbers in a fixed order, each with a default and limits.
// For C and C++. Anything else on the command line gets the usage text and exit status 2.

#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Argument {
    char const* name;
    char const* meaning;
    long value;  // the default; read_arguments puts what the user said here
    long least;
    long most;
};

static inline void print_usage(FILE* stream, char const* program, char const* purpose,
                               struct Argument const* arguments, int count) {
    fprintf(stream, "usage: %s", program);
    for (int i = 0; i < count; ++i)
        fprintf(stream, " [%s]", arguments[i].name);
    fprintf(stream, "\n%s\n", purpose);
    for (int i = 0; i < count; ++i) {
        fprintf(stream, "  %-10s %s, %ld to %ld, default %ld\n", arguments[i].name, arguments[i].meaning,
                arguments[i].least, arguments[i].most, arguments[i].value);
    }
}

static inline int is_accepted(struct Argument const* argument, char const* text) {
    char* end = NULL;
    errno = 0;
    long const value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && value >= argument->least && value <= argument->most;
}

static inline void read_arguments(int argc, char** argv, char const* purpose, struct Argument* arguments,
                                  int count) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_usage(stdout, argv[0], purpose, arguments, count);
        exit(0);
    }
    for (int i = 1; i < argc; ++i) {
        if (i > count || !is_accepted(&arguments[i - 1], argv[i])) {
            fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[i]);
            print_usage(stderr, argv[0], purpose, arguments, count);
            exit(2);
        }
    }
    for (int i = 1; i < argc; ++i)
        arguments[i - 1].value = strtol(argv[i], NULL, 10);
}
