#include "trace/symbols/spin_hint.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/path.h"
#include "trace/symbols/module_symbols.h"

namespace parcast::trace {

namespace {

constexpr std::uint64_t reach = 16;  // bytes, either way: a test, a branch and the instruction
constexpr std::array<unsigned char, 2> pause_instruction = {0xf3, 0x90};

bool is_c_library(std::string const& path) {
    auto const name = file_name(path);
    return name.starts_with("libc.so") || name.starts_with("libc-2") || name.starts_with("ld-linux") ||
           name.starts_with("libpthread");
}

}  // namespace

std::vector<bool> are_beside_pause(std::vector<Module> const& modules,
                                   std::span<std::uint64_t const> addresses) {
    ModuleSymbols const symbols(modules);
    std::vector<bool> found;
    for (auto const address : addresses) {
        auto const module = symbols.module_at(address);
        if (!module || is_c_library(modules[*module].path)) {
            found.push_back(false);
            continue;
        }
        auto const code = symbols.code_around(address, reach);
        found.push_back(!std::ranges::search(code, pause_instruction).empty());
    }
    return found;
}

}  // namespace parcast::trace
