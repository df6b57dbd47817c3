#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <tuple>
#include <vector>

#include "timeline/run.h"

namespace parcast {

// A thread runs on a CPU, from when to when in some unit.
struct Piece {
    std::uint32_t thread;
    std::int64_t begin;
    std::int64_t end;
    std::uint32_t cpu = 0;

    friend bool operator==(Piece const&, Piece const&) = default;
    friend void PrintTo(Piece const& piece, std::ostream* out) {
        *out << piece.thread << ": " << piece.begin << "-" << piece.end << " on " << piece.cpu;
    }
};
using Pieces = std::vector<Piece>;

// Who runs when, pieces that touch put together. REQUIRES: the run has a timeline.
inline Pieces pieces(Run const& run, std::int64_t unit_ns) {
    auto const& rows = *run.timeline->intervals;
    Pieces found;
    for (std::size_t i = 0; i < rows.begin.size(); ++i)
        if (rows.state[i] == ThreadState::running && rows.begin[i] < rows.end[i])
            found.push_back({rows.thread[i].value, rows.begin[i].ns / unit_ns, rows.end[i].ns / unit_ns,
                             rows.cpu[i].value});
    std::ranges::sort(found, {}, [](Piece const& piece) { return std::tuple(piece.begin, piece.cpu); });
    Pieces joined;
    for (auto const& piece : found) {
        auto const goes_on = std::ranges::find_if(joined, [&](Piece const& before) {
            return before.thread == piece.thread && before.end == piece.begin && before.cpu == piece.cpu;
        });
        if (goes_on != joined.end())
            goes_on->end = piece.end;
        else
            joined.push_back(piece);
    }
    return joined;
}

inline Pieces first(std::size_t count, Pieces all) {
    all.resize(std::min(count, all.size()));
    return all;
}

}  // namespace parcast
