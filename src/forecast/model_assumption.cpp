#include "forecast/model_assumption.h"

#include <algorithm>
#include <cstddef>

#include "core/catalogue.h"
#include "core/counted.h"

namespace parcast::forecast {

namespace {

constexpr std::size_t most_named = 3;

std::string counts_of(std::vector<Row> const& rows) {
    std::string text;
    for (Row const& row : rows)
        text += (text.empty() ? "" : ", ") + std::to_string(row.cpus);
    return text + (text == "1" ? " CPU" : " CPUs");
}

std::string names_of_paired(RecordingBasis const& basis) {
    std::string text;
    for (std::size_t i = 0; i < std::min(basis.paired.size(), most_named); ++i)
        text += (i == 0 ? "" : ", ") + display_name(basis.catalogue, basis.paired[i]);
    if (basis.paired.size() > most_named)
        text += " and " + counted(static_cast<std::int64_t>(basis.paired.size() - most_named), "other");
    return text;
}

}  // namespace

std::optional<std::string> model_assumption(RecordingBasis const& basis) {
    if (basis.abandoned.empty())
        return std::nullopt;
    auto const otherwise = " Otherwise the replay deadlocks on " + counts_of(basis.abandoned) + ".";
    if (basis.model == "ordered") {
        return "Waits get the wake-up that ended them in the recording, and locks, semaphores and barriers "
               "are "
               "taken in the recorded order." +
               otherwise + " The upper bound of the speed-up is what the work of the threads allows.";
    }
    if (basis.model == "strict")
        return "Every wait gets the wake-up that ended it in the recording." + otherwise;
    return "Waits for " + names_of_paired(basis) +
           " get the wake-up that ended them in the recording, since what a thread does next depends on it." +
           otherwise + " All other waits get any.";
}

}  // namespace parcast::forecast
