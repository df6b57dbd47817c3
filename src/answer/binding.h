// Which threads should share a CPU, what that brings beside threads that are not bound, and how far it is
// from the best.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/range.h"
#include "core/id.h"
#include "core/spread.h"
#include "core/time.h"

namespace parcast {

struct TriedBinding {
    std::string_view algorithm;
    std::optional<Duration> time;  // of the best that it found; none: all deadlock
    std::uint64_t tests = 0;       // replays
};

// What some binding surely reaches (Broberg 2002, paper VII); it holds for waits and activations alone,
// without costs of scheduling. No lower bound.
struct ReachableBinding {
    double factor = 1;                      // p
    std::optional<double> time_ns;          // p times the time with a CPU for each process; none: no program
    std::uint32_t threads = 0;              // n
    double granularity = 0;                 // z: activations in a nanosecond of work, or as it was given
    double latency = 0;                     // t: in ns, or as it was given
    std::vector<double> profile;            // V
    std::vector<std::uint32_t> allocation;  // threads by CPU, falling
    std::uint64_t evaluations = 0;
};

enum class BindingVerdict : std::uint8_t {
    confirmed,  // what is measured points where the prediction does
    refuted,    // it points elsewhere
    open,       // the runs differ more than the two do
};
std::string_view word_of(BindingVerdict verdict);

// The best binding in reality, beside the program that is not bound, run after run.
struct MeasuredBinding {
    unsigned rounds = 0;
    unsigned disturbed = 0;  // runs that others disturbed
    // In ns, and as a part of the unbound time that binding saves; with the interval of the median.
    Spread unbound_ns;
    Spread bound_ns;
    Spread gain;
    BindingVerdict verdict = BindingVerdict::open;
    std::vector<std::string> remarks = {};  // threads that were not bound, what the system refused
};

struct BindingOnCpus {
    std::uint32_t cpus = 1;
    std::optional<Duration> unbound;  // none: it deadlocks
    // Nine of ten measurements should lie within: of `unbound` in ns, and of the part of it that the best
    // binding saves. None: nobody asked, or most of the replays for it deadlock.
    std::optional<Range> unbound_range_ns = {};
    std::optional<Range> gain_range = {};
    std::vector<TriedBinding> tried;
    std::size_t best = 0;                      // of `tried`
    std::vector<std::uint32_t> cpu_of_thread;  // by it; empty: all deadlock
    std::optional<std::uint64_t>
        bindings;  // there are so many, up to the names of CPUs; none: too many to count
    bool tried_all = false;

    Duration lower_bound{0};  // of any binding
    std::string_view lower_bound_by;
    ObjectId lock = ObjectId::none();  // if that decides
    std::optional<ReachableBinding> reachable;
    std::optional<MeasuredBinding> measured;
    std::string not_measured;  // why, if it was asked for: "this machine has 2 CPUs for the program"

    std::optional<Duration> best_time() const { return tried.empty() ? std::nullopt : tried[best].time; }
    bool is_at_bound() const { return best_time() && *best_time() <= lower_bound; }
    bool is_proved_best() const { return best_time() && (tried_all || is_at_bound()); }
    // How much of the best time may be left to gain, at most.
    double gap() const {
        return best_time() && best_time()->ns > 0
                   ? 1 - static_cast<double>(lower_bound.ns) / static_cast<double>(best_time()->ns)
                   : 0;
    }
    // Part of the unbound time that binding saves; below 0: it loses.
    std::optional<double> gain() const {
        if (!unbound || !best_time() || unbound->ns == 0)
            return std::nullopt;
        return 1 - static_cast<double>(best_time()->ns) / static_cast<double>(unbound->ns);
    }
};

// Less is not worth a binding.
inline constexpr double least_gain_of_binding = 0.01;

// REQUIRES: a gain that was predicted, and the interval of the measured one.
BindingVerdict binding_verdict(double predicted_gain, Spread const& measured_gain);

struct Bindings {
    std::vector<BindingOnCpus> counts;
    std::string
        no_reachable;  // why nothing is surely reachable: "the program takes locks"; empty: something is
    std::uint64_t most_tests = 0;
    std::uint64_t seed = 0;
    std::optional<std::string> plan;  // the file that was written
};

}  // namespace parcast
