// Where does a value lie on an axis that doubles? Scales and ticks of the speed-up chart.

export interface DoublingScale {
    readonly ticks: readonly number[];
    at(value: number): number; // pixels
    value(at: number): number;
}

// From `low` to `high`, both above 0, on the pixels from `from` to `to`; at most `mostTicks` powers of two are ticks.
export function doublingScale(low: number, high: number, from: number, to: number, mostTicks: number): DoublingScale {
    const a = Math.log2(low);
    const b = Math.log2(Math.max(high, low * 1.0001));
    const first = Math.ceil(a - 1e-9);
    const last = Math.floor(b + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, mostTicks)));
    const ticks: number[] = [];
    for (let power = first; power <= last; ++power) {
        if ((power - first) % every === 0) {
            ticks.push(2 ** power);
        }
    }
    return {
        ticks,
        at: (value) => from + ((Math.log2(Math.max(value, 1e-12)) - a) / (b - a)) * (to - from),
        value: (at) => 2 ** (a + ((at - from) / (to - from)) * (b - a)),
    };
}
