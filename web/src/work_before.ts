// How long did each thread work before each operation? The work before an operation belongs to it: its place, its lock,
// its functions.

import { firstAfter, State, type Execution } from "./execution.ts";
import type { Range } from "./state.ts";

// Calls with the CPU time before an operation, as far as it lies within the range; operations without any are left out.
// Cost: a pass over the intervals and events within the range.
export function eachWork(execution: Execution, [begin, end]: Range, visit: (thread: number, event: number, time: number) => void): void {
    const { eventFirst, eventTime, intervalBegin, intervalState, laneEnd, laneFirst } = execution;
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = laneFirst[thread + 1]!;
        let interval = Math.max(laneFirst[thread]!, firstAfter(intervalBegin, begin, laneFirst[thread]!, last) - 1);
        let from = interval < last ? Math.max(begin, intervalBegin[interval]!) : end;
        for (let event = firstAfter(eventTime, begin, eventFirst[thread]!, eventFirst[thread + 1]!); event < eventFirst[thread + 1]! && from < end; ++event) {
            const until = Math.min(end, eventTime[event]!);
            let time = 0;
            while (interval < last && from < until) {
                const next = interval + 1 < last ? intervalBegin[interval + 1]! : laneEnd[thread]!;
                const stop = Math.max(from, Math.min(next, until));
                time += intervalState[interval] === State.running ? stop - from : 0;
                from = stop;
                interval += stop >= next ? 1 : 0;
            }
            if (time > 0) {
                visit(thread, event, time);
            }
            if (interval >= last) {
                break;
            }
        }
    }
}
