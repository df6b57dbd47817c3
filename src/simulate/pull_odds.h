// Does a processor that becomes idle look for threads that wait elsewhere? Looking costs time, most of all
// when it finds nothing, so Linux throws dice (NI_RANDOM, 2025): the odds are how often a look succeeded
// lately. Counted over about a thousand occasions, beginning with the share that a machine names.

#pragma once

#include <cstdint>

namespace parcast::simulate {

// Marsaglia's xorshift64 (2003), from a fixed seed: the same run comes out each time.
class Dice {
public:
    Dice() = default;
    // REQUIRES: seed != 0.
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    // 0 to 1023, each as likely.
    std::uint32_t thrown() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::uint32_t>(state_ >> 32) % occasions_counted;
    }

    static constexpr std::uint32_t occasions_counted = 1024;

private:
    std::uint64_t state_ = 88172645463325252U;
};

class PullOdds {
public:
    // 100: it always looks.
    explicit PullOdds(std::int64_t percent)
        : is_certain_(percent >= 100),
          odds_(static_cast<std::uint32_t>(percent * Dice::occasions_counted / 100)),
          successes_(odds_ / 2) {}

    bool looks(Dice& dice) {
        if (is_certain_)
            return true;
        bool const does = dice.thrown() < odds_;
        if (!does)
            count(0);
        return does;
    }
    // The result of a look. Looks are a sample of the occasions, so each stands for several.
    void looked(bool found) {
        if (!is_certain_)
            count(found ? (Dice::occasions_counted + odds_ / 2) / (odds_ + 1) : 0);
    }

private:
    void count(std::uint32_t successes) {
        successes_ += successes;
        if (++occasions_ < Dice::occasions_counted)
            return;
        odds_ = successes_ < Dice::occasions_counted ? successes_ : Dice::occasions_counted;
        occasions_ /= 2;
        successes_ /= 2;
    }

    bool is_certain_;
    std::uint32_t odds_;
    std::uint32_t occasions_ = Dice::occasions_counted / 2;
    std::uint32_t successes_;
};

}  // namespace parcast::simulate
