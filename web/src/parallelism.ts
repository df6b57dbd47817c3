// How many threads (or tasks) are there to run, and when only one? From the steps of the profile, so of the execution
// that is looked at, not of the program at large.

import type { Execution } from "./execution.ts";
import { togetherOf } from "./timeline/profile_together.ts";

export interface Alone {
    readonly thread: number;
    readonly share: number; // of the completion time
}

// Steps that are left out, as in an answer of totals alone, say nothing.
export function hasProfile(execution: Execution): boolean {
    return execution.profileTime.length > 0;
}

// The most that run or are ready at one instant.
export function mostAtOnce(execution: Execution): number {
    return togetherOf(execution).most;
}

// The share of the time in which fewer run or are ready than there are CPUs.
export function shareBelowCpus(execution: Execution): number {
    const { completion, cpus } = execution.totals;
    let time = 0;
    for (let step = 0; step < execution.profileTime.length; ++step) {
        if (together(execution, step) < cpus) {
            time += endOf(execution, step) - execution.profileTime[step]!;
        }
    }
    return completion > 0 ? time / completion : 0;
}

// Who is longest on the critical path while no other thread runs or is ready. Cost: a pass over the path and the steps.
export function longestAlone(execution: Execution): Alone | null {
    const { pathThread, pathBegin, pathEnd, profileTime, threads } = execution;
    const { completion } = execution.totals;
    const times = new Float64Array(threads);
    let step = 0;
    for (let piece = 0; piece < pathThread.length; ++piece) {
        if (pathThread[piece]! >= threads) {
            continue;
        }
        while (step < profileTime.length && endOf(execution, step) <= pathBegin[piece]!) {
            ++step;
        }
        for (let at = step; at < profileTime.length && profileTime[at]! < pathEnd[piece]!; ++at) {
            if (together(execution, at) <= 1) {
                times[pathThread[piece]!]! += Math.min(endOf(execution, at), pathEnd[piece]!) - Math.max(profileTime[at]!, pathBegin[piece]!);
            }
        }
    }
    const thread = times.reduce((most, time, id) => (time > times[most]! ? id : most), 0);
    return completion > 0 && times[thread]! > 0 ? { thread, share: times[thread]! / completion } : null;
}

function together(execution: Execution, step: number): number {
    return execution.profileRunning[step]! + execution.profileReady[step]!;
}

function endOf({ profileTime, totals }: Execution, step: number): number {
    return profileTime[step + 1] ?? totals.completion;
}
