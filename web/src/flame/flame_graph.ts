// What is in a flame graph? Functions below those that called them, as long as the work within a range of time that they
// and all that they call took: in CPU time, or weighted by how much of the time that work decides.

import { none, type Execution } from "../execution.ts";
import { siteLabel, type Overview } from "../overview.ts";
import type { Range } from "../state.ts";
import type { OperationWeights } from "../weights.ts";
import { eachWork } from "../work_before.ts";
import type { WorkStacks } from "./work_stacks.ts";

export interface Frame {
    readonly name: string;
    readonly site: number; // a place in it; none: not known
    readonly time: number; // with all that it calls, ns
    readonly own: number; // without
    readonly calls: readonly Frame[]; // the longest first
}

export interface FlameGraph {
    readonly time: number;
    readonly below: number; // of work that has a negative weight: it cannot be drawn, and is left out
    readonly frames: readonly Frame[];
}

class Growing {
    own = 0;
    readonly name: string;
    readonly site: number;
    readonly calls = new Map<string, Growing>();

    constructor(name: string, site: number) {
        this.name = name;
        this.site = site;
    }

    call(name: string, site: number): Growing {
        const known = this.calls.get(name);
        if (known) {
            return known;
        }
        const made = new Growing(name, site);
        this.calls.set(name, made);
        return made;
    }
}

// `weights`: null: CPU time. Work outside of all functions that were recorded is of the one that makes the call.
export function flameGraph(execution: Execution, overview: Overview, stacks: WorkStacks, range: Range, weights: OperationWeights | null): FlameGraph {
    const root = new Growing("", none);
    const grown = new Map<number, Growing>();
    const frameOf = (stack: number): Growing => {
        let frame = grown.get(stack);
        if (!frame) {
            const caller = stacks.caller[stack] ?? none;
            const site = stacks.site[stack] ?? none;
            frame = (caller === none ? root : frameOf(caller)).call(functionAt(overview, site), site);
            grown.set(stack, frame);
        }
        return frame;
    };
    eachWork(execution, range, (thread, event, time) => {
        const operation = event - execution.eventFirst[thread]!;
        stacks.divide(thread, operation, time * (weights ? weights.of(thread, operation) : 1), (stack, part) => {
            const site = execution.eventSite[event]!;
            const frame = stack !== none ? frameOf(stack) : root.call(site === none ? overview.threads[thread]?.function || "unknown" : functionAt(overview, site), site);
            frame.own += part;
        });
    });
    let below = 0;
    const framesIn = (calls: ReadonlyMap<string, Growing>): Frame[] =>
        [...calls.values()]
            .map(({ name, site, own, calls: inner }) => {
                below += Math.min(0, own);
                const kept = Math.max(0, own);
                const frames = framesIn(inner);
                return { name, site, own: kept, time: frames.reduce((sum, frame) => sum + frame.time, kept), calls: frames };
            })
            .filter((frame) => frame.time > 0)
            .sort((a, b) => b.time - a.time);
    const frames = framesIn(root.calls);
    return { time: frames.reduce((sum, frame) => sum + frame.time, 0), below, frames };
}

export function functionAt(overview: Overview, site: number): string {
    return overview.sites[site]?.function || siteLabel(overview, site);
}

// Where a frame is drawn.
export interface Placed {
    readonly frame: Frame;
    readonly key: string; // the names on the way to it
    readonly depth: number;
    readonly left: number; // px
    readonly width: number;
}

// Those of at least `least` px, callers before what they call.
export function placed({ frames, time }: FlameGraph, width: number, least: number): Placed[] {
    const all: Placed[] = [];
    const scale = width / Math.max(1, time);
    const place = (calls: readonly Frame[], depth: number, left: number, above: string): void => {
        let at = left;
        for (const frame of calls) {
            const key = `${above}\n${frame.name}`;
            if (frame.time * scale >= least) {
                all.push({ frame, key, depth, left: at, width: frame.time * scale });
                place(frame.calls, depth + 1, at, key);
            }
            at += frame.time * scale;
        }
    };
    place(frames, 0, 0, "");
    return all;
}

// Which frame has the focus next: left and right at the same depth, down to what it calls, up to its caller.
export function frameBeside(all: readonly Placed[], from: Placed, key: string): Placed | null {
    const row = all.filter(({ depth }) => depth === from.depth);
    switch (key) {
        case "ArrowLeft":
            return row[row.indexOf(from) - 1] ?? null;
        case "ArrowRight":
            return row[row.indexOf(from) + 1] ?? null;
        case "ArrowDown":
            return all.find((each) => each.depth === from.depth + 1 && each.key.startsWith(`${from.key}\n`)) ?? null;
        case "ArrowUp":
            return all.find((each) => each.depth === from.depth - 1 && from.key.startsWith(`${each.key}\n`)) ?? null;
        case "Home":
            return all[0] ?? null;
        default:
            return null;
    }
}

// The functions that take most themselves, in all their frames.
export function busiest({ frames }: FlameGraph, most: number): string[] {
    const own = new Map<string, number>();
    const add = (frame: Frame): void => {
        own.set(frame.name, (own.get(frame.name) ?? 0) + frame.own);
        frame.calls.forEach(add);
    };
    frames.forEach(add);
    return [...own].sort(([, a], [, b]) => b - a).slice(0, most).map(([name]) => name);
}
