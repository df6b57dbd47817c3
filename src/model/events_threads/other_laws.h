// Three laws of speed-up fitted to measured or predicted ones, to set beside the events/threads model:
//
//     Amdahl (1967)       S = P / (1 + s (P - 1))                      s: serial share of the work
//     Gustafson (1988)    S = P - s (P - 1)                            s: serial share of the time
//     Gunther (1993)      S = P / (1 + c (P - 1) + k P (P - 1))        c: contention, k: coherency
//
// By least squares of relative errors: of P / S, which is linear in s, c and k, or of S. s and c are shares,
// 0 to 1, and k is not negative.

#pragma once

#include <optional>
#include <span>

#include "core/result.h"

namespace parcast::model {

struct MeasuredSpeedUp {
    double threads = 1;
    double speed_up = 1;  // above 0
};

struct SerialShare {
    double serial = 0;          // 0 to 1
    double relative_error = 0;  // root mean square over the points with P > 1
};

struct UniversalScalability {
    double contention = 0;             // 0 to 1
    double coherency = 0;              // from 0 on
    std::optional<double> peak = {};   // threads, sqrt((1 - c) / k), at least 1; none: k is 0, no maximum
    std::optional<double> limit = {};  // of S without a maximum, 1 / c; none: S rises as P does
    double relative_error = 0;
};

struct OtherLaws {
    SerialShare amdahl;
    SerialShare gustafson;
    std::optional<UniversalScalability> universal;  // none: fewer than two points with P > 1
};

// Errors: out_of_range (no point with P > 1; a speed-up that is not above 0).
Result<OtherLaws> other_laws(std::span<MeasuredSpeedUp const> points);

double amdahl_speed_up(double serial, double threads);
double gustafson_speed_up(double serial, double threads);
double universal_speed_up(UniversalScalability const& law, double threads);

}  // namespace parcast::model
