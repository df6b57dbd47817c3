// What each kind of raw event means in a timeline: the table between src/wire/record.h and
// src/timeline/event.h.

#pragma once

#include <cstdint>
#include <optional>

#include "core/catalogue.h"
#include "timeline/event.h"
#include "wire/record.h"

namespace parcast::trace {

enum class Payload : std::uint8_t {
    none,
    value,  // Event::value
    mutex,  // address of a mutex
    mutex_and_value,
    handle,            // pthread_t
    handle_and_value,  // pthread_t or kernel thread id, value
    child,             // thread number of a created thread
};

struct RawMeaning {
    EventKind event;
    std::optional<ObjectKind> object;
    Payload payload = Payload::none;
    bool result_is_value = false;  // the result at return becomes Event::value
};

// None for bookkeeping words, which make no event of their own.
std::optional<RawMeaning> const& meaning_of(wire::Kind kind);

}  // namespace parcast::trace
