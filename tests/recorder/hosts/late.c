/* Loads a C++ library that makes a std::thread; this program itself does not know libstdc++. */
#include <dlfcn.h>

int main(int count, char** arguments) {
    void* const library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : 0;
    int (*const work)(void) = library ? (int (*)(void))dlsym(library, "work_in_thread") : 0;
    return work ? work() : 1;
}
