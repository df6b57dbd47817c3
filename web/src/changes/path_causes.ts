// What is the critical path of an execution spent on, function by function? Running, with or without a lock, or ready,
// being switched to, or away. The work before an operation counts for the function that calls it.

import { firstAfter, none, Operation, State, type Execution } from "../execution.ts";
import { objectLabel, siteLabel, stateLabel, type Overview } from "../overview.ts";
import { PathByThread } from "../timeline/path.ts";

export interface CauseRow {
    readonly name: string;
    readonly site: number; // of most of its time; none: not known
    readonly time: number; // ns on the path
    readonly causes: ReadonlyMap<string, number>; // keys of `CauseTable::causes`
}

export interface CauseTable {
    readonly length: number; // of the path
    readonly causes: readonly { readonly key: string; readonly text: string; readonly object: number }[];
    readonly rows: readonly CauseRow[]; // the longest first
}

const leastShare = 0.005;

class Row {
    time = 0;
    site: number = none;
    private most = 0;
    readonly causes = new Map<string, number>();

    add(cause: string, time: number, site: number): void {
        this.time += time;
        this.causes.set(cause, (this.causes.get(cause) ?? 0) + time);
        if (site !== none && time > this.most) {
            this.most = time;
            this.site = site;
        }
    }
}

// Cost: a pass over the path, and over the events and intervals of its threads.
export function pathCauses(execution: Execution, overview: Overview): CauseTable {
    const rows = new Map<string, Row>();
    const path = new PathByThread(execution);
    for (let thread = 0; thread < execution.threads; ++thread) {
        forEachPart(execution, thread, path.piecesOf(thread), (site, state, lock, time) => {
            const name = (site === none ? overview.threads[thread]?.function : overview.sites[site]?.function || siteLabel(overview, site)) || "unknown";
            const row = rows.get(name) ?? new Row();
            rows.set(name, row);
            row.add(state === State.running && lock !== none && execution.objectBlocked[lock]! > 0 ? `lock ${lock}` : `state ${state}`, time, site);
        });
    }
    const all = [...rows].map(([name, { time, site, causes }]) => ({ name, time, site, causes })).sort((a, b) => b.time - a.time);
    const length = all.reduce((sum, row) => sum + row.time, 0);
    const sums = new Map<string, number>();
    all.forEach((row) => row.causes.forEach((time, key) => sums.set(key, (sums.get(key) ?? 0) + time)));
    const causes = [...sums]
        .filter(([, time]) => time >= leastShare * length)
        .sort(([a, x], [b, y]) => Number(a.startsWith("lock")) - Number(b.startsWith("lock")) || y - x)
        .map(([key]) => {
            const [what, number] = key.split(" ");
            return what === "lock"
                ? { key, text: `holding ${objectLabel(overview, Number(number))}`, object: Number(number) }
                : { key, text: causeText(Number(number), overview), object: none };
        });
    return { length, causes, rows: all.filter((row) => row.time >= leastShare * length) };
}

function causeText(state: number, overview: Overview): string {
    switch (state) {
        case State.ready:
            return "ready without a CPU";
        case State.switching:
            return "being woken or switched to";
        default:
            return stateLabel(overview, state);
    }
}

type Part = (site: number, state: number, lock: number, time: number) => void;

// The pieces of a thread, cut where it executes an operation and where its state changes.
function forEachPart(execution: Execution, thread: number, pieces: Uint32Array, part: Part): void {
    const { eventTime, eventSite, intervalBegin, intervalState, laneFirst, laneEnd } = execution;
    const lastEvent = execution.eventFirst[thread + 1]!;
    const lastInterval = laneFirst[thread + 1]!;
    const held: number[] = [];
    let event = execution.eventFirst[thread]!;
    for (const piece of pieces) {
        let from = execution.pathBegin[piece]!;
        const end = execution.pathEnd[piece]!;
        let interval = Math.max(laneFirst[thread]!, firstAfter(intervalBegin, from, laneFirst[thread]!, lastInterval) - 1);
        while (from < end) {
            for (; event < lastEvent && eventTime[event]! <= from; ++event) {
                hold(execution, event, held);
            }
            while (interval + 1 < lastInterval && intervalBegin[interval + 1]! <= from) {
                ++interval;
            }
            const intervalEnd = interval + 1 < lastInterval ? intervalBegin[interval + 1]! : laneEnd[thread]!;
            const until = Math.min(end, event < lastEvent ? eventTime[event]! : end, intervalEnd > from ? intervalEnd : end);
            part(event < lastEvent ? eventSite[event]! : none, interval < lastInterval ? intervalState[interval]! : State.running, held[held.length - 1] ?? none, until - from);
            from = until;
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
