#include "model/comparators/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "core/counted.h"
#include "model/comparators/kruskal_weiss.h"
#include "model/comparators/mak_lundstrom.h"
#include "model/comparators/markov_chain.h"

namespace parcast::model {

namespace {

using Theory = Result<ComparedTime> (*)(TaskGraph const&, std::uint32_t processors, Schedule const&);

bool is_static(ReadyPolicy const& policy) {
    return std::holds_alternative<ready::StaticBlock>(policy) ||
           std::holds_alternative<ready::StaticCyclic>(policy) ||
           std::holds_alternative<ready::SplitLoops>(policy) ||
           std::holds_alternative<ready::Explicit>(policy);
}

// What taking a batch costs while all other processors are busy.
double fetch_ns(Schedule const& schedule, std::uint32_t processors) {
    auto const& by_busy = schedule.tasks.fetch_ns;
    return by_busy.empty() ? 0 : by_busy[std::min<std::size_t>(processors - 1, by_busy.size() - 1)];
}

Result<Batches> batches_of(Schedule const& schedule, std::uint32_t processors) {
    if (is_static(schedule.tasks.policy))
        return Batches{Batches::Kind::even_share, 1, 0};
    Batches batches{Batches::Kind::fixed, 1, fetch_ns(schedule, processors)};
    auto const* const batch = std::get_if<ready::Batch>(&schedule.tasks.policy);
    if (batch == nullptr)
        return batches;
    if (batch->kind == ready::Batch::Kind::guided)
        return fail(ErrorCode::unsupported, "batches of a guided schedule have no one size");
    batches.size = batch->size;
    return batches;
}

template <Deviation deviation>
Result<ComparedTime> by_kruskal_weiss(TaskGraph const& graph, std::uint32_t processors,
                                      Schedule const& schedule) {
    auto batches = batches_of(schedule, processors);
    if (!batches)
        return pass_on(batches);
    auto mean = kruskal_weiss(graph, processors, deviation, *batches, schedule.contention);
    if (!mean)
        return pass_on(mean);
    return ComparedTime{*mean, std::nullopt};
}

template <Composite composite>
Result<ComparedTime> by_mak_lundstrom(TaskGraph const& graph, std::uint32_t processors,
                                      Schedule const& schedule) {
    auto time = mak_lundstrom(graph, composite, processors, schedule.contention);
    if (!time)
        return pass_on(time);
    return ComparedTime{time->mean, std::sqrt(time->variance)};
}

Result<ComparedTime> by_markov_chain(TaskGraph const& graph, std::uint32_t processors,
                                     Schedule const& schedule) {
    auto solved = markov_chain(graph, processors, schedule.contention);
    if (!solved)
        return pass_on(solved);
    return ComparedTime{solved->time.mean, std::sqrt(solved->time.variance)};
}

struct Entry {
    std::string_view key;
    std::string_view title;
    std::string_view assumes;
    Theory theory;
    bool sees_processors = true;  // also without contention
    bool explores = false;        // states, until there are too many
};

constexpr std::array<Entry, 5> theories{{
    {"kruskal_weiss_actual", "Kruskal-Weiss",
     "tasks of a phase are random with the mean and the variance of its tasks, taken in the schedule's "
     "batches",
     by_kruskal_weiss<Deviation::actual>},
    {"kruskal_weiss_exponential", "K-W exponential",
     "tasks of a phase are exponential with one mean, taken in the schedule's batches",
     by_kruskal_weiss<Deviation::exponential>},
    {"mak_lundstrom", "Mak-Lundstrom",
     "tasks are exponential, each with a processor; so are what they are composed to",
     by_mak_lundstrom<Composite::exponential>, false},
    {"mak_lundstrom_gamma", "M-L two moments",
     "tasks are exponential, each with a processor; what they are composed to is gamma distributed",
     by_mak_lundstrom<Composite::gamma>, false},
    {"markov_chain", "Markov chain", "tasks are exponential and wait in one queue, first in, first out",
     by_markov_chain, true, true},
}};

// Why a theory that explores states is not asked again. It took seconds to find too many on fewer processors,
// and there are rarely fewer on more; where a formula decides, asking costs nothing.
std::optional<Error> reason_not_to_explore(TaskGraph const& graph, std::span<std::uint32_t const> processors,
                                           std::vector<std::vector<TheoryTime>> const& done,
                                           std::size_t theory) {
    auto const now = processors[done.size()];
    if (!theories[theory].explores)
        return std::nullopt;
    auto const size = markov_size_by_formula(graph, now);
    if (size.is_exact || is_too_large(size))
        return std::nullopt;
    for (std::size_t i = 0; i < done.size(); ++i) {
        auto const& time = done[i][theory].time;
        if (processors[i] < now && !time && time.error().code == ErrorCode::out_of_range) {
            auto error = time.error();
            error.message = "not tried, since on " + counted(processors[i], "CPU") + " " + error.message;
            return error;
        }
    }
    return std::nullopt;
}

Result<ComparedTime> time_by(std::size_t theory, TaskGraph const& graph,
                             std::span<std::uint32_t const> processors,
                             std::vector<std::vector<TheoryTime>> const& done, Schedule const& schedule) {
    bool const is_known =
        !done.empty() && !theories[theory].sees_processors && schedule.contention == nullptr;
    if (is_known)
        return done.front()[theory].time;
    if (auto reason = reason_not_to_explore(graph, processors, done, theory))
        return tl::unexpected(std::move(*reason));
    return theories[theory].theory(graph, processors[done.size()], schedule);
}

}  // namespace

std::vector<std::vector<TheoryTime>> compare(TaskGraph const& graph,
                                             std::span<std::uint32_t const> processors,
                                             Schedule const& schedule) {
    std::vector<std::vector<TheoryTime>> all;
    while (all.size() < processors.size()) {
        std::vector<TheoryTime> here;
        for (std::size_t i = 0; i < theories.size(); ++i) {
            here.push_back({theories[i].key, theories[i].title, theories[i].assumes,
                            time_by(i, graph, processors, all, schedule)});
        }
        all.push_back(std::move(here));
    }
    return all;
}

}  // namespace parcast::model
