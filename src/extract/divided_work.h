// Whose the work of one thread is, from the shares of pieces between events to those of operations.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/catalogue.h"
#include "core/work_share.h"
#include "timeline/event.h"
#include "timeline/recording_cost.h"

namespace parcast::extract {

class DividedWork {
public:
    // All of it is the caller's, as long as it divides. `prices` as for write_lists.
    DividedWork(std::span<WorkShare const> shares, Catalogue const& catalogue, RecordingPrices const& prices)
        : left_(shares), catalogue_(catalogue), prices_(prices) {}

    // Events in turn. CPU time inside a call that works is of the stack that makes the call. Returns what it
    // cost, ns, to divide the work before the event.
    double add(std::uint32_t number, Event const& event, bool works_inside);
    // The operation gets all work since the last one that got some.
    void take(std::uint32_t operation, std::int64_t work_ns);

    std::vector<WorkShare> shares() { return std::move(shares_); }

private:
    struct Pending {
        StackId stack;
        double ns = 0;
        std::uint32_t calls = 0;
    };
    void add(StackId stack, double ns, std::uint32_t calls);

    std::span<WorkShare const> left_;
    Catalogue const& catalogue_;
    RecordingPrices const& prices_;
    std::vector<Pending> pending_;
    std::vector<WorkShare> shares_;
};

}  // namespace parcast::extract
