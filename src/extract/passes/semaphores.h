// Semaphores and once.
//
// 1. A semaphore's initial value is the one seen at its initialisation; else the smallest with which no
//    wait of the recording went below zero.
// 2. Waits beyond initial value and posts were posted by another process: the first ones that found nothing
//    are delays of the recorded time.
// 3. Once: the first call of every other thread waits for the one that ran the routine.
// Tries that failed are boundaries; timed waits that timed out are delays of the time asked for.

#pragma once

#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

void plan_semaphores(Timeline const& recorded, Plan& plan);
void plan_once(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
