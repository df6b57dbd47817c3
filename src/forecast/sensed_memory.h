// What a recording knows of its program and busy memory (record --sense-memory), as rates of the target:
//
//     1/speed(k) = 1/compute(k) + s (1/memory(n) - 1/compute(n)),   n = 1 + (k - 1) p
//
// with the sensitivity s and the pressure p of the program, in units of a loop that only moves memory, for
// which the machine's rates were measured. With p = 1 that is the rate law (machine/rates.h) with the
// memory share s; with less, k busy CPUs share the memory as n such loops would, between which times per unit
// of work are interpolated. A program that two CPUs do not hinder in its caches presses little, however much
// it suffers from loops.

#pragma once

#include <optional>
#include <string>

#include "forecast/target.h"
#include "timeline/provenance.h"

namespace parcast::forecast {

// What the target says itself of its memory goes before what is known of the program.
bool has_own_memory(TargetMachine const& target);

// The target with such rates, unless it has a memory share or a memory of its own, or nothing was sensed, or
// the machine has no memory rates for more than one CPU.
TargetMachine with_sensed_memory(TargetMachine target, Provenance const& recorded);

// What was sensed, and what becomes of it. None: nothing was. `recorded` is null for a program that was
// written down.
std::optional<std::string> sensed_memory_assumption(TargetMachine const& target, Provenance const* recorded);

}  // namespace parcast::forecast
