#include "page/browser.h"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace parcast::page {

namespace {

bool is_set(char const* variable) {
    char const* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

bool has_display() {
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

}  // namespace

bool open_browser(std::string const& address) {
    if (!has_display())
        return false;
    std::string opener = "xdg-open";
    std::string argument = address;
    char* const words[] = {opener.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // The interrupt that ends us is for us alone: the browser gets a process group of its own, and no blocked
    // signals.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    int const failure = posix_spawnp(&child, opener.c_str(), &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure == 0;
}

}  // namespace parcast::page
