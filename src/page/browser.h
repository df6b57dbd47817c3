// Starts the browser of the desktop.

#pragma once

#include <string>

namespace parcast::page {

// Returns whether there is a display and a browser was started; its output is discarded.
bool open_browser(std::string const& address);

}  // namespace parcast::page
