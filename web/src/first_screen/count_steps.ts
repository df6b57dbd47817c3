// Which numbers of CPUs can be chosen, and where do they lie on the slider? Doubling takes the same way everywhere, as
// on the axis of the chart.

export interface CountSteps {
    readonly marked: readonly number[]; // those that were predicted, in rising order
    readonly last: number;
    at(cpus: number): number; // 0..1
    nearest(at: number): number;
    next(cpus: number, by: number): number; // the next ones that can be chosen
    nextMarked(cpus: number, by: 1 | -1): number;
}

// `only`: the counts that there are; null: any from 1 to `most`.
export function countSteps(marked: readonly number[], most: number, only: readonly number[] | null): CountSteps {
    const counts = only ? [...new Set(only)].sort((a, b) => a - b) : null;
    const last = Math.max(1, counts ? (counts[counts.length - 1] ?? 1) : most);
    const rising = [...new Set(counts ?? marked)].filter((cpus) => cpus <= last).sort((a, b) => a - b);
    const at = (cpus: number) => (last === 1 ? 0 : Math.log2(cpus) / Math.log2(last));
    const allowed = (cpus: number) => {
        const bounded = Math.min(last, Math.max(1, Math.round(cpus)));
        return counts ? counts.reduce((best, each) => (Math.abs(each - bounded) < Math.abs(best - bounded) ? each : best), counts[0] ?? 1) : bounded;
    };
    return {
        marked: rising,
        last,
        at,
        nearest: (position) => allowed(last ** Math.min(1, Math.max(0, position))),
        next(cpus, by) {
            if (!counts) {
                return allowed(cpus + by);
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
