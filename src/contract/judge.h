// What an answer says about the assertions of a contract. Nothing is computed but comparisons of what the
// answer has: a range that satisfies an assertion as a whole lets it hold, one that violates it as a whole
// lets it fail, and of any other nobody can tell.
//
// Ranges of speed-up, efficiency and time are those of the answer. A share of the time that a lock is held is
// as wide as the time. A limit is what loses most; another cause could be it, whose loss differs by less than
// the losses as a whole are unsure by. Of a regression, what both recordings have in common drops out as far
// as their times agree.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "answer/contract.h"

namespace parcast::contract {

// The numbers of CPUs that the assertions are about, rising; 1 if there are none.
std::vector<std::uint32_t> counts_of(std::span<Assertion const> assertions);

// The same for those that need to know how long locks are held.
std::vector<std::uint32_t> counts_with_locks(std::span<Assertion const> assertions);

// The lock of the assertion. None: the program has no such lock. `held_times`: by ObjectId.
std::optional<HeldLock> held_lock(Assertion const& assertion, Answer const& answer, Row const& row,
                                  std::span<Duration const> held_times);

struct Evidence {
    Answer const& answer;
    std::vector<HeldLock> held;  // for counts_with_locks()
    std::vector<Baseline> baselines;
};

// In their order. Advice is left out.
std::vector<JudgedAssertion> judge(std::span<Assertion const> assertions, Evidence const& evidence);

// The locks that somebody means who gives this name, by the symbol, the kind and the symbol, the place of the
// first use (the end of its path and its line) or the function in which that is.
std::vector<ObjectId> locks_called(Catalogue const& catalogue, std::string_view name);

}  // namespace parcast::contract
