// What became of the processor time? The shares of the one bar for the run, in the order in which it is read.

import { Cause, none, type Execution } from "../execution.ts";
import type { Overview } from "../overview.ts";
import { causeLabel } from "../sentences.ts";

export type ShareKind = "running" | "switching" | "spinning" | "ready" | "lock" | "blocked" | "joining" | "input-output" | "sleeping" | "communicating" | "idle";

export interface Share {
    readonly kind: ShareKind;
    readonly label: string;
    readonly share: number;
    readonly time: number;
    readonly object: number; // none: of no one object
}

const kinds: readonly [cause: number, kind: ShareKind][] = [
    [Cause.busy, "running"],
    [Cause.slowed, "switching"],
    [Cause.overhead, "switching"],
    [Cause.spinning, "spinning"],
    [Cause.communicating, "communicating"],
    [Cause.ready, "ready"],
    [Cause.carrier, "ready"],
    [Cause.lock, "lock"],
    [Cause.condition, "blocked"],
    [Cause.joining, "joining"],
    [Cause.inputOutput, "input-output"],
    [Cause.sleeping, "sleeping"],
    [Cause.message, "blocked"],
    [Cause.noThread, "idle"],
];

// Busy, then ready, then waiting by its causes, then idle; of each the largest first.
export function sharesOf(execution: Execution, overview: Overview): Share[] {
    return kinds.flatMap(([cause, kind]) =>
        execution.limits
            .filter((limit) => limit.cause === cause && limit.time > 0)
            .sort((a, b) => Number(a.object === none) - Number(b.object === none) || b.time - a.time)
            .map((limit) => ({
                kind,
                label: causeLabel(cause, limit.object, overview),
                share: limit.share,
                time: limit.time,
                object: limit.object,
            })),
    );
}

// What is worth a place in the legend: the largest, in the order of the bar.
export function legendOf(shares: readonly Share[], most: number): Share[] {
    const largest = [...shares].sort((a, b) => b.share - a.share).slice(0, most);
    return shares.filter((share) => largest.includes(share) && share.share >= 0.005);
}
