// How is a change of the program called, and how is it kept as a file?

import { percentText, shortText, timeText } from "../format.ts";
import { objectLabel, type Overview } from "../overview.ts";
import type { Owner } from "../weights.ts";
import { changesIn } from "./bindings.ts";

export const worthIt = 0.02; // of the time: a change that brings less is hardly one

// "solve", "mutex table (histogram.c:34)"
export function ownerName({ kind, label, id, change }: Owner, overview: Overview): string {
    return kind === "lock" ? objectLabel(overview, id) : kind === "function" ? change.slice("function:".length) : label;
}

export function halvedText(owner: Owner, overview: Overview): string {
    return `${shortText(ownerName(owner, overview), 60)} ${owner.kind === "lock" ? "held half as long" : "twice as fast"}`;
}

export function goneText(owner: Owner, overview: Overview): string {
    return `${shortText(ownerName(owner, overview), 60)} ${owner.kind === "lock" ? "held for no time" : "without its work"}`;
}

export const freeWakeUpsText = "waking up costs nothing";

// "−32 %": what the change makes of the time.
export function gainText(before: number, after: number): string {
    const change = after / before - 1;
    return `${change < 0 ? "−" : change > 0 ? "+" : ""}${percentText(Math.abs(change))}`;
}

export function timesText(before: number, after: number | null): string {
    return `${timeText(before)} → ${after === null ? "it deadlocks" : timeText(after)}`;
}

// What `predict --what-if @FILE` reads: a change a line.
export function scenarioFile(scenario: string, file: string): string {
    return [`# parcast predict ${file} --what-if @scenario.txt`, ...changesIn(scenario), ""].join("\n");
}
