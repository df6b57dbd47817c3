// The command line of an example: whole numbers in a fixed order, each with a default and limits; or one of
// several words, which has the name "naive|tree" and the place of the word, from 0, as its value.
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

static inline int has_words(struct Argument const* argument) {
    return strchr(argument->name, '|') != NULL;
}

// The word at a place, up to its '|' or the end; NULL behind the last one.
static inline char const* word_at(struct Argument const* argument, long place) {
    char const* word = argument->name;
    for (long i = 0; i < place && word != NULL; ++i) {
        char const* const bar = strchr(word, '|');
        word = bar != NULL ? bar + 1 : NULL;
    }
    return word;
}

// The place of a word; -1: it is none of them.
static inline long place_of_word(struct Argument const* argument, char const* text) {
    for (long place = 0; word_at(argument, place) != NULL; ++place) {
        char const* const word = word_at(argument, place);
        size_t const length = strcspn(word, "|");
        if (strlen(text) == length && strncmp(word, text, length) == 0)
            return place;
    }
    return -1;
}

static inline void print_usage(FILE* stream, char const* program, char const* purpose,
                               struct Argument const* arguments, int count) {
    fprintf(stream, "usage: %s", program);
    for (int i = 0; i < count; ++i)
        fprintf(stream, " [%s]", arguments[i].name);
    fprintf(stream, "\n%s\n", purpose);
    for (int i = 0; i < count; ++i) {
        if (has_words(&arguments[i])) {
            char const* const word = word_at(&arguments[i], arguments[i].value);
            fprintf(stream, "  %-10s %s, default %.*s\n", arguments[i].name, arguments[i].meaning,
                    (int)strcspn(word, "|"), word);
            continue;
        }
        fprintf(stream, "  %-10s %s, %ld to %ld, default %ld\n", arguments[i].name, arguments[i].meaning,
                arguments[i].least, arguments[i].most, arguments[i].value);
    }
}

static inline int is_accepted(struct Argument const* argument, char const* text) {
    if (has_words(argument))
        return place_of_word(argument, text) >= 0;
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
    for (int i = 1; i < argc; ++i) {
        struct Argument* const argument = &arguments[i - 1];
        argument->value = has_words(argument) ? place_of_word(argument, argv[i]) : strtol(argv[i], NULL, 10);
    }
}
