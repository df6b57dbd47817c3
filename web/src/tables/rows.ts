// What is in the rows of each table?

import { Execution, firstAfter, none, State, stateCount } from "../execution.ts";
import { objectLabel, siteLabel, threadLabel, type Overview } from "../overview.ts";
import type { Range } from "../state.ts";
import { markedTotals, siteSums } from "../waits.ts";

export interface ThreadRow {
    readonly id: number;
    readonly name: string;
    readonly function: string;
    readonly start: number;
    readonly end: number;
    readonly states: readonly number[]; // ns, in the order of ThreadState
}

export function threadRows(execution: Execution, overview: Overview): ThreadRow[] {
    return Array.from({ length: execution.threads }, (_, id) => ({
        id,
        name: threadLabel(overview, id),
        function: overview.threads[id]?.function ?? "",
        start: execution.threadCreated[id]!,
        end: execution.threadEnded[id]!,
        states: Array.from({ length: stateCount }, (_, state) => execution.timeInState(id, state)),
    }));
}

export interface ObjectRow {
    readonly id: number;
    readonly kind: string;
    readonly name: string;
    readonly operations: number;
    readonly blocked: number;
    readonly waiting: number;
    readonly idle: number;
    readonly spinning: number;
    readonly place: string;
}

export function objectRows(execution: Execution, overview: Overview): ObjectRow[] {
    return Array.from({ length: execution.objects }, (_, id) => {
        const entry = overview.objects[id];
        return {
            id,
            kind: entry?.kind ?? "",
            name: objectLabel(overview, id),
            operations: execution.objectOperations[id]!,
            blocked: execution.objectBlocked[id]!,
            waiting: execution.objectWaiting[id]!,
            idle: execution.objectIdle[id]!,
            spinning: execution.objectSpinning[id]!,
            place: entry?.first_site == null ? "" : siteLabel(overview, entry.first_site),
        };
    });
}

// A function of the program: what the threads that begin with it work, and what is waited at its calls.
export interface FunctionRow {
    readonly name: string;
    readonly site: number; // with the longest waiting; none if nothing is called there
    readonly thread: number; // that begins with it and works most; none if none does
    readonly threads: number;
    readonly working: number;
    readonly operations: number;
    readonly waiting: number;
    readonly spinning: number;
}

export function functionRows(execution: Execution, overview: Overview): FunctionRow[] {
    const rows = new Map<string, { -readonly [Key in keyof FunctionRow]: FunctionRow[Key] } & { longest: number; most: number }>();
    const rowOf = (name: string) => {
        let row = rows.get(name);
        if (!row) {
            row = { name, site: none, thread: none, threads: 0, working: 0, operations: 0, waiting: 0, spinning: 0, longest: -1, most: -1 };
            rows.set(name, row);
        }
        return row;
    };
    for (let id = 0; id < execution.threads; ++id) {
        const row = rowOf(overview.threads[id]?.function || "unknown");
        const working = execution.timeInState(id, State.running);
        ++row.threads;
        row.working += working;
        if (working > row.most) {
            row.most = working;
            row.thread = id;
        }
    }
    const sums = siteSums(execution);
    sums.operations.forEach((operations, site) => {
        const waiting = sums.waiting[site]!;
        if (operations === 0 && waiting === 0 && sums.processor[site] === 0) {
            return;
        }
        const row = rowOf(overview.sites[site]?.function || siteLabel(overview, site));
        row.operations += operations;
        row.waiting += waiting;
        row.spinning += sums.processor[site]!;
        if (waiting > row.longest) {
            row.longest = waiting;
            row.site = site;
        }
    });
    return [...rows.values()];
}

// Intervals of a thread within the range, by index; at most so many, from the first on.
export function intervalsOf(execution: Execution, thread: number, range: Range, most: number): number[] {
    const end = execution.laneFirst[thread + 1] ?? 0;
    const begin = Math.min(execution.laneFirst[thread] ?? 0, end);
    const at = firstAfter(execution.intervalBegin, range[0], begin, end);
    const first = Math.max(begin, at - 1);
    const last = firstAfter(execution.intervalBegin, range[1], first, end);
    return Array.from({ length: Math.min(most, last - first) }, (_, i) => first + i);
}

export interface ParallelismRow {
    readonly from: number;
    readonly to: number;
    readonly running: readonly [min: number, mean: number, max: number];
    readonly ready: readonly [min: number, mean: number, max: number];
    readonly waiting: readonly [min: number, mean: number, max: number];
}

// Running, ready and waiting threads in equal slices of the range. Cost: the steps within.
export function parallelismRows(execution: Execution, range: Range, slices: number): ParallelismRow[] {
    const length = (range[1] - range[0]) / slices;
    return Array.from({ length: slices }, (_, slice) => {
        const from = range[0] + slice * length;
        const to = from + length;
        const spread = (values: Float32Array | Uint32Array) => spreadWithin(execution, values, from, to);
        return { from, to, running: spread(execution.profileRunning), ready: spread(execution.profileReady), waiting: spread(execution.profileWaiting) };
    });
}

function spreadWithin(execution: Execution, values: Float32Array | Uint32Array, from: number, to: number): readonly [number, number, number] {
    const { profileTime: time } = execution;
    let i = Math.max(0, firstAfter(time, from, 0, time.length) - 1);
    let [min, max, area] = [Infinity, 0, 0];
    for (; i < time.length && time[i]! < to; ++i) {
        const begin = Math.max(from, time[i]!);
        const end = Math.min(to, i + 1 < time.length ? time[i + 1]! : execution.totals.completion);
        if (end > begin) {
            const value = values[i]!;
            min = value < min ? value : min;
            max = value > max ? value : max;
            area += value * (end - begin);
        }
    }
    return [min === Infinity ? 0 : min, area / (to - from), max];
}

export interface MarkedRow {
    readonly thread: number; // none: all together
    readonly name: string;
    readonly states: readonly number[];
}

export function markedRows(execution: Execution, overview: Overview, mark: Range): MarkedRow[] {
    const totals = markedTotals(execution, mark[0], mark[1]);
    return [
        { thread: none, name: "all threads", states: [...totals.all] },
        ...Array.from({ length: execution.threads }, (_, thread) => ({
            thread,
            name: threadLabel(overview, thread),
            states: [...totals.threads.subarray(thread * stateCount, (thread + 1) * stateCount)],
        })).filter((row) => row.states.some((time) => time > 0)),
    ];
}

export interface PathRow {
    readonly thread: number;
    readonly name: string;
    readonly begin: number;
    readonly end: number;
}

// The chain of causes that ends at the completion; at most so many of its pieces, from the first on.
export function pathRows(execution: Execution, overview: Overview, most: number): PathRow[] {
    return Array.from({ length: Math.min(most, execution.pathThread.length) }, (_, i) => ({
        thread: execution.pathThread[i]!,
        name: threadLabel(overview, execution.pathThread[i]!),
        begin: execution.pathBegin[i]!,
        end: execution.pathEnd[i]!,
    }));
}
