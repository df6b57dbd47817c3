// Any text as a machine file: no crash, every error has a place; what is accepted is a sound machine that
// survives being written and read.

#include <cstdint>
#include <string_view>

#include "core/ensure.h"
#include "machine/machine_toml.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const machine = machine_from_toml(text, "machine.toml", linux_machine(4));
    if (!machine) {
        ensure(machine.error().place && machine.error().place->line, "an error has a line");
        return 0;
    }
    ensure(check(*machine).has_value(), "what is accepted is within its limits");
    auto const again = machine_from_toml(to_toml(*machine), "machine.toml", ideal_machine(1));
    ensure(again.has_value(), "a machine that was just written can be read");
    ensure(*again == *machine, "reading gives back what was written");
    return 0;
}
