// A scalability contract: assertions about a program on numbers of CPUs, and what its prediction says about
// each (docs/formats/check.md).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/range.h"
#include "core/error.h"
#include "core/id.h"

namespace parcast {

enum class ContractFunction : std::uint8_t { speed_up, time, efficiency, limit, held, findings, regression };

// What stands right of the comparison.
enum class AssertedValue : std::uint8_t { number, time, share, word };

struct ContractFunctionRow {
    ContractFunction function;
    std::string_view name;
    std::string_view example;
    AssertedValue value;
    bool has_name;  // a first argument that names something
    bool has_cpus;
};

// By ContractFunction.
inline constexpr std::array<ContractFunctionRow, 7> contract_functions{{
    {ContractFunction::speed_up, "speed_up", "speed_up(16) >= 11", AssertedValue::number, false, true},
    {ContractFunction::time, "time", "time(8) <= 120ms", AssertedValue::time, false, true},
    {ContractFunction::efficiency, "efficiency", "efficiency(8) >= 80%", AssertedValue::share, false, true},
    {ContractFunction::limit, "limit", "limit(16) != \"lock\"", AssertedValue::word, false, true},
    {ContractFunction::held, "held", "held(\"write_list\", 16) < 10%", AssertedValue::share, true, true},
    {ContractFunction::findings, "findings", "findings = none", AssertedValue::word, false, false},
    {ContractFunction::regression, "regression", "regression(baseline.json, 16) < 5%", AssertedValue::share,
     true, true},
}};
constexpr ContractFunctionRow const& row_of(ContractFunction function) {
    return contract_functions[static_cast<std::size_t>(function)];
}
static_assert([] {
    for (std::size_t i = 0; i < contract_functions.size(); ++i)
        if (contract_functions[i].function != static_cast<ContractFunction>(i))
            return false;
    return true;
}());

enum class Relation : std::uint8_t { less, at_most, more, at_least, equal, not_equal, excludes };

struct Assertion {
    ContractFunction function = ContractFunction::speed_up;
    std::string name;        // held: a lock; regression: a file
    std::uint32_t cpus = 1;  // that it is about, if its row has them
    Relation comparison = Relation::at_least;
    double number = 0;       // ns of a time, 0.1 of 10 %
    std::string word;        // of limit and findings
    std::string text;        // as it was written
    std::string because;     // in the contract; may be empty
    SourcePosition place{};  // where its text begins

    friend bool operator==(Assertion const& a, Assertion const& b) {
        return a.text == b.text && a.because == b.because;
    }
};

enum class Judgement : std::uint8_t { holds, fails, cannot_tell };
inline constexpr std::array judgement_words = {"holds", "fails", "cannot_tell"};  // in JSON
inline constexpr std::array judgement_phrases = {"holds", "fails", "cannot tell"};

struct JudgedAssertion {
    Assertion assertion;
    Judgement judgement = Judgement::cannot_tell;
    std::optional<double> value;   // as Assertion::number; none: it is about a word, or there is none
    std::optional<Range> range;    // of the value; none: it is exact
    std::string found;             // limit, findings: what is there, of the words that are compared
    std::optional<double> margin;  // above 0: so much better than asked; of a share its points, else a share
    std::string reason;            // why it cannot be told: a sentence without its stop; else empty
    // The next two are texts of answer/run_sentences.h, for what does not hold; may be empty.
    std::string limits;            // what limits the program there
    std::string advice;            // what would mend it
    SiteId site = SiteId::none();  // of the lock or the work that is to blame
};

struct ContractAnswer {
    std::string contract;        // its file; empty: assertions of the command line
    std::size_t recordings = 1;  // whose ranges are those of the answer
    bool is_strict = false;      // what cannot be told breaks it
    std::vector<JudgedAssertion> assertions;

    std::size_t count(Judgement judgement) const {
        std::size_t found = 0;
        for (auto const& each : assertions)
            found += each.judgement == judgement ? 1 : 0;
        return found;
    }
    bool breaks(JudgedAssertion const& each) const {
        return each.judgement == Judgement::fails || (is_strict && each.judgement == Judgement::cannot_tell);
    }
    bool is_broken() const {
        return count(Judgement::fails) > 0 || (is_strict && count(Judgement::cannot_tell) > 0);
    }
};

// What differs between two recordings of one program; all else makes both predictions wrong alike.
inline constexpr std::array uncertainties_of_one_recording = {Uncertainty::recording, Uncertainty::order,
                                                              Uncertainty::events};
// Their part of the variance.
constexpr double share_of_one_recording(RowRange const& range) {
    double sum = 0;
    for (Uncertainty const each : uncertainties_of_one_recording)
        sum += range.shares[static_cast<std::size_t>(each)];
    return sum;
}

// What an earlier version of the program took.
struct BaselineTime {
    std::uint32_t cpus = 1;
    double time_ns = 0;
    std::optional<Range> range;
    double own_share = 1;  // of the range's variance: share_of_one_recording()
};
struct Baseline {
    std::string name;  // as the contract names it
    std::string machine;
    std::string scheduler;
    std::vector<BaselineTime> times;
};

// For which share of the time the lock of an assertion is held: of several with its name the one that is held
// most.
struct HeldLock {
    std::string name;  // as the assertion has it
    std::uint32_t cpus = 1;
    ObjectId lock;
    double share = 0;
    std::optional<Range> range = {};  // none: it is exact
};

}  // namespace parcast
