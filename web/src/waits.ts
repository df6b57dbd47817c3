// Where is waited, and for whom? Sums over the intervals of an execution, made when they are asked for and kept.

import { Execution, none, State } from "./execution.ts";

export interface WaitSums {
    readonly bySite: ReadonlyMap<number, SiteSum>;
    readonly byReleaser: ReadonlyMap<number, number>; // of waits for threads to end
    readonly mainSiteOf: ReadonlyMap<number, { readonly site: number; readonly share: number }>; // by object
}

export interface SiteSum {
    readonly site: number;
    processor: number; // ns on a processor: spinning, and work that is said to belong here
    waiting: number; // blocked, sleeping, input and output
    operations: number;
}

const kept = new WeakMap<Execution, WaitSums>();

// Cost: one pass over the intervals and events, the first time.
export function waitSums(execution: Execution): WaitSums {
    let sums = kept.get(execution);
    if (!sums) {
        sums = summed(execution);
        kept.set(execution, sums);
    }
    return sums;
}

function summed(execution: Execution): WaitSums {
    const bySite = new Map<number, SiteSum>();
    const byReleaser = new Map<number, number>();
    const byObject = new Map<number, Map<number, number>>();
    const sumOf = (site: number) => {
        let sum = bySite.get(site);
        if (!sum) {
            sum = { site, processor: 0, waiting: 0, operations: 0 };
            bySite.set(site, sum);
        }
        return sum;
    };
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = execution.laneFirst[thread + 1]!;
        for (let i = execution.laneFirst[thread]!; i < last; ++i) {
            const state = execution.intervalState[i]!;
            const site = execution.intervalSite[i]!;
            const waits = state >= State.blocked || state === State.spinning;
            if (!waits && site === none) {
                continue;
            }
            const time = (i + 1 < last ? execution.intervalBegin[i + 1]! : execution.laneEnd[thread]!) - execution.intervalBegin[i]!;
            if (site !== none) {
                const sum = sumOf(site);
                if (state <= State.spinning) {
                    sum.processor += time;
                } else if (state !== State.ready) {
                    sum.waiting += time;
                }
            }
            const object = execution.intervalObject[i]!;
            if (waits && object !== none) {
                let sites = byObject.get(object);
                if (!sites) {
                    byObject.set(object, (sites = new Map()));
                }
                sites.set(site, (sites.get(site) ?? 0) + time);
            } else if (state === State.blocked && execution.intervalReleaser[i] !== none) {
                const releaser = execution.intervalReleaser[i]!;
                byReleaser.set(releaser, (byReleaser.get(releaser) ?? 0) + time);
            }
        }
    }
    for (let event = 0; event < execution.events; ++event) {
        if (execution.eventSite[event] !== none) {
            ++sumOf(execution.eventSite[event]!).operations;
        }
    }
    return { bySite, byReleaser, mainSiteOf: mainSites(byObject) };
}

function mainSites(byObject: ReadonlyMap<number, ReadonlyMap<number, number>>) {
    const main = new Map<number, { site: number; share: number }>();
    for (const [object, sites] of byObject) {
        let all = 0;
        let most = 0;
        let site = none;
        for (const [at, time] of sites) {
            all += time;
            if (time > most && at !== none) {
                most = time;
                site = at;
            }
        }
        if (site !== none && all > 0) {
            main.set(object, { site, share: most / all });
        }
    }
    return main;
}

// Time in each state within an interval of time: of every thread, and of all together. Cost: the intervals within.
export interface MarkedTotals {
    readonly threads: Float64Array; // [thread * 7 + state]
    readonly all: Float64Array; // [state]
    readonly length: number;
}

export function markedTotals(execution: Execution, from: number, to: number, states: number): MarkedTotals {
    const threads = new Float64Array(execution.threads * states);
    const all = new Float64Array(states);
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = execution.laneFirst[thread + 1]!;
        let i = execution.laneFirst[thread]!;
        const at = execution.intervalAt(thread, from);
        if (at !== none) {
            i = at;
        } else if (i < last && execution.intervalBegin[i]! < from) {
            continue; // it has ended
        }
        for (; i < last && execution.intervalBegin[i]! < to; ++i) {
            const end = i + 1 < last ? execution.intervalBegin[i + 1]! : execution.laneEnd[thread]!;
            const time = Math.max(0, Math.min(end, to) - Math.max(execution.intervalBegin[i]!, from));
            threads[thread * states + execution.intervalState[i]!]! += time;
            all[execution.intervalState[i]!]! += time;
        }
    }
    return { threads, all, length: to - from };
}
