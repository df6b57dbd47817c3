// Bindings of a program's threads, tried by replays.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/binding.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "search/binding.h"

namespace parcast::cli {

struct BindingQuestion {
    std::optional<search::BindingStrategy> algorithm;  // none: all
    std::optional<std::uint64_t> tests;                // none: by the size of the program
    std::uint64_t seed = 0;
    std::int64_t latency_ns = 0;  // of what is surely reachable

    friend bool operator==(BindingQuestion const&, BindingQuestion const&) = default;
};

// On the counts of the forecast; on one CPU there is nothing to bind. Errors: those of replays.
// REQUIRES: the forecast is of replayed_forms, under a scheduler that knows affinity.
Result<Bindings> bindings_of(forecast::Forecast const& forecast, BindingQuestion const& question,
                             unsigned workers, std::function<void(std::string const&)> const& progress);

}  // namespace parcast::cli
