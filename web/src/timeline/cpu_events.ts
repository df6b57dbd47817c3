// Which events lie in a processor's lane? Those of the threads that it runs, at the time at which it runs them.

import { firstAfter, none, noCpu, type Execution } from "../execution.ts";
import { intervalsBefore } from "./cpu_pixels.ts";

// Events of the processor in [begin, end], in the order of time; null if there are more than `most` of them, or more
// intervals in which they lie. Cost: O((most + mostIntervals) * log).
export function eventsOnCpu(execution: Execution, cpu: number, begin: number, end: number, most: number, mostIntervals = most): number[] | null {
    const events: number[] = [];
    const isWhole = eventsInIntervals(execution, cpu, begin, end, mostIntervals, (first, last) => {
        for (let event = events[events.length - 1] === first ? first + 1 : first; event < last && events.length <= most; ++event) {
            events.push(event);
        }
        return events.length <= most;
    });
    return isWhole ? events : null;
}

// Calls with the events [first, last) in each interval of the processor in [begin, end] that has any, as long as the
// call returns true; false where one did not, or there are more than `most` intervals. Cost: O(intervals * log).
export function eventsInIntervals(
    execution: Execution,
    cpu: number,
    begin: number,
    end: number,
    most: number,
    each: (first: number, last: number) => boolean,
): boolean {
    const { eventTime } = execution;
    const lane = execution.cpuFirst[cpu]!;
    const from = lane + Math.max(0, intervalsBefore(execution, cpu, begin) - 2); // one may end as the next begins
    const to = lane + intervalsBefore(execution, cpu, end);
    if (to - from > most) {
        return false;
    }
    for (let place = from; place < to; ++place) {
        const interval = execution.cpuInterval[place]!;
        const thread = execution.threadOfInterval(interval);
        const until = Math.min(end, execution.intervalEnd(interval)); // where a thread stops, it arrives at what it waits for
        const last = execution.eventFirst[thread + 1]!;
        const first = firstAtOrAfter(eventTime, Math.max(begin, execution.intervalBegin[interval]!), execution.eventFirst[thread]!, last);
        const behind = firstAfter(eventTime, until, first, last);
        if (behind > first && !each(first, behind)) {
            return false;
        }
    }
    return true;
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

// Where and when a thread that is released at an instant runs next; null: never.
export function nextRunOf(execution: Execution, thread: number, time: number): { readonly cpu: number; readonly time: number } | null {
    const last = execution.laneFirst[thread + 1]!;
    const after = firstAfter(execution.intervalBegin, time, execution.laneFirst[thread]!, last);
    for (let interval = Math.max(execution.laneFirst[thread]!, after - 1); interval < last; ++interval) {
        if (execution.intervalCpu[interval] !== noCpu) {
            return { cpu: execution.intervalCpu[interval]!, time: Math.max(time, execution.intervalBegin[interval]!) };
        }
    }
    return null;
}

export function cpuOfEvent(execution: Execution, event: number): number {
    return cpuOfThreadAt(execution, execution.threadOfEvent(event), execution.eventTime[event]!);
}
