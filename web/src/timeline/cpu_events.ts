// Which events lie in a processor's lane? Those of the threads that it runs, at the time at which it runs them.

import { firstAfter, none, noCpu, type Execution } from "../execution.ts";
import { intervalsBefore } from "./cpu_pixels.ts";

// Events of the processor in [begin, end], in the order of time; null if there are more than `most` of them or of the
// intervals in which they lie. Cost: O(most * log).
export function eventsOnCpu(execution: Execution, cpu: number, begin: number, end: number, most: number): number[] | null {
    const first = execution.cpuFirst[cpu]!;
    const from = first + Math.max(0, intervalsBefore(execution, cpu, begin) - 2); // one may end as the next begins
    const to = first + intervalsBefore(execution, cpu, end);
    if (to - from > most) {
        return null;
    }
    const events: number[] = [];
    for (let place = from; place < to; ++place) {
        const interval = execution.cpuInterval[place]!;
        const thread = execution.threadOfInterval(interval);
        const last = execution.eventFirst[thread + 1]!;
        const until = Math.min(end, execution.intervalEnd(interval)); // where a thread stops, it arrives at what it waits for
        let event = firstAtOrAfter(execution.eventTime, Math.max(begin, execution.intervalBegin[interval]!), execution.eventFirst[thread]!, last);
        for (; event < last && execution.eventTime[event]! <= until; ++event) {
            if (events[events.length - 1] !== event) {
                events.push(event);
            }
            if (events.length > most) {
                return null;
            }
        }
    }
    return events;
}

function firstAtOrAfter(times: Float64Array, time: number, from: number, to: number): number {
    let at = firstAfter(times, time, from, to);
    while (at > from && times[at - 1] === time) {
        --at;
    }
    return at;
}

// The processor on which a thread is at an instant, or leaves at it; none if it is on none.
export function cpuOfThreadAt(execution: Execution, thread: number, time: number): number {
    const first = execution.laneFirst[thread]!;
    const after = firstAfter(execution.intervalBegin, time, first, execution.laneFirst[thread + 1]!);
    for (let interval = after - 1; interval >= Math.max(first, after - 2); --interval) {
        const cpu = execution.intervalCpu[interval]!;
        if (cpu !== noCpu && execution.intervalEnd(interval) >= time) {
            return cpu;
        }
    }
    return none;
}

export function cpuOfEvent(execution: Execution, event: number): number {
    return cpuOfThreadAt(execution, execution.threadOfEvent(event), execution.eventTime[event]!);
}
