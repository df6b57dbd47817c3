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

export interface ValueScale {
    readonly ticks: readonly number[];
    at(value: number): number; // pixels
}

// For values of any size, on the pixels from `from` to `to`: by factors of 1, 2 and 5 where the largest is ten times the
// smallest, else linear, and from 0 where that costs less than half of the room.
export function valueScale(values: readonly number[], from: number, to: number, mostTicks: number): ValueScale {
    const low = Math.min(...values);
    const high = Math.max(...values);
    return low > 0 && high > 10 * low ? factorScale(low, high, from, to, mostTicks) : linearScale(low, high, from, to, mostTicks);
}

export function factorScale(low: number, high: number, from: number, to: number, mostTicks: number): ValueScale {
    const a = Math.log10(low * 0.94);
    const b = Math.log10(high * 1.06);
    const within = (factors: readonly number[]) => {
        const ticks: number[] = [];
        for (let power = Math.floor(a); power <= b; ++power) {
            ticks.push(...factors.map((factor) => factor * 10 ** power).filter((tick) => Math.log10(tick) >= a && Math.log10(tick) <= b));
        }
        return ticks;
    };
    const ticks = [[1, 2, 5], [1, 3], [1]].map(within).find((each) => each.length <= mostTicks) ?? within([1]);
    return { ticks, at: (value) => from + ((Math.log10(value) - a) / (b - a)) * (to - from) };
}

export function linearScale(low: number, high: number, from: number, to: number, mostTicks: number): ValueScale {
    const spread = high - low || Math.abs(high) || 1;
    const a = low >= 0 && low <= high / 2 ? 0 : low - spread * 0.06;
    const b = high + spread * 0.06;
    const least = (b - a) / Math.max(1, mostTicks);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
    const ticks: number[] = [];
    for (let i = Math.ceil(a / step - 1e-9); i * step <= b; ++i) {
        ticks.push(i * step);
    }
    return { ticks, at: (value) => from + ((value - a) / (b - a)) * (to - from) };
}
