// How random delays (input, remote memory, locks) spread the time that a process takes between two
// synchronisations (Adve 1993, chapter 3). Its CPU time D is fixed; it is cut into processing intervals P,
// each but the last followed by a delay C, all independent. Then the number of delays R is a renewal process,
// and
//
//     T = D + C_1 + ... + C_R     mean D + E[R] E[C], variance E[R] Var[C] + E[C]^2 Var[R]      (eq 3)
//
//     exactly         gamma and hyperexponential processing intervals                          (eqs 5 and 6)
//     asymptotically  E[R] ~ D / E[P], Var[R] ~ CV_P^2 D / E[P]; exact for exponential ones     (eq 7)
//     refined         with the next term of both, which depends on the third moment of P:
//                     within 0.1 % from D / E[P] = 20 for a coefficient of variation up to 2
//
// T is asymptotically normal (eq 8), the sooner the less delays vary.
// Any unit of time. Here CV is the coefficient of variation: deviation divided by mean.

#pragma once

#include <cstdint>

#include "core/result.h"

namespace parcast::model {

struct RandomInterval {
    double mean = 0;
    double cv = 0;

    friend bool operator==(RandomInterval const&, RandomInterval const&) = default;
};

struct DelayedProcess {
    double cpu = 0;             // D
    RandomInterval processing;  // P
    RandomInterval delay;       // C
};

// Two exponential times, the first with probability `first`.
struct Hyperexponential {
    double first = 0.9;
    double mean_of_first = 1;
    double mean_of_second = 1;
};
double mean(Hyperexponential const& law);
double cv(Hyperexponential const& law);

// With first = 0.9. Errors: out_of_range for a CV below 1 (less variable than exponential), or of sqrt(19)
// and more (a mean would be negative).
Result<Hyperexponential> hyperexponential(RandomInterval const& interval);

enum class ProcessingLaw : std::uint8_t { gamma, hyperexponential };

struct DelayCount {
    double mean = 0;
    double variance = 0;
};

// Errors of all: out_of_range, naming what is negative, infinite or NaN, a mean of 0 of the processing
// interval, more than 1e12 of them, and those of hyperexponential; of the exact gamma also a sum of more than
// some million terms. Cost: of gamma 10 sqrt(D / E[P]) CV + 40 CV^2 incomplete gamma functions, otherwise
// constant.
Result<DelayCount> exact_delays(double cpu, RandomInterval const& processing, ProcessingLaw law);
Result<DelayCount> asymptotic_delays(double cpu, RandomInterval const& processing);
Result<DelayCount> refined_delays(double cpu, RandomInterval const& processing, ProcessingLaw law);

struct ElapsedTime {
    double mean = 0;
    double variance = 0;

    double cv() const;
};

// Eq 3. Errors: out_of_range.
Result<ElapsedTime> elapsed_time(DelayedProcess const& process, DelayCount const& delays);

// The interval around the mean in which a normal time lies with this probability, not below `least` (the CPU
// time: a delay is never negative). REQUIRES: 0 < probability < 1.
struct Band {
    double low = 0;
    double high = 0;
};
Band normal_band(ElapsedTime const& time, double probability, double least);

}  // namespace parcast::model
