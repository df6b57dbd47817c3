#include "core/bytes_text.h"

#include <array>

#include "core/three_digits.h"

namespace parcast {

std::string bytes_text(std::uint64_t bytes) {
    struct Unit {
        double size;
        char const* name;
    };
    static constexpr std::array<Unit, 4> units{{{1e3, " kB"}, {1e6, " MB"}, {1e9, " GB"}, {1e12, " TB"}}};
    if (bytes < 1000)
        return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    for (Unit const& unit : units) {
        double const number = static_cast<double>(bytes) / unit.size;
        if (round_to_three_digits(number) < 1000 || &unit == &units.back())
            return three_digits(number) + unit.name;
    }
    return {};
}

}  // namespace parcast
