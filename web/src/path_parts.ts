// Which functions make up the critical path, and for how much of it is which lock held? The work before an operation is
// that of the function that calls it; behind the last one, that of the thread's own function.

import { none, Operation, type Execution } from "./execution.ts";
import { objectLabel, siteLabel, type Overview } from "./overview.ts";
import { PathByThread } from "./timeline/path.ts";

export interface PathPart {
    readonly name: string;
    readonly time: number; // ns on the path
    readonly index: number; // of the site at which most of it ends, or of the lock; none: not known
}

export interface PathParts {
    readonly length: number; // ns, of the whole path
    readonly functions: readonly PathPart[]; // the longest first; they sum to the length
    readonly locks: readonly PathPart[]; // held meanwhile, of those that somebody waits for
}

interface Sums {
    readonly sites: Map<number, number>;
    readonly threads: Map<number, number>; // time before no operation with a known place
    readonly locks: Map<number, number>;
}

// Cost: a pass over the path and over the events of its threads.
export function pathParts(execution: Execution, overview: Overview): PathParts {
    const sums: Sums = { sites: new Map(), threads: new Map(), locks: new Map() };
    const path = new PathByThread(execution);
    for (let thread = 0; thread < execution.threads; ++thread) {
        sumThread(execution, thread, path.piecesOf(thread), sums);
    }
    const named = new Map<string, { time: number; index: number; most: number }>();
    const addTo = (name: string, time: number, index: number) => {
        const part = named.get(name) ?? { time: 0, index: none, most: 0 };
        part.time += time;
        if (index !== none && time > part.most) {
            part.most = time;
            part.index = index;
        }
        named.set(name, part);
    };
    sums.sites.forEach((time, site) => addTo(overview.sites[site]?.function || siteLabel(overview, site), time, site));
    sums.threads.forEach((time, thread) => addTo(overview.threads[thread]?.function || "unknown", time, none));
    const functions = [...named].map(([name, { time, index }]) => ({ name, time, index }));
    const locks = [...sums.locks]
        .filter(([lock]) => execution.objectBlocked[lock]! > 0)
        .map(([lock, time]) => ({ name: objectLabel(overview, lock), time, index: lock }));
    const length = functions.reduce((sum, part) => sum + part.time, 0);
    return { length, functions: falling(functions), locks: falling(locks) };
}

function falling(parts: PathPart[]): PathPart[] {
    return parts.sort((a, b) => b.time - a.time);
}

function add(sums: Map<number, number>, key: number, time: number): void {
    sums.set(key, (sums.get(key) ?? 0) + time);
}

function sumThread(execution: Execution, thread: number, pieces: Uint32Array, sums: Sums): void {
    const { eventTime, eventSite, pathBegin, pathEnd } = execution;
    const last = execution.eventFirst[thread + 1]!;
    const held: number[] = [];
    let event = execution.eventFirst[thread]!;
    for (const piece of pieces) {
        let from = pathBegin[piece]!;
        const end = pathEnd[piece]!;
        for (; event < last && eventTime[event]! <= from; ++event) {
            hold(execution, event, held);
        }
        while (from < end) {
            const until = event < last ? Math.min(end, eventTime[event]!) : end;
            const site = event < last ? eventSite[event]! : none;
            site === none ? add(sums.threads, thread, until - from) : add(sums.sites, site, until - from);
            if (held.length > 0) {
                add(sums.locks, held[held.length - 1]!, until - from); // the innermost
            }
            from = until;
            for (; event < last && eventTime[event]! <= from; ++event) {
                hold(execution, event, held);
            }
        }
    }
}

function hold(execution: Execution, event: number, held: number[]): void {
    const object = execution.eventObject[event]!;
    switch (execution.eventKind[event]) {
        case Operation.lock:
        case Operation.readLock:
        case Operation.writeLock:
            held.push(object);
            break;
        case Operation.unlock:
        case Operation.readWriteUnlock: {
            const at = held.lastIndexOf(object);
            if (at >= 0) {
                held.splice(at, 1);
            }
            break;
        }
    }
}

// A row of the table over the counts: the share of the path at each of them.
export interface PathRow {
    readonly kind: "function" | "lock";
    readonly name: string;
    readonly index: number;
    readonly shares: readonly (number | null)[]; // by count, in the order given; null: not known yet
}

const leastShare = 0.005; // somewhere: of less nothing can be gained

export function pathRowsOver(counts: readonly (PathParts | null)[]): PathRow[] {
    const rows = new Map<string, PathRow & { readonly most: number }>();
    for (const kind of ["function", "lock"] as const) {
        const partsAt = counts.map((parts) => (parts ? (kind === "function" ? parts.functions : parts.locks) : null));
        for (const name of new Set(partsAt.flatMap((parts) => parts?.map((part) => part.name) ?? []))) {
            const found = partsAt.map((parts) => parts?.find((part) => part.name === name));
            const shares = counts.map((parts, i) => (parts ? (parts.length > 0 ? (found[i]?.time ?? 0) / parts.length : 0) : null));
            const most = Math.max(...shares.map((share) => share ?? 0));
            const index = found.find((part) => part && part.index !== none)?.index ?? none;
            rows.set(`${kind} ${name}`, { kind, name, index, shares, most });
        }
    }
    return [...rows.values()]
        .filter((row) => row.most >= leastShare)
        .sort((a, b) => a.kind.localeCompare(b.kind) || b.most - a.most);
}
