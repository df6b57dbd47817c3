#include "timeline/run_delay.h"

#include <algorithm>

namespace parcast {

namespace {

constexpr std::int64_t ns_per_us = 1'000;
constexpr std::uint32_t none = Event{}.related;

}  // namespace

bool waits_outside(EventKind kind) {
    switch (kind) {
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync:
        case EventKind::wait_child: return true;
        default: return false;
    }
}

std::optional<std::int64_t> run_delay_ns(Event const& event) {
    if (!waits_outside(event.kind) || event.related == none)
        return std::nullopt;
    return std::int64_t{event.related} * ns_per_us;
}

void set_run_delay(Event& event, std::int64_t ns) {
    event.related = static_cast<std::uint32_t>(std::min<std::int64_t>(ns / ns_per_us, none - 1));
}

}  // namespace parcast
