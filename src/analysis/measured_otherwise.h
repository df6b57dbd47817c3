// The finding that a program, measured on several CPUs, ran otherwise than its recording predicts.

#pragma once

#include "answer/finding.h"
#include "answer/measured.h"

namespace parcast::analysis {

// Names the part of the CPUs' time that the difference comes from, and what to do about it.
// REQUIRES: the verdict is `differs` or `far_off`, and there are causes.
Finding measured_otherwise(MeasuredCheck const& check);

// On one CPU it took another time than the prediction says, so that all times are off; speed-ups need not be.
Finding measured_otherwise_on_one(double predicted_ns, MeasuredSpeedUp const& measured);

}  // namespace parcast::analysis
