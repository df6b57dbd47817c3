// What does each CPU do in a range? The lanes by CPU as numbers.

import { firstAfter, none, noCpu, State, stateCount, type Execution } from "../execution.ts";
import type { Range } from "../state.ts";
import { intervalsBefore } from "../timeline/cpu_pixels.ts";

export interface CpuRow {
    readonly cpu: number;
    readonly states: readonly number[]; // ns that it spends on threads, in the order of ThreadState
    readonly idle: number; // ns
    readonly turns: number; // intervals of threads
    readonly threads: number; // that it runs
    readonly longest: number; // thread that it runs most; none if it runs none
    readonly longestTime: number; // ns
}

interface Sum {
    states: number[];
    turns: number;
    threads: number;
    longest: number;
    longestTime: number;
    ofThread: number; // ns of the thread that is looked at
}

// Cost: the intervals within.
export function cpuRows(execution: Execution, range: Range): CpuRow[] {
    const sums = Array.from({ length: execution.cpus }, (): Sum => ({ states: new Array<number>(stateCount).fill(0), turns: 0, threads: 0, longest: none, longestTime: 0, ofThread: 0 }));
    for (let thread = 0; thread < execution.threads; ++thread) {
        addThread(execution, thread, range, sums);
        sums.forEach((sum) => takeThread(sum, thread));
    }
    const length = range[1] - range[0];
    return sums.map(({ states, turns, threads, longest, longestTime }, cpu) => ({
        cpu,
        states,
        idle: Math.max(0, length - states.reduce((all, time) => all + time, 0)),
        turns,
        threads,
        longest,
        longestTime,
    }));
}

function addThread(execution: Execution, thread: number, [begin, end]: Range, sums: readonly Sum[]): void {
    const first = execution.laneFirst[thread]!;
    const last = execution.laneFirst[thread + 1]!;
    for (let i = Math.max(first, firstAfter(execution.intervalBegin, begin, first, last) - 1); i < last && execution.intervalBegin[i]! < end; ++i) {
        const cpu = execution.intervalCpu[i]!;
        const until = i + 1 < last ? execution.intervalBegin[i + 1]! : execution.laneEnd[thread]!;
        const time = Math.min(end, until) - Math.max(begin, execution.intervalBegin[i]!);
        const sum = cpu === noCpu ? undefined : sums[cpu];
        if (sum && time > 0) {
            sum.states[execution.intervalState[i]!]! += time;
            sum.ofThread += time;
            ++sum.turns;
        }
    }
}

function takeThread(sum: Sum, thread: number): void {
    if (sum.ofThread > 0) {
        ++sum.threads;
    }
    if (sum.ofThread > sum.longestTime) {
        sum.longest = thread;
        sum.longestTime = sum.ofThread;
    }
    sum.ofThread = 0;
}

export function busyTime({ states }: CpuRow): number {
    return states[State.running]!;
}

// Intervals of a CPU within the range, by index; at most so many, from the first on.
export function intervalsOfCpu(execution: Execution, cpu: number, range: Range, most: number): number[] {
    if (cpu >= execution.cpus) {
        return [];
    }
    const begin = execution.cpuFirst[cpu]!;
    const first = begin + Math.max(0, intervalsBefore(execution, cpu, range[0]) - 1);
    const last = begin + intervalsBefore(execution, cpu, range[1]);
    const within = execution.cpuInterval.subarray(first, Math.min(last, first + most + 1)); // the first may end before
    return Array.from(within.filter((interval) => execution.intervalEnd(interval) > range[0])).slice(0, most);
}

// The CPU that a selection in the lanes by CPU is on; none if it is on none.
export function cpuOfInterval(execution: Execution, interval: number): number {
    const cpu = interval < execution.intervals ? execution.intervalCpu[interval]! : noCpu;
    return cpu === noCpu ? none : cpu;
}
