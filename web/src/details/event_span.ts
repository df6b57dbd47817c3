// How long does an event take, on which CPU, and which wait is its own? An event is the moment of a call; what the call
// makes of it, until its thread goes on with the program's work, are the intervals that begin there.

import { State, none, type Execution } from "../execution.ts";
import { cpuOfEvent } from "../timeline/cpu_events.ts";

export interface EventSpan {
    readonly cpu: number; // none: where threads share processors
    readonly begin: number; // ns
    readonly end: number; // when the thread goes on
    readonly wait: number; // the interval in which it waits, the longest of several; none
    readonly isEndless: boolean; // it waits for ever: the replay deadlocks
}

function isWaiting(state: number): boolean {
    return state === State.spinning || state >= State.blocked;
}

export function spanOf(execution: Execution, event: number): EventSpan {
    const thread = execution.threadOfEvent(event);
    const begin = execution.eventTime[event]!;
    const cpu = cpuOfEvent(execution, event);
    const isLast = event + 1 >= execution.eventFirst[thread + 1]!;
    const until = isLast ? Infinity : execution.eventTime[event + 1]!;
    const last = execution.laneFirst[thread + 1]!;
    let end = begin;
    let wait = none;
    let longest = 0;
    for (let interval = execution.intervalAt(thread, begin); interval < last; ++interval) {
        const state = execution.intervalState[interval]!;
        if (state === State.running || execution.intervalBegin[interval]! >= Math.max(until, begin + 1)) {
            break;
        }
        end = execution.intervalEnd(interval);
        const length = end - execution.intervalBegin[interval]!;
        if (isWaiting(state) && (wait === none || length > longest)) {
            wait = interval;
            longest = length;
        }
    }
    const isEndless = execution.totals.deadlocked && isLast && execution.stuckThread.includes(thread);
    return { cpu, begin, end: Math.min(end, Math.max(until, begin)), wait, isEndless };
}
