// Which numbers of CPUs can be chosen, and where do they lie on the slider? Doubling takes the same way everywhere, as
// on the axis of the chart.

import { countText } from "../format.ts";

export interface CountSteps {
    readonly marked: readonly number[]; // those that were predicted, in rising order
    readonly last: number; // at the end of the slider
    readonly most: number; // that can be typed
    at(cpus: number): number; // 0..1
    nearest(at: number): number;
    next(cpus: number, by: number): number; // the next ones that can be chosen
    nextMarked(cpus: number, by: 1 | -1): number;
}

export const mostCpus = 65_534; // that a replay takes: src/view/replay_on_demand.h

// `only`: the counts that there are; null: any from 1 to `most`.
export function countSteps(marked: readonly number[], most: number, only: readonly number[] | null): CountSteps {
    const counts = only ? [...new Set(only)].sort((a, b) => a - b) : null;
    const last = Math.max(1, counts ? (counts[counts.length - 1] ?? 1) : most);
    const rising = [...new Set(counts ?? marked)].filter((cpus) => cpus <= last).sort((a, b) => a - b);
    const at = (cpus: number) => (last === 1 ? 0 : Math.log2(cpus) / Math.log2(last));
    const allowed = (cpus: number, most = last) => {
        const bounded = Math.min(most, Math.max(1, Math.round(cpus)));
        return counts ? counts.reduce((best, each) => (Math.abs(each - bounded) < Math.abs(best - bounded) ? each : best), counts[0] ?? 1) : bounded;
    };
    return {
        marked: rising,
        last,
        most: counts ? last : Math.max(last, mostCpus),
        at,
        nearest: (position) => allowed(last ** Math.min(1, Math.max(0, position))),
        next(cpus, by) {
            if (!counts) {
                return allowed(cpus + by, Math.max(last, cpus)); // one that was typed may lie beyond
            }
            const index = counts.indexOf(allowed(cpus));
            return counts[Math.min(counts.length - 1, Math.max(0, index + by))] ?? 1;
        },
        nextMarked(cpus, by) {
            const others = rising.filter((each) => (by > 0 ? each > cpus : each < cpus));
            return (by > 0 ? others[0] : others[others.length - 1]) ?? (by > 0 ? last : allowed(1));
        },
    };
}

// Labels that have room: the last and the first, then from the right, each at least `gap` (0..1) from its neighbours.
export function labelledCounts(steps: CountSteps, gap: number): number[] {
    const kept: number[] = [];
    const wanted = [...steps.marked].sort((a, b) => Number(b === steps.last) - Number(a === steps.last) || Number(b === 1) - Number(a === 1) || b - a);
    for (const cpus of wanted) {
        if (kept.every((each) => Math.abs(steps.at(each) - steps.at(cpus)) >= gap)) {
            kept.push(cpus);
        }
    }
    return kept.sort((a, b) => a - b);
}

export interface TypedCount {
    readonly cpus: number | null; // null: none is chosen
    readonly note: string | null; // where it is not what was typed
}

// What was typed, or the nearest count that there is.
export function typedCount(text: string, steps: CountSteps): TypedCount {
    const wish = Number(text);
    if (text.trim() === "" || !Number.isInteger(wish) || wish < 1) {
        return { cpus: null, note: `A whole number from 1 to ${countText(steps.most)}` };
    }
    const cpus = wish > steps.last && wish <= steps.most ? wish : steps.next(Math.min(wish, steps.most), 0);
    const why = wish > steps.most ? "More than there can be" : "It was not computed";
    return { cpus, note: cpus === wish ? null : `${why}: ${countText(cpus)} is shown` };
}
