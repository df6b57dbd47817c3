// Executions of any size that never happened: for the benchmark and the tests, not part of the page. A list
// scheduler gives each thread, in the order in which they become ready, the processor that is free first.

import { executionMagic, writeContainer, type Column } from "./container.ts";
import { Cause, Execution, Operation, State, none, noCpu, pyramidFactor, stateCount } from "./execution.ts";
import type { ObjectEntry, Overview, PredictedCount, SiteEntry } from "./overview.ts";
import type { Request, Source, SourceText } from "./source.ts";

export interface Shape {
    readonly threads: number;
    readonly rounds: number; // of each thread: compute, then wait; about three intervals each
    readonly locks: number;
    readonly seed: number;
    readonly work?: number; // mean ns of a piece of work
}

export function withIntervals(threads: number, intervals: number): Shape {
    return { threads, rounds: Math.max(1, Math.round(intervals / threads / 3)), locks: 8, seed: 1 };
}

// mulberry32: the same numbers everywhere.
function randomFrom(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

const switchCost = 2_000;

class Intervals {
    begin: Float64Array;
    state: Uint8Array;
    cpu: Uint16Array;
    object: Uint32Array;
    releaser: Uint32Array;
    site: Uint32Array;
    size = 0;

    constructor(capacity: number) {
        this.begin = new Float64Array(capacity);
        this.state = new Uint8Array(capacity);
        this.cpu = new Uint16Array(capacity);
        this.object = new Uint32Array(capacity);
        this.releaser = new Uint32Array(capacity);
        this.site = new Uint32Array(capacity);
    }
    push(at: number, begin: number, state: number, cpu: number, object: number, releaser: number, site: number): void {
        this.begin[at] = begin;
        this.state[at] = state;
        this.cpu[at] = cpu;
        this.object[at] = object;
        this.releaser[at] = releaser;
        this.site[at] = site;
    }
}

// Threads by the time at which they become ready.
class ReadyHeap {
    private readonly threads: number[] = [];
    private readonly time: Float64Array;

    constructor(time: Float64Array) {
        this.time = time;
    }
    get empty(): boolean {
        return this.threads.length === 0;
    }
    push(thread: number): void {
        const heap = this.threads;
        let at = heap.push(thread) - 1;
        while (at > 0) {
            const parent = (at - 1) >> 1;
            if (!this.before(heap[at]!, heap[parent]!)) {
                break;
            }
            [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
            at = parent;
        }
    }
    pop(): number {
        const heap = this.threads;
        const top = heap[0]!;
        const last = heap.pop()!;
        if (heap.length > 0) {
            heap[0] = last;
            let at = 0;
            for (;;) {
                let child = 2 * at + 1;
                if (child >= heap.length) {
                    break;
                }
                if (child + 1 < heap.length && this.before(heap[child + 1]!, heap[child]!)) {
                    ++child;
                }
                if (!this.before(heap[child]!, heap[at]!)) {
                    break;
                }
                [heap[at], heap[child]] = [heap[child]!, heap[at]!];
                at = child;
            }
        }
        return top;
    }
    private before(a: number, b: number): boolean {
        return this.time[a]! < this.time[b]! || (this.time[a] === this.time[b] && a < b);
    }
}

// The bytes of an execution, as the replay would give them.
export function syntheticBytes(shape: Shape, cpus: number): ArrayBuffer {
    const { threads, rounds, locks } = shape;
    const work = shape.work ?? 1_000_000;
    const perThread = rounds * 4 + 1;
    const rows = new Intervals(threads * perThread);
    const count = new Uint32Array(threads);
    const randoms = Array.from({ length: threads }, (_, thread) => randomFrom(shape.seed * 7919 + thread));
    const ready = new Float64Array(threads);
    const left = new Uint32Array(threads).fill(rounds);
    const ended = new Float64Array(threads);
    const created = new Float64Array(threads);
    const cpuFree = new Float64Array(cpus);
    const lockFree = new Float64Array(locks);
    const holder = new Uint32Array(locks).fill(none);
    const maxEvents = Math.min(threads * rounds, 4_000_000);
    const eventTime = new Float64Array(threads * rounds);
    const eventKind = new Uint8Array(threads * rounds);
    const eventObject = new Uint32Array(threads * rounds);
    const eventSite = new Uint32Array(threads * rounds);
    const events = new Uint32Array(threads);
    const heap = new ReadyHeap(ready);
    for (let thread = 0; thread < threads; ++thread) {
        created[thread] = thread * 20_000;
        ready[thread] = created[thread]!;
        heap.push(thread);
    }
    const add = (thread: number, begin: number, state: number, cpu = noCpu, object = none, releaser = none, site = none) =>
        rows.push(thread * perThread + count[thread]!++, begin, state, cpu, object, releaser, site);
    while (!heap.empty) {
        const thread = heap.pop();
        const random = randoms[thread]!;
        let cpu = 0;
        for (let i = 1; i < cpus; ++i) {
            if (cpuFree[i]! < cpuFree[cpu]!) {
                cpu = i;
            }
        }
        const start = Math.max(ready[thread]!, cpuFree[cpu]!);
        if (start > ready[thread]!) {
            add(thread, ready[thread]!, State.ready);
        }
        add(thread, start, State.switching, cpu);
        const runs = start + switchCost;
        const spans = Math.max(1_000, -Math.log(1 - random()) * work);
        add(thread, runs, State.running, cpu);
        const stops = runs + spans;
        cpuFree[cpu] = stops;
        const event = thread * rounds + events[thread]!++;
        eventTime[event] = stops;
        if (--left[thread]! === 0) {
            eventKind[event] = Operation.end;
            eventObject[event] = none;
            eventSite[event] = none;
            ended[thread] = stops;
            continue;
        }
        const what = random();
        if (what < 0.6 && locks > 0) {
            const lock = Math.floor(random() * random() * locks);
            const free = Math.max(stops + 1_000, lockFree[lock]!);
            add(thread, stops, State.blocked, noCpu, lock, holder[lock] === thread ? none : holder[lock]!, lock % 5);
            lockFree[lock] = free + spans * 0.06;
            holder[lock] = thread;
            ready[thread] = free;
            eventKind[event] = Operation.lock;
            eventObject[event] = lock;
            eventSite[event] = lock % 5;
        } else if (what < 0.85) {
            add(thread, stops, State.inputOutput, noCpu, locks, none, 5);
            ready[thread] = stops + 20_000 + random() * work * 0.4;
            eventKind[event] = Operation.inputOutput;
            eventObject[event] = locks;
            eventSite[event] = 5;
        } else {
            add(thread, stops, State.sleeping, noCpu, none, none, 6);
            ready[thread] = stops + random() * work * 0.5;
            eventKind[event] = Operation.delay;
            eventObject[event] = none;
            eventSite[event] = 6;
        }
        heap.push(thread);
    }
    return assemble(shape, cpus, rows, count, perThread, created, ended, {
        time: eventTime,
        kind: eventKind,
        object: eventObject,
        site: eventSite,
        rounds,
        leftOut: threads * rounds > maxEvents,
    });
}

interface RawEvents {
    readonly time: Float64Array;
    readonly kind: Uint8Array;
    readonly object: Uint32Array;
    readonly site: Uint32Array;
    readonly rounds: number;
    readonly leftOut: boolean;
}

function assemble(
    shape: Shape,
    cpus: number,
    rows: Intervals,
    count: Uint32Array,
    perThread: number,
    created: Float64Array,
    ended: Float64Array,
    events: RawEvents,
): ArrayBuffer {
    const { threads } = shape;
    const objects = shape.locks + 1;
    const completion = ended.reduce((a, b) => Math.max(a, b), 0);
    const first = new Uint32Array(threads + 1);
    for (let thread = 0; thread < threads; ++thread) {
        first[thread + 1] = first[thread]! + count[thread]!;
    }
    const total = first[threads]!;
    const begin = new Float64Array(total);
    const state = new Uint8Array(total);
    const cpu = new Uint16Array(total);
    const object = new Uint32Array(total);
    const releaser = new Uint32Array(total);
    const site = new Uint32Array(total);
    for (let thread = 0; thread < threads; ++thread) {
        const from = thread * perThread;
        const to = from + count[thread]!;
        const at = first[thread]!;
        begin.set(rows.begin.subarray(from, to), at);
        state.set(rows.state.subarray(from, to), at);
        cpu.set(rows.cpu.subarray(from, to), at);
        object.set(rows.object.subarray(from, to), at);
        releaser.set(rows.releaser.subarray(from, to), at);
        site.set(rows.site.subarray(from, to), at);
    }
    const endOf = (thread: number, interval: number) =>
        interval + 1 < first[thread + 1]! ? begin[interval + 1]! : ended[thread]!;

    const threadState = new Float64Array(threads * stateCount);
    const operations = new Float64Array(objects);
    const blocked = new Float64Array(objects);
    const waiting = new Float64Array(objects);
    for (let thread = 0; thread < threads; ++thread) {
        for (let i = first[thread]!; i < first[thread + 1]!; ++i) {
            const time = endOf(thread, i) - begin[i]!;
            threadState[thread * stateCount + state[i]!]! += time;
            if (object[i] !== none) {
                operations[object[i]!]! += 1;
                blocked[object[i]!]! += 1;
                waiting[object[i]!]! += time;
            }
        }
    }
    const sumOf = (which: number) => {
        let sum = 0;
        for (let thread = 0; thread < threads; ++thread) {
            sum += threadState[thread * stateCount + which]!;
        }
        return sum;
    };
    const busy = sumOf(State.running);
    const overhead = sumOf(State.switching);
    const idle = Math.max(0, cpus * completion - busy - overhead);
    const wants = [sumOf(State.ready) * 0.1, sumOf(State.blocked), sumOf(State.inputOutput), sumOf(State.sleeping)];
    const wanted = wants.reduce((a, b) => a + b, 0);
    const charged = Math.min(idle, wanted);
    const share = wants.map((want) => (wanted > 0 ? (charged * want) / wanted : 0));
    const waitingForLocks = waiting.subarray(0, shape.locks).reduce((a, b) => a + b, 0);
    const objectIdle = waiting.map((time, i) =>
        i < shape.locks ? (waitingForLocks > 0 ? (share[1]! * time) / waitingForLocks : 0) : share[2]!,
    );

    const limits: [number, number, number][] = [
        [Cause.overhead, none, overhead],
        [Cause.ready, none, share[0]!],
        [Cause.inputOutput, shape.locks, share[2]!],
        [Cause.sleeping, none, share[3]!],
        [Cause.noThread, none, idle - charged],
    ];
    const byIdle = Array.from({ length: shape.locks }, (_, i) => i).sort((a, b) => objectIdle[b]! - objectIdle[a]!);
    byIdle.slice(0, 3).forEach((lock) => limits.push([Cause.lock, lock, objectIdle[lock]!]));
    limits.push([Cause.lock, none, byIdle.slice(3).reduce((sum, lock) => sum + objectIdle[lock]!, 0)]);
    const rowsOfLimits = [
        [Cause.busy, none, busy] as [number, number, number],
        ...limits.filter((limit) => limit[2] > 0).sort((a, b) => b[2] - a[2]),
    ];

    const columns = new Map<string, Column>();
    const totals = new Float64Array(24);
    totals.set([cpus, completion, busy, 0, 0, overhead, share[0]!, share[1]!, 0, share[2]!, share[3]!, 0]);
    totals[12] = idle - charged;
    totals[13] = completion * 0.8;
    totals[14] = events.time.length;
    totals[15] = total / 3;
    totals[19] = 1;
    totals[21] = events.leftOut ? 1 : 0;
    totals[22] = 1;
    columns.set("totals", totals);
    columns.set("thread.created", created);
    columns.set("thread.ended", ended);
    columns.set("thread.state", threadState);
    columns.set("object.operations", operations);
    columns.set("object.blocked", blocked);
    columns.set("object.waiting", waiting);
    columns.set("object.idle", objectIdle);
    columns.set("object.spinning", new Float64Array(objects));
    columns.set("limit.cause", Uint8Array.from(rowsOfLimits, (row) => row[0]));
    columns.set("limit.object", Uint32Array.from(rowsOfLimits, (row) => row[1]));
    columns.set("limit.time", Float64Array.from(rowsOfLimits, (row) => row[2]));
    columns.set("lane.first", first);
    columns.set("lane.end", ended);
    columns.set("interval.begin", begin);
    columns.set("interval.state", state);
    columns.set("interval.cpu", cpu);
    columns.set("interval.object", object);
    columns.set("interval.releaser", releaser);
    columns.set("interval.site", site);
    addPyramid(columns, first, ended, begin, state);
    addCpuLanes(columns, cpus, first, ended, begin, cpu);
    addProfile(columns, first, ended, begin, state, cpus);
    addEvents(columns, threads, objects, events);
    addPath(columns, threads, first, ended, begin, state, releaser);
    for (const name of ["thread", "object", "awaited", "holder", "site"]) {
        columns.set(`stuck.${name}`, new Uint32Array(0));
    }
    return writeContainer(executionMagic, columns);
}

function addPyramid(
    columns: Map<string, Column>,
    first: Uint32Array,
    ended: Float64Array,
    begin: Float64Array,
    state: Uint8Array,
): void {
    const threads = first.length - 1;
    const longestLane = first.reduce((most, at, i) => Math.max(most, i > 0 ? at - first[i - 1]! : 0), 0);
    let levels = 0;
    while (pyramidFactor ** levels < longestLane) {
        ++levels;
    }
    const firsts = new Uint32Array(levels * threads + 1);
    let nodes = 0;
    for (let level = 1; level <= levels; ++level) {
        for (let thread = 0; thread < threads; ++thread) {
            firsts[(level - 1) * threads + thread] = nodes;
            nodes += Math.ceil((first[thread + 1]! - first[thread]!) / pyramidFactor ** level);
        }
    }
    firsts[levels * threads] = nodes;
    const nodeState = new Uint8Array(nodes);
    const nodeBusy = new Uint8Array(nodes);
    const nodeLongest = new Float32Array(nodes);
    const time = new Float64Array(stateCount);
    for (let level = 1, node = 0; level <= levels; ++level) {
        const step = pyramidFactor ** level;
        for (let thread = 0; thread < threads; ++thread) {
            const last = first[thread + 1]!;
            for (let from = first[thread]!; from < last; from += step, ++node) {
                time.fill(0);
                let longest = 0;
                const to = Math.min(last, from + step);
                for (let i = from; i < to; ++i) {
                    const spans = (i + 1 < last ? begin[i + 1]! : ended[thread]!) - begin[i]!;
                    time[state[i]!]! += spans;
                    longest = Math.max(longest, spans);
                }
                const all = time.reduce((a, b) => a + b, 0);
                nodeState[node] = time.indexOf(time.reduce((a, b) => Math.max(a, b), 0));
                nodeBusy[node] = all > 0 ? Math.round((255 * time[State.running]!) / all) : 0;
                nodeLongest[node] = longest;
            }
        }
    }
    columns.set("pyramid.first", firsts);
    columns.set("pyramid.state", nodeState);
    columns.set("pyramid.busy", nodeBusy);
    columns.set("pyramid.longest", nodeLongest);
}

function addCpuLanes(
    columns: Map<string, Column>,
    cpus: number,
    first: Uint32Array,
    ended: Float64Array,
    begin: Float64Array,
    cpu: Uint16Array,
): void {
    const threads = first.length - 1;
    const lanes = new Uint32Array(cpus + 1);
    const owner = new Uint32Array(begin.length);
    for (let thread = 0; thread < threads; ++thread) {
        owner.fill(thread, first[thread], first[thread + 1]);
    }
    for (let i = 0; i < cpu.length; ++i) {
        if (cpu[i] !== noCpu) {
            lanes[cpu[i]! + 1]! += 1;
        }
    }
    for (let i = 0; i < cpus; ++i) {
        lanes[i + 1]! += lanes[i]!;
    }
    const at = lanes.slice();
    const intervals = new Uint32Array(lanes[cpus]!);
    for (let i = 0; i < cpu.length; ++i) {
        if (cpu[i] !== noCpu) {
            intervals[at[cpu[i]!]!++] = i;
        }
    }
    for (let i = 0; i < cpus; ++i) {
        intervals.subarray(lanes[i], lanes[i + 1]).sort((a, b) => begin[a]! - begin[b]!);
    }
    const longestLane = lanes.reduce((most, value, i) => Math.max(most, i > 0 ? value - lanes[i - 1]! : 0), 0);
    let levels = 0;
    while (pyramidFactor ** levels < longestLane) {
        ++levels;
    }
    const endOf = (i: number) => (i + 1 < first[owner[i]! + 1]! ? begin[i + 1]! : ended[owner[i]!]!);
    const firsts: number[] = [];
    const thread: number[] = [];
    const busy: number[] = [];
    for (let level = 1; level <= levels; ++level) {
        const step = pyramidFactor ** level;
        for (let lane = 0; lane < cpus; ++lane) {
            firsts.push(thread.length);
            for (let from = lanes[lane]!; from < lanes[lane + 1]!; from += step) {
                const to = Math.min(lanes[lane + 1]!, from + step);
                const byThread = new Map<number, number>();
                let used = 0;
                for (let i = from; i < to; ++i) {
                    const interval = intervals[i]!;
                    const spans = endOf(interval) - begin[interval]!;
                    used += spans;
                    byThread.set(owner[interval]!, (byThread.get(owner[interval]!) ?? 0) + spans);
                }
                const all = endOf(intervals[to - 1]!) - begin[intervals[from]!]!;
                let most = -1;
                let dominant = 0;
                for (const [id, spans] of byThread) {
                    if (spans > most) {
                        most = spans;
                        dominant = id;
                    }
                }
                thread.push(dominant);
                busy.push(all > 0 ? Math.round((255 * used) / all) : 0);
            }
        }
    }
    firsts.push(thread.length);
    columns.set("cpu.first", lanes);
    columns.set("cpu.interval", intervals);
    columns.set("cpu.pyramid.first", Uint32Array.from(firsts));
    columns.set("cpu.pyramid.thread", Uint32Array.from(thread));
    columns.set("cpu.pyramid.busy", Uint8Array.from(busy));
}

// Sorted instants at which threads enter and leave the states in `which`.
function changes(
    first: Uint32Array,
    ended: Float64Array,
    begin: Float64Array,
    state: Uint8Array,
    which: (state: number) => boolean,
): [Float64Array, Float64Array] {
    let size = 0;
    for (let i = 0; i < state.length; ++i) {
        size += which(state[i]!) ? 1 : 0;
    }
    const enter = new Float64Array(size);
    const leave = new Float64Array(size);
    let at = 0;
    for (let thread = 0; thread + 1 < first.length; ++thread) {
        for (let i = first[thread]!; i < first[thread + 1]!; ++i) {
            if (which(state[i]!)) {
                enter[at] = begin[i]!;
                leave[at++] = i + 1 < first[thread + 1]! ? begin[i + 1]! : ended[thread]!;
            }
        }
    }
    return [enter.sort(), leave.sort()];
}

function addProfile(
    columns: Map<string, Column>,
    first: Uint32Array,
    ended: Float64Array,
    begin: Float64Array,
    state: Uint8Array,
    cpus: number,
): void {
    const [runs, stops] = changes(first, ended, begin, state, (s) => s <= State.spinning);
    const [waits, goes] = changes(first, ended, begin, state, (s) => s === State.ready);
    const most = 2 * (runs.length + waits.length) + 1;
    const time = new Float64Array(most);
    const running = new Float32Array(most);
    const ready = new Uint16Array(most);
    let steps = 0;
    let [a, b, c, d] = [0, 0, 0, 0];
    while (b < stops.length || d < goes.length) {
        const now = Math.min(runs[a] ?? Infinity, stops[b] ?? Infinity, waits[c] ?? Infinity, goes[d] ?? Infinity);
        while (a < runs.length && runs[a]! <= now) ++a;
        while (b < stops.length && stops[b]! <= now) ++b;
        while (c < waits.length && waits[c]! <= now) ++c;
        while (d < goes.length && goes[d]! <= now) ++d;
        const on = Math.min(cpus, a - b);
        if (steps === 0 || running[steps - 1] !== on || ready[steps - 1] !== c - d) {
            time[steps] = now;
            running[steps] = on;
            ready[steps++] = c - d;
        }
    }
    columns.set("profile.time", time.slice(0, steps));
    columns.set("profile.running", running.slice(0, steps));
    columns.set("profile.ready", ready.slice(0, steps));
    addProfilePyramid(columns, time.subarray(0, steps), running, ready);
}

function addProfilePyramid(columns: Map<string, Column>, time: Float64Array, running: Float32Array, ready: Uint16Array): void {
    const firsts: number[] = [];
    const nodes: Record<string, number[]> = { min: [], max: [], mean: [], "ready.min": [], "ready.max": [], "ready.mean": [] };
    for (let step = pyramidFactor; step < time.length * pyramidFactor && time.length > 1; step *= pyramidFactor) {
        firsts.push(nodes["min"]!.length);
        for (let from = 0; from < time.length; from += step) {
            const to = Math.min(time.length, from + step);
            for (const [prefix, values] of [["", running], ["ready.", ready]] as const) {
                let [min, max, area, span] = [Infinity, -Infinity, 0, 0];
                for (let i = from; i < to; ++i) {
                    const spans = i + 1 < time.length ? time[i + 1]! - time[i]! : 0;
                    min = Math.min(min, values[i]!);
                    max = Math.max(max, values[i]!);
                    area += values[i]! * spans;
                    span += spans;
                }
                nodes[prefix + "min"]!.push(min);
                nodes[prefix + "max"]!.push(max);
                nodes[prefix + "mean"]!.push(span > 0 ? area / span : max);
            }
        }
    }
    firsts.push(nodes["min"]!.length);
    columns.set("profile.pyramid.first", Uint32Array.from(firsts));
    for (const [name, values] of Object.entries(nodes)) {
        columns.set(`profile.${name}`, Float32Array.from(values));
    }
}

function addEvents(columns: Map<string, Column>, threads: number, objects: number, events: RawEvents): void {
    const kept = events.leftOut ? 0 : events.rounds;
    columns.set("event.first", Uint32Array.from({ length: threads + 1 }, (_, thread) => thread * kept));
    const size = kept * threads;
    columns.set("event.time", events.time.slice(0, size));
    columns.set("event.kind", events.kind.slice(0, size));
    columns.set("event.object", events.object.slice(0, size));
    columns.set("event.site", events.site.slice(0, size));
    const byObject: number[][] = Array.from({ length: objects }, () => []);
    for (let i = 0; i < size; ++i) {
        if (events.object[i] !== none) {
            byObject[events.object[i]!]!.push(i);
        }
    }
    byObject.forEach((list) => list.sort((a, b) => events.time[a]! - events.time[b]!));
    const first = [0];
    byObject.forEach((list, i) => first.push(first[i]! + list.length));
    columns.set("object.event.first", Uint32Array.from(first));
    columns.set("object.event", Uint32Array.from(byObject.flat()));
}

const longestPath = 100_000;

function addPath(
    columns: Map<string, Column>,
    threads: number,
    first: Uint32Array,
    ended: Float64Array,
    begin: Float64Array,
    state: Uint8Array,
    releaser: Uint32Array,
): void {
    let thread = 0;
    for (let i = 1; i < threads; ++i) {
        thread = ended[i]! > ended[thread]! ? i : thread;
    }
    const rows: [number, number, number][] = [];
    let end = ended[thread]!;
    let interval = first[thread + 1]! - 1;
    while (interval >= first[thread]! && rows.length < longestPath) {
        const cause = releaser[interval]!;
        if (state[interval] === State.blocked && cause !== none) {
            const at = begin[interval]! + (end - begin[interval]!) / 2;
            rows.push([thread, at, end]);
            end = at;
            thread = cause;
            let low = first[thread]!;
            let high = first[thread + 1]!;
            while (low < high) {
                const middle = (low + high) >>> 1;
                if (begin[middle]! < end) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            interval = low - 1;
        } else {
            const last = rows[rows.length - 1];
            if (last && last[0] === thread && last[1] === end) {
                last[1] = begin[interval]!;
            } else {
                rows.push([thread, begin[interval]!, end]);
            }
            end = begin[interval]!;
            --interval;
        }
    }
    rows.reverse();
    columns.set("path.thread", Uint32Array.from(rows, (row) => row[0]));
    columns.set("path.begin", Float64Array.from(rows, (row) => row[1]));
    columns.set("path.end", Float64Array.from(rows, (row) => row[2]));
}

export function syntheticExecution(shape: Shape, cpus: number): Execution {
    return new Execution(syntheticBytes(shape, cpus));
}

export interface OverviewWishes {
    readonly title?: string;
    readonly name?: (thread: number) => string;
    readonly measured?: boolean;
    readonly findings?: boolean;
}

export function syntheticOverview(shape: Shape, counts: readonly number[], wishes: OverviewWishes = {}): Overview {
    const runs = counts.map((cpus) => syntheticExecution(shape, cpus));
    const one = runs[0]!.totals.completion;
    const work = runs[0]!.totals.busy;
    const span = Math.max(...runs[0]!.threadState.filter((_, i) => i % stateCount === State.running));
    const sites: SiteEntry[] = Array.from({ length: 7 }, (_, i) => ({
        name: `${["compress_thread", "write_thread", "get_block", "put_block", "finish", "load_read", "throttle"][i]}, pigz.c:${100 + i * 137}`,
        file: "/build/pigz/pigz.c",
        line: 100 + i * 137,
        function: ["compress_thread", "write_thread", "get_block", "put_block", "finish", "load_read", "throttle"][i]!,
    }));
    const objects: ObjectEntry[] = Array.from({ length: shape.locks + 1 }, (_, i) => ({
        kind: i < shape.locks ? "mutex" : "descriptor",
        name: i < shape.locks ? `${["compress_have", "write_first", "pool", "queue"][i % 4]}${i < 4 ? "" : i}` : "big.tar",
        first_site: i < shape.locks ? i % 5 : 5,
    }));
    const predictions: PredictedCount[] = runs.map((run, i) => {
        const cpus = counts[i]!;
        const speedUp = one / run.totals.completion;
        return {
            cpus,
            time_ns: run.totals.completion,
            speed_up: speedUp,
            efficiency: speedUp / cpus,
            speed_up_bounds: [speedUp * 0.9, Math.min(cpus, speedUp * 1.08)],
            limits: run.limits.map((limit) => ({
                cause: causeNames[limit.cause]!,
                object: null,
                site: null,
                share: limit.share,
                processor_time_ns: limit.time,
            })),
        };
    });
    return {
        schema: "parcast.view/1",
        parcast: "0.0.0",
        title: wishes.title ?? "pigz -p 8 -k big.tar",
        prediction: {
            schema: "parcast.predict/1",
            input: { file: "pigz.4711.parcast", command: ["pigz", "-p", "8", "-k", "big.tar"] },
            recorded: { cpu_time_ns: work, threads: shape.threads, pretended_cpus: null },
            model: "direct",
            machine: { name: "synthetic", scheduler: "linux", notes: [] },
            work_ns: work,
            span_ns: span,
            span_work_ns: span,
            time_on_one_cpu_ns: one,
            findings: wishes.findings
                ? [
                      {
                          kind: "spin_waiting",
                          severity: "warning",
                          message: "thread 3 (spin_wait, queue.c:41) was spinning for 4.1 s; its waiting is counted as work, so the prediction is too slow.",
                          thread: { id: 3, text: "thread 3" },
                          place: null,
                      },
                  ]
                : [],
            predictions,
            scaling: { scales_to_cpus: 8, first_cpus_beyond: 16, verdict: [], next_command: null },
            assumptions: [],
        },
        measured: wishes.measured
            ? predictions
                  .filter((run) => run.cpus <= 4)
                  .map((run) => ({ cpus: run.cpus, speed_up: run.speed_up! * 0.97, low: run.speed_up! * 0.93, high: run.speed_up! * 1.01 }))
            : [],
        threads: Array.from({ length: shape.threads }, (_, i) => ({
            name: wishes.name?.(i) ?? (i === 0 ? "main" : `compress ${i}`),
            function: i === 0 ? "main" : "compress_thread",
            parent: i === 0 ? null : 0,
            start_site: i === 0 ? null : 4,
        })),
        objects,
        sites,
        states: stateNames,
        operations: operationNames,
        causes: causeNames,
        schedulers: ["linux", "ideal"],
        scheduler: "linux",
        cpus: counts,
        max_cpus: counts[counts.length - 1]!,
        capabilities: { simulate: true, source_text: true, compare: false },
    };
}

export const stateNames = ["running", "switching", "spinning", "ready", "blocked", "sleeping", "input_output"];
export const causeNames = [
    "busy",
    "slowed",
    "spinning",
    "overhead",
    "ready",
    "lock",
    "condition",
    "input_output",
    "sleeping",
    "joining",
    "no_thread",
];
export const operationNames = [
    "work only",
    "end",
    "create",
    "join",
    "join any",
    "lock",
    "unlock",
    "read lock",
    "write lock",
    "read-write unlock",
    "condition wait",
    "condition signal",
    "condition barrier",
    "barrier wait",
    "semaphore wait",
    "semaphore post",
    "delay",
    "input/output",
    "yield",
    "set affinity",
    "set priority",
    "activate",
    "accept",
];

export class SyntheticSource implements Source {
    private readonly shape: Shape;
    private readonly view: Overview;

    constructor(shape: Shape, counts: readonly number[], wishes: OverviewWishes = {}) {
        this.shape = shape;
        this.view = syntheticOverview(shape, counts, wishes);
    }
    overview(): Promise<Overview> {
        return Promise.resolve(this.view);
    }
    offered(): Promise<null> {
        return Promise.resolve(null);
    }
    execution(request: Request): Promise<Execution> {
        return Promise.resolve(syntheticExecution(this.shape, request.cpus));
    }
    sourceText(site: number): Promise<SourceText | null> {
        const entry = this.view.sites[site];
        return Promise.resolve(
            entry
                ? {
                      file: entry.file,
                      first_line: entry.line - 3,
                      lines: Array.from({ length: 7 }, (_, i) => `    line ${entry.line - 3 + i} of <b>${entry.function}</b>;`),
                  }
                : null,
        );
    }
}
