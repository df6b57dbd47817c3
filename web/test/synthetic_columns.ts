// The columns of a synthetic execution that follow from its intervals: levels of detail, lanes by CPU, parallelism,
// events by object, and a chain of causes. Computed as docs/formats/execution.md defines them, with no regard to speed.

import type { Column } from "../src/container.ts";
import { none, noCpu, pyramidFactor, State, stateCount } from "../src/execution.ts";

export interface RawEvents {
    readonly time: Float64Array;
    readonly kind: Uint8Array;
    readonly object: Uint32Array;
    readonly site: Uint32Array;
    readonly rounds: number;
    readonly leftOut: boolean;
}

export function addPyramid(
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

export function addCpuLanes(
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

export function addProfile(
    columns: Map<string, Column>,
    first: Uint32Array,
    ended: Float64Array,
    begin: Float64Array,
    state: Uint8Array,
    cpus: number,
): void {
    const [runs, stops] = changes(first, ended, begin, state, (s) => s <= State.spinning);
    const [waits, goes] = changes(first, ended, begin, state, (s) => s === State.ready);
    const [blocks, frees] = changes(first, ended, begin, state, (s) => s > State.ready && s <= State.inputAndOutput);
    const most = 2 * (runs.length + waits.length + blocks.length) + 1;
    const time = new Float64Array(most);
    const running = new Float32Array(most);
    const ready = new Uint32Array(most);
    const waiting = new Uint32Array(most);
    let steps = 0;
    let [a, b, c, d, e, f] = [0, 0, 0, 0, 0, 0];
    while (b < stops.length || d < goes.length || f < frees.length) {
        const now = Math.min(runs[a] ?? Infinity, stops[b] ?? Infinity, waits[c] ?? Infinity, goes[d] ?? Infinity, blocks[e] ?? Infinity, frees[f] ?? Infinity);
        while (a < runs.length && runs[a]! <= now) ++a;
        while (b < stops.length && stops[b]! <= now) ++b;
        while (c < waits.length && waits[c]! <= now) ++c;
        while (d < goes.length && goes[d]! <= now) ++d;
        while (e < blocks.length && blocks[e]! <= now) ++e;
        while (f < frees.length && frees[f]! <= now) ++f;
        const on = Math.min(cpus, a - b);
        if (steps === 0 || running[steps - 1] !== on || ready[steps - 1] !== c - d || waiting[steps - 1] !== e - f) {
            time[steps] = now;
            running[steps] = on;
            ready[steps] = c - d;
            waiting[steps++] = e - f;
        }
    }
    columns.set("profile.time", time.slice(0, steps));
    columns.set("profile.running", running.slice(0, steps));
    columns.set("profile.ready", ready.slice(0, steps));
    columns.set("profile.waiting", waiting.slice(0, steps));
    addProfilePyramid(columns, time.subarray(0, steps), { "": running, "ready.": ready, "waiting.": waiting });
}

function addProfilePyramid(columns: Map<string, Column>, time: Float64Array, curves: Readonly<Record<string, Float32Array | Uint32Array>>): void {
    const firsts: number[] = [];
    const nodes: Record<string, number[]> = Object.fromEntries(Object.keys(curves).flatMap((prefix) => ["min", "max", "mean"].map((name) => [prefix + name, []])));
    for (let step = pyramidFactor; step < time.length * pyramidFactor && time.length > 1; step *= pyramidFactor) {
        firsts.push(nodes["min"]!.length);
        for (let from = 0; from < time.length; from += step) {
            const to = Math.min(time.length, from + step);
            for (const [prefix, values] of Object.entries(curves)) {
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

export function addEvents(columns: Map<string, Column>, threads: number, objects: number, events: RawEvents): void {
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

export function addPath(
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
