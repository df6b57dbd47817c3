#include "forecast/model_assumption.h"

#include <algorithm>
#include <cstddef>

#include "core/catalogue.h"
#include "core/counted.h"

namespace parcast::forecast {

namespace {

constexpr std::size_t most_named = 3;

// Where the first of the models deadlocks that were tried.
std::string first_deadlocks(std::vector<AbandonedReplay> const& abandoned) {
    std::string text;
    for (AbandonedReplay const& each : abandoned)
        if (each.model == abandoned.front().model)
            text += (text.empty() ? "" : ", ") + std::to_string(each.cpus);
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

// A program that was written down does what its file says; one that was recorded has done it once.
std::string deadlock_otherwise(RecordingBasis const& basis) {
    auto const counts = first_deadlocks(basis.abandoned);
    if (basis.provenance)
        return " Otherwise the replay deadlocks on " + counts + ".";
    return " Otherwise it deadlocks on " + counts +
           ", and so does a program that does exactly what the file says.";
}

}  // namespace

std::optional<std::string> model_assumption(RecordingBasis const& basis) {
    if (basis.abandoned.empty())
        return std::nullopt;
    std::string const then = basis.provenance ? "in the recording" : "on one CPU";
    auto const otherwise = deadlock_otherwise(basis);
    if (basis.model == "ordered") {
        return "Waits get the wake-up that ended them " + then +
               ", and locks, semaphores and barriers are taken in the recorded order." + otherwise +
               " The upper bound of the speed-up is what the work of the threads allows.";
    }
    if (basis.model == "strict")
        return "Every wait gets the wake-up that ended it " + then + "." + otherwise;
    if (basis.model == "client-server") {
        return "Every wait gets the wake-up that ended it " + then +
               ", but a thread that waits repeatedly for the same goes on with whichever comes first." +
               otherwise;
    }
    return "Waits for " + names_of_paired(basis) + " get the wake-up that ended them " + then +
           ", since what a thread does next depends on it." + otherwise + " All other waits get any.";
}

}  // namespace parcast::forecast
