// A static program has no dynamic loader of its own, and loads nothing: whoever asks is told so, and does without.

#include <dlfcn.h>
#include <stddef.h>

void* dlopen(char const* file, int mode) {
    (void)file, (void)mode;
    return NULL;
}

void* dlsym(void* library, char const* name) {
    (void)library, (void)name;
    return NULL;
}

int dlclose(void* library) {
    (void)library;
    return -1;
}

char* dlerror(void) {
    static char message[] = "a static program loads no library";
    return message;
}
