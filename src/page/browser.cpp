#include "page/browser.h"

#include <cstdlib>

#include "page/started_program.h"

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
    return has_display() && start_program({"xdg-open", address}).has_value();
}

}  // namespace parcast::page
