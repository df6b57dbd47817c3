#include "answer/signature_numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/three_digits.h"
#include "core/time.h"
#include "core/time_text.h"

namespace parcast {

std::string signed_time_text(double ns) {
    auto const whole = whole_ns(std::min(std::abs(ns), longest_ns / 2));
    auto const text = time_text(Duration{whole});
    return ns < 0 && whole > 0 ? "-" + text : text;
}

std::string mean_count_text(double value) {
    constexpr double grouped = 1000;
    constexpr double whole = 100;
    return value >= grouped ? count_text(std::llround(value))
           : value >= whole ? fmt::format("{:.0f}", value)
                            : three_digits(value);
}

std::string place_text(SignaturePlace const& place) {
    auto const what = place.object.empty() ? place.call : place.call + " of " + place.object;
    if (place.function.empty())
        return what;
    return what + " (" + place.function +
           (place.file.empty() ? "" : ", " + place.file + ":" + std::to_string(place.line)) + ")";
}

double time_of_one_thread(SignatureAnswer const& answer) {
    if (answer.has_one_thread)
        return answer.recordings.front().time_ns;
    return answer.work_of_one ? answer.work_of_one->ns : 0;
}

std::string short_formula(std::string const& formula) {
    std::string text;
    for (std::size_t i = 0; i < formula.size();) {
        bool const begins = std::isdigit(static_cast<unsigned char>(formula[i])) != 0;
        bool const is_in_name = i > 0 && (std::isalpha(static_cast<unsigned char>(formula[i - 1])) != 0);
        if (!begins || is_in_name) {
            text += formula[i++];
            continue;
        }
        auto end = i;
        while (end < formula.size() &&
               (std::isdigit(static_cast<unsigned char>(formula[end])) != 0 || formula[end] == '.' ||
                formula[end] == 'e' ||
                (formula[end - 1] == 'e' && (formula[end] == '-' || formula[end] == '+'))))
            ++end;
        auto const value = std::strtod(formula.substr(i, end - i).c_str(), nullptr);
        text += fmt::format("{:.3g}", value).find('e') == std::string::npos ? fmt::format("{:.3g}", value)
                                                                            : three_digits(value);
        i = end;
    }
    return text;
}

}  // namespace parcast
