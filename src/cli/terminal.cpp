#include "cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/exit_status.h"
#include "cli/messages.h"

namespace parcast::cli {

namespace {

constexpr std::size_t default_width = 100;
constexpr std::size_t narrowest = 60;
constexpr std::size_t widest = 160;

int descriptor_of(Stream stream) {
    return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO;
}

bool is_set(char const* variable) {
    char const* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

}  // namespace

report::Colour colour_of(Stream stream) {
    char const* const terminal = std::getenv("TERM");
    bool const is_dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
    bool const wanted = isatty(descriptor_of(stream)) == 1 && !is_set("NO_COLOR") && !is_dumb;
    return wanted ? report::Colour::on : report::Colour::off;
}

std::size_t line_width(Stream stream) {
    winsize size{};
    if (isatty(descriptor_of(stream)) != 1 || ioctl(descriptor_of(stream), TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0) {
        return default_width;
    }
    return std::clamp<std::size_t>(size.ws_col, narrowest, widest);
}

int print_result(std::string_view text) {
    bool const written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0)
        return exit_success;
    print_error(std::string("standard output cannot be written: ") + std::strerror(errno) + ".",
                "Write to a file on a disk with space, or to a program that reads to the end.");
    return exit_output;
}

}  // namespace parcast::cli
