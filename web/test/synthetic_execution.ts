// Executions of any size that never happened. A list
// scheduler gives each thread, in the order in which they become ready, the processor that is free first.

import { executionMagic, type Column } from "../src/container.ts";
import { Cause, Execution, Operation, State, none, noCpu, stateCount, type TotalName } from "../src/execution.ts";
import { counted } from "../src/format.ts";
import { schedulers, totalNames } from "../src/generated.ts";
import { writeContainer } from "./container_writer.ts";
import { addCpuLanes, addEvents, addPath, addProfile, addPyramid, type RawEvents } from "./synthetic_columns.ts";

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
            add(thread, stops, State.inputAndOutput, noCpu, locks, none, 5);
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
    const wants = [sumOf(State.ready) * 0.1, sumOf(State.blocked), sumOf(State.inputAndOutput), sumOf(State.sleeping)];
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
    const totals: Partial<Record<TotalName, number>> = {
        cpus,
        completion,
        busy,
        overhead,
        ready: share[0]!,
        lock: share[1]!,
        inputOutput: share[2]!,
        sleeping: share[3]!,
        noThread: idle - charged,
        pathBusy: completion * 0.8,
        operations: events.time.length,
        contextSwitches: total / 3,
        scheduler: schedulers.indexOf("linux"),
        eventsLeftOut: events.leftOut ? 1 : 0,
        predicted: 1,
    };
    columns.set("totals", Float64Array.from(totalNames, (name) => totals[name] ?? 0));
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
    columns.set("stuck.thread", new Uint32Array(0));
    columns.set("sentences", new TextEncoder().encode(syntheticSentences(cpus)));
    return writeContainer(executionMagic, columns);
}

// As the simulator would write them (docs/formats/execution.md).
function syntheticSentences(cpus: number): string {
    return [
        `limits\t\tOn ${counted(cpus, "CPU")} 30 % of the processor time is lost to waiting for {object 0}.\t`,
        "where\t\t60 % of the waiting for {object 0} begins at {site 0}.\t",
        "attempt\tobjects\tTry: hold it for less time, or put several locks in its place. How long it is held:\t",
        "",
    ].join("\n");
}

export function syntheticExecution(shape: Shape, cpus: number): Execution {
    return new Execution(syntheticBytes(shape, cpus));
}
