// What `parcast compare --json` says of two sides (docs/formats/compare.schema.json), as far as the page shows it.

import type { Range } from "../overview.ts";

export interface TwoTimes {
    readonly first_ns: number;
    readonly second_ns: number;
    readonly change_ns: number;
}

export interface NamedThing {
    readonly name: string;
    readonly place: string | null;
    readonly count: number;
}

export interface Aligned {
    readonly alignment: "same" | "moved" | "renamed" | "gone" | "new";
    readonly first: NamedThing | null; // null: this side has none
    readonly second: NamedThing | null;
}

export interface SideRun {
    readonly time_ns: number;
    readonly range: Range | null;
}

export interface CountDifference {
    readonly cpus: number;
    readonly first: SideRun;
    readonly second: SideRun;
    readonly ratio: number;
    readonly ratio_range: Range | null;
    readonly beyond_ranges: boolean;
    readonly shares: readonly (TwoTimes & { readonly label: string })[]; // they sum to the times
    readonly objects: readonly (Aligned & { readonly waiting: TwoTimes })[];
    readonly threads: readonly (Aligned & { readonly running: TwoTimes })[];
    readonly functions: readonly (Aligned & { readonly cpu_time: TwoTimes })[];
}

export interface DifferenceOfTwo {
    readonly first: string;
    readonly second: string;
    readonly sentences: readonly string[];
    readonly names: readonly string[];
    readonly telling_cpus: number | null;
    readonly counts: readonly CountDifference[];
}

export interface DifferenceAnswer {
    readonly sides: readonly { readonly name: string; readonly origin: "predicted" | "measured"; readonly change: string | null }[];
    readonly differences: readonly DifferenceOfTwo[];
    readonly notes: readonly string[];
}

// The count that is shown, or the one nearest to it.
export function countNear(difference: DifferenceOfTwo, cpus: number): CountDifference | null {
    return difference.counts.reduce<CountDifference | null>((best, each) => (best === null || Math.abs(each.cpus - cpus) < Math.abs(best.cpus - cpus) ? each : best), null);
}

export interface Row {
    readonly name: string;
    readonly note: string; // "gone", "8 → 4"
    readonly times: TwoTimes;
}

export function rowsOf<T extends Aligned>(entries: readonly T[], times: (entry: T) => TwoTimes): readonly Row[] {
    return entries
        .map((entry) => ({ name: nameOf(entry), note: noteOf(entry), times: times(entry) }))
        .filter(({ times }) => times.first_ns > 0 || times.second_ns > 0);
}

function nameOf({ first, second, alignment }: Aligned): string {
    const text = (thing: NamedThing) => (thing.place ? `${thing.name} (${thing.place})` : thing.name);
    const isElsewhere = alignment === "renamed" || alignment === "moved";
    return first && second && isElsewhere ? `${text(first)} → ${text(second)}` : text((first ?? second)!);
}

function noteOf({ first, second, alignment }: Aligned): string {
    const counts = [first?.count ?? 0, second?.count ?? 0] as const;
    const numbers = counts[0] === counts[1] ? (counts[0] > 1 ? `${counts[0]}` : "") : `${counts[0]} → ${counts[1]}`;
    return [alignment === "same" ? "" : alignment, numbers].filter((word) => word !== "").join(", ");
}
