// How many events are there, where they are too many to draw each? Counted in buckets of pixels, for the lane of a
// thread or of a processor. Cost: O(buckets * log), for a processor also its intervals in sight.

import { firstAfter, type Execution } from "../execution.ts";
import { eventsInIntervals } from "./cpu_events.ts";
import type { TimeScale } from "./scale.ts";

export const bucketWidth = 3; // px

const mostIntervals = 600; // of a processor: of more it is only said that there are events among them

export function densityOfThread(execution: Execution, thread: number, scale: TimeScale): Uint32Array {
    const counts = emptyBuckets(scale);
    const last = execution.eventFirst[thread + 1]!;
    count(execution, counts, scale, firstAfter(execution.eventTime, scale.begin, execution.eventFirst[thread]!, last), last);
    return counts;
}

export function densityOfCpu(execution: Execution, cpu: number, scale: TimeScale): Uint32Array {
    const counts = emptyBuckets(scale);
    let before = -1; // the last event that was counted: one interval may end with it, the next begin
    const isCounted = eventsInIntervals(execution, cpu, scale.begin, scale.end, mostIntervals, (first, last) => {
        count(execution, counts, scale, first === before ? first + 1 : first, last);
        before = last - 1;
        return true;
    });
    return isCounted ? counts : counts.fill(1);
}

function emptyBuckets(scale: TimeScale): Uint32Array {
    return new Uint32Array(Math.max(1, Math.ceil(scale.width / bucketWidth)));
}

// Adds the events [first, last) of one thread.
function count(execution: Execution, counts: Uint32Array, scale: TimeScale, first: number, last: number): void {
    const { eventTime } = execution;
    for (let at = first; at < last && eventTime[at]! <= scale.end; ) {
        const bucket = Math.min(counts.length - 1, Math.max(0, Math.floor(scale.x(eventTime[at]!) / bucketWidth)));
        const next = Math.max(at + 1, firstAfterNear(eventTime, scale.time((bucket + 1) * bucketWidth), at, last));
        counts[bucket]! += next - at;
        at = next;
    }
}

// As firstAfter, for a place that is likely near `from`.
function firstAfterNear(values: Float64Array, value: number, from: number, to: number): number {
    let step = 1;
    while (from + step < to && values[from + step]! <= value) {
        step *= 2;
    }
    return firstAfter(values, value, from + (step >> 1), Math.min(to, from + step + 1));
}
