// What a plan does not do as the model says.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/moments.h"

namespace parcast::ensemble {

enum class RemarkKind : std::uint8_t {
    negative_time,
    no_probability,
    unlike_variance,
    turns_rounded,
    branches_rounded,
    random_branches
};

struct Remark {
    RemarkKind kind;
    std::size_t place = 0;  // of the step that it is about
    Moments about;
};

std::string text_of(Remark const& remark);

// As PAMELA writes them, with four digits: "moments(0.005, 2, 4, 20)".
std::string moments_text(Moments const& moments);

}  // namespace parcast::ensemble
