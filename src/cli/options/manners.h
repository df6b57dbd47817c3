// How parcast speaks, whatever it is asked: the options that every verb has.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace parcast::cli {

enum class ColourWhen : std::uint8_t { automatic, always, never };

inline constexpr std::array<std::pair<std::string_view, ColourWhen>, 3> colour_words{{
    {"auto", ColourWhen::automatic},
    {"always", ColourWhen::always},
    {"never", ColourWhen::never},
}};

struct Manners {
    bool quiet = false;    // neither progress nor notes; warnings and errors stay
    bool verbose = false;  // which files are read, how long each stage takes
    ColourWhen colour = ColourWhen::automatic;
};

}  // namespace parcast::cli
