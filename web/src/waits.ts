// Where is worked and waited, and for whom? Sums over the intervals of an execution, made when they are asked for and kept.

import { Execution, none, State, stateCount } from "./execution.ts";
import { eachWork } from "./work_before.ts";

export const aboutWaited =
    "Each operation counts once, however often it waits. One that a condition hands on to its mutex counts at the condition.";

// Times in ns by place, those at no known place left out.
export interface SiteSums {
    readonly work: Float64Array; // CPU time of the thread before the operations there, since its last one
    readonly processor: Float64Array; // spinning
    readonly waiting: Float64Array; // blocked, sleeping, input and output
    readonly operations: Float64Array;
}

export interface MainSite {
    readonly site: number;
    readonly share: number; // of all waiting for the object
}

const sites = new WeakMap<Execution, SiteSums>();
const mainSites = new WeakMap<Execution, Map<number, MainSite | null>>();

function greatest(ids: Uint32Array): number {
    let most = -1;
    for (let i = 0; i < ids.length; ++i) {
        const id = ids[i]!;
        if (id !== none && id > most) {
            most = id;
        }
    }
    return most;
}

// Cost: a pass over intervals and events, the first time.
export function siteSums(execution: Execution): SiteSums {
    let sums = sites.get(execution);
    if (!sums) {
        sums = summed(execution);
        sites.set(execution, sums);
    }
    return sums;
}

const mostSites = 1 << 24; // as many as an operation can name

function summed(execution: Execution): SiteSums {
    const size = Math.min(mostSites, Math.max(greatest(execution.intervalSite), greatest(execution.eventSite)) + 1);
    const work = new Float64Array(size);
    const processor = new Float64Array(size);
    const waiting = new Float64Array(size);
    const operations = new Float64Array(size);
    eachWork(execution, [0, Number.POSITIVE_INFINITY], (_, event, time) => {
        const site = execution.eventSite[event]!;
        if (site < size) {
            work[site]! += time;
        }
    });
    eachInterval(execution, (i, time) => {
        const site = execution.intervalSite[i]!;
        if (site < size) {
            const state = execution.intervalState[i]!;
            if (state >= State.blocked) {
                waiting[site]! += time;
            } else if (state !== State.ready) {
                processor[site]! += time;
            }
        }
    });
    for (let event = 0; event < execution.events; ++event) {
        const site = execution.eventSite[event]!;
        if (site < size) {
            operations[site]! += 1;
        }
    }
    return { work, processor, waiting, operations };
}

export interface LineTimes {
    readonly work: number; // ns
    readonly waiting: number;
    readonly operations: number;
}

// By line of a source file: of all calls that were recorded there. Cost: a pass over the places.
export function lineTimes(execution: Execution, places: readonly { readonly file: string; readonly line: number }[], file: string): ReadonlyMap<number, LineTimes> {
    const sums = siteSums(execution);
    const lines = new Map<number, LineTimes>();
    places.forEach((place, site) => {
        if (place.file === file && site < sums.work.length && sums.operations[site]! > 0) {
            const { work, waiting, operations } = lines.get(place.line) ?? { work: 0, waiting: 0, operations: 0 };
            lines.set(place.line, { work: work + sums.work[site]!, waiting: waiting + sums.waiting[site]!, operations: operations + sums.operations[site]! });
        }
    });
    return lines;
}

function eachInterval(execution: Execution, act: (interval: number, time: number) => void): void {
    const { intervalBegin: begin, laneFirst, laneEnd } = execution;
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = laneFirst[thread + 1]!;
        for (let i = laneFirst[thread]!; i < last; ++i) {
            act(i, (i + 1 < last ? begin[i + 1]! : laneEnd[thread]!) - begin[i]!);
        }
    }
}

// The place at which most of the waiting for an object begins. Cost: a pass over the intervals, the first time.
export function mainSiteOf(execution: Execution, object: number): MainSite | null {
    let found = mainSites.get(execution);
    if (!found) {
        mainSites.set(execution, (found = new Map()));
    }
    if (!found.has(object)) {
        found.set(object, searched(execution, object));
    }
    return found.get(object) ?? null;
}

function searched(execution: Execution, object: number): MainSite | null {
    const bySite = new Map<number, number>();
    let all = 0;
    for (let i = 0; i < execution.intervals; ++i) {
        if (execution.intervalObject[i] === object) {
            const time = execution.intervalEnd(i) - execution.intervalBegin[i]!;
            const site = execution.intervalSite[i]!;
            all += time;
            bySite.set(site, (bySite.get(site) ?? 0) + time);
        }
    }
    bySite.delete(none);
    let main: MainSite | null = null;
    for (const [site, time] of bySite) {
        if (time > 0 && (!main || time / all > main.share)) {
            main = { site, share: time / all };
        }
    }
    return main;
}

// Time in each state within an interval of time: of every thread, and of all together. Cost: the intervals within.
export interface MarkedTotals {
    readonly threads: Float64Array; // [thread * stateCount + state]
    readonly all: Float64Array; // [state]
}

export function markedTotals(execution: Execution, from: number, to: number): MarkedTotals {
    const threads = new Float64Array(execution.threads * stateCount);
    const all = new Float64Array(stateCount);
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = execution.laneFirst[thread + 1]!;
        const at = execution.intervalAt(thread, from);
        let i = at === none ? execution.laneFirst[thread]! : at;
        if (at === none && i < last && execution.intervalBegin[i]! < from) {
            continue; // it has ended
        }
        for (; i < last && execution.intervalBegin[i]! < to; ++i) {
            const end = i + 1 < last ? execution.intervalBegin[i + 1]! : execution.laneEnd[thread]!;
            const time = Math.max(0, Math.min(end, to) - Math.max(execution.intervalBegin[i]!, from));
            threads[thread * stateCount + execution.intervalState[i]!]! += time;
        }
        for (let state = 0; state < stateCount; ++state) {
            all[state]! += threads[thread * stateCount + state]!;
        }
    }
    return { threads, all };
}
