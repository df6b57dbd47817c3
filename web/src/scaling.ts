// Up to how many CPUs does the program scale, and what takes most of its time? The rules of src/analysis/scaling.h,
// so that the page says of a count simulated in it what `parcast predict` says.

import { Cause, Execution, none, State, type Limit } from "./execution.ts";

export interface SpeedUpAt {
    readonly cpus: number;
    readonly speedUp: number;
}

export interface Scaling {
    readonly scalesTo: number;
    readonly firstBeyond: number | null;
}

const worthwhileGain = 0.5; // speed-up that an added CPU must return, on average since the count that it scaled to before

// REQUIRES: cpus rise.
export function scaling(points: readonly SpeedUpAt[]): Scaling {
    let last: SpeedUpAt = { cpus: 1, speedUp: 1 };
    let firstBeyond: number | null = null;
    for (const next of points) {
        if (next.cpus <= last.cpus) {
            continue;
        }
        if ((next.speedUp - last.speedUp) / (next.cpus - last.cpus) >= worthwhileGain) {
            last = next;
            firstBeyond = null;
        } else {
            firstBeyond ??= next.cpus;
        }
    }
    return { scalesTo: last.cpus, firstBeyond };
}

// The cause that loses most processor time, all its objects together. Its object is named if it alone has at least
// half of that.
export function largestLoss(limits: readonly Limit[], leastShare: number): Limit | null {
    let largest: Limit | null = null;
    for (const cause of Object.values(Cause)) {
        const parts = limits.filter((limit) => limit.cause === cause);
        const time = parts.reduce((sum, part) => sum + part.time, 0);
        const share = parts.reduce((sum, part) => sum + part.share, 0);
        if (cause === Cause.busy || share <= leastShare || (largest && time <= largest.time)) {
            continue;
        }
        const part = largestPart(parts);
        largest = { cause, object: part && part.time * 2 >= time ? part.object : none, time, share };
    }
    return largest;
}

export function largestPart(parts: readonly Limit[]): Limit | null {
    return parts
        .filter((part) => part.object !== none)
        .reduce<Limit | null>((most, part) => (!most || part.time > most.time ? part : most), null);
}

export interface BusiestThread {
    readonly thread: number;
    readonly share: number; // of the completion time that it runs
}

export function busiestThread(execution: Execution): BusiestThread | null {
    let busiest: BusiestThread | null = null;
    let most = 0;
    for (let thread = 0; thread < execution.threads; ++thread) {
        const running = execution.timeInState(thread, State.running);
        if (running > most) {
            most = running;
            busiest = { thread, share: running / execution.totals.completion };
        }
    }
    return busiest;
}
