// The files of web/dist that are built into this program: the page, and the simulator that a report carries.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace parcast::page {

// One HTML document with its script and style inside; data go where its marker stands (document.h).
std::string_view template_page();

// The simulator as WebAssembly (web/module).
std::span<std::byte const> module_bytes();

}  // namespace parcast::page
