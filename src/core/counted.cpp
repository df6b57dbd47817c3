#include "core/counted.h"

namespace parcast {

std::string count_text(std::int64_t count) {
    std::string digits = std::to_string(count);
    std::size_t const first = count < 0 ? 1 : 0;
    for (std::size_t position = digits.size(); position > first + 3;) {
        position -= 3;
        digits.insert(position, ",");
    }
    return digits;
}

std::string counted(std::int64_t count, std::string const& one, std::string const& many) {
    return count_text(count) + " " + (count == 1 ? one : many);
}

std::string counted(std::int64_t count, std::string const& noun) {
    return counted(count, noun, noun + "s");
}

}  // namespace parcast
