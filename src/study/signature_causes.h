// How events grow with P, altogether, of the thread that has most, and at each place that threads call from.

#pragma once

#include <optional>
#include <span>

#include "answer/signature.h"
#include "model/events_threads/characteristic_fit.h"

namespace parcast::study {

// None: there are fewer than three counts, or no function fits.
std::optional<SignatureCharacteristic> fitted_characteristic(std::span<model::EventCount const> counts);

// Of all threads: E = g(P).
void add_characteristic(SignatureAnswer& answer);
// The thread with most events, and whether it differs from the others (section 2.8).
void add_busiest(SignatureAnswer& answer);
// Places and objects by their share of the growth from the smallest P to the largest.
void add_causes(SignatureAnswer& answer);

}  // namespace parcast::study
