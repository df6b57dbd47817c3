// Moments as PAMELA writes them, with four digits: "moments(0.005, 2, 4, 20)".

#pragma once

#include <string>

#include "core/moments.h"

namespace parcast::ensemble {

std::string moments_text(Moments const& moments);

}  // namespace parcast::ensemble
