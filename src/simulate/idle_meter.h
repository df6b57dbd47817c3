// Charges idle processor time to the threads that could have used it (timeline/accounts.h): while i
// processors are idle and w threads are ready or wait, each of these is charged min(1, i/w) of the time.
//
// Method: A(t) is the integral of min(1, i/w). A thread that was not running from s to t is charged
// A(t) - A(s), whatever changed in between, so that each event costs O(1) and not O(threads).
// Fixed point with 32 fractional bits; the share is rounded down, so that charges never exceed the
// idle time (error below 1 ns in 4 s of waiting).

#pragma once

#include <algorithm>
#include <cstdint>

namespace parcast::simulate {

using FixedPoint = unsigned __int128;  // ns, 32 fractional bits
inline constexpr int fraction_bits = 32;

class IdleMeter {
public:
    explicit IdleMeter(std::uint32_t processors) : processors_(processors) {}

    // Call before the counts change.
    void advance(std::int64_t now) {
        auto const elapsed = now - last_;
        if (elapsed == 0)
            return;
        last_ = now;
        processor_share_ += static_cast<FixedPoint>(elapsed) * share_of_a_processor();
        auto const idle = processors_ - std::min(running_, processors_);
        if (idle == 0)
            return;
        auto const waiting = live_ - running_;
        if (waiting > idle) {
            auto const share = (static_cast<std::uint64_t>(idle) << fraction_bits) / waiting;
            integral_ += static_cast<FixedPoint>(elapsed) * share;
        } else {
            integral_ += static_cast<FixedPoint>(elapsed) << fraction_bits;
            without_thread_ns_ += elapsed * (idle - waiting);
        }
    }

    void thread_begins() { ++live_; }   // not running
    void thread_ends() { --live_; }     // was not running
    void thread_runs() { ++running_; }  // takes a processor, or its share of one
    void thread_stops() { --running_; }

    FixedPoint integral() const { return integral_; }
    // The integral of what each running thread has of a processor, min(1, processors/running).
    FixedPoint processor_share() const { return processor_share_; }
    std::int64_t without_thread_ns() const { return without_thread_ns_; }

private:
    std::uint64_t share_of_a_processor() const {
        constexpr auto whole = std::uint64_t{1} << fraction_bits;
        return running_ > processors_ ? whole * processors_ / running_ : whole;
    }

    std::int64_t last_ = 0;
    FixedPoint integral_ = 0;
    FixedPoint processor_share_ = 0;
    std::int64_t without_thread_ns_ = 0;
    std::uint32_t processors_;
    std::uint32_t running_ = 0;
    std::uint32_t live_ = 0;
};

}  // namespace parcast::simulate
