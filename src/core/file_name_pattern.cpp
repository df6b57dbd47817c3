#include "core/file_name_pattern.h"

#include <cstddef>

namespace parcast {

Result<std::string> expanded_file_name(std::string_view pattern, FileNameParts const& parts) {
    std::string name;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            name += pattern[i];
            continue;
        }
        char const letter = ++i < pattern.size() ? pattern[i] : '\0';
        switch (letter) {
            case 'p': name += std::to_string(parts.process); break;
            case 'h': name += parts.host; break;
            case 'e': name += parts.program; break;
            case '%': name += '%'; break;
            default:
                return fail(ErrorCode::unasked, "\"" + std::string(pattern) + "\" has \"%" +
                                                    (letter ? std::string(1, letter) : "") +
                                                    "\": there are %p (process), %h (host), %e (program) "
                                                    "and %% (a percent sign)");
        }
    }
    return name;
}

bool names_process(std::string_view pattern) {
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i)
        if (pattern[i] == '%' && pattern[++i] == 'p')
            return true;
    return false;
}

}  // namespace parcast
