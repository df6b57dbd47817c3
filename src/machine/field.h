// A parameter of a part of the machine: its key in a machine file (docs/formats/machine.md), its limits, and
// where it is. A part lists its own in `fields()`; reading, writing, checking and reporting go by these
// lists.

#pragma once

#include <cstdint>

#include "core/time.h"
#include "machine/limits.h"

namespace parcast {

template <class Part>
struct Field {
    constexpr Field(char const* name, LimitsNs between, Duration Part::* member)
        : key(name), limits(between), time(member) {}
    constexpr Field(char const* name, LimitsNs between, std::int64_t Part::* member)
        : key(name), limits(between), number(member) {}

    constexpr std::int64_t value(Part const& part) const {
        return time != nullptr ? (part.*time).ns : part.*number;
    }
    constexpr void set(Part& part, std::int64_t value) const {
        (time != nullptr ? (part.*time).ns : part.*number) = value;
    }

    char const* key;
    LimitsNs limits;
    Duration Part::* time = nullptr;        // ns; or
    std::int64_t Part::* number = nullptr;  // a whole number of something else
};

}  // namespace parcast
