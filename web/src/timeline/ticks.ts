// Which instants are named on the time axis, and how?

import type { TimeScale } from "./scale.ts";

export interface Tick {
    readonly time: number;
    readonly label: string;
}

export interface Ticks {
    readonly named: readonly Tick[];
    readonly between: readonly number[]; // instants of the small ticks
    readonly step: number; // ns
}

const units: readonly [ns: number, name: string][] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
    [1, "ns"],
];

// The smallest of 1, 2, 5 times a power of ten, ns, that is not below `least`.
export function niceStep(least: number): number {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power);
}

// An instant in one unit for the whole axis, with the digits that tell neighbours apart.
function nameOf(time: number, step: number, last: number): string {
    const [size, name] = units.find(([ns]) => last >= ns) ?? units[units.length - 1]!;
    const decimals = Math.max(0, Math.round(-Math.log10(step / size) + 0.4999));
    return time === 0 ? "0" : `${(time / size).toFixed(Math.min(9, decimals))} ${name}`;
}

// At least `gap` pixels apart.
export function ticksOf(scale: TimeScale, gap: number): Ticks {
    const step = niceStep(gap * scale.nsPerPixel);
    const leading = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    const small = Math.round(leading) === 2 ? step / 4 : step / 5;
    const named: Tick[] = [];
    for (let i = Math.ceil(scale.begin / step - 1e-9); i * step <= scale.end; ++i) {
        named.push({ time: i * step, label: nameOf(i * step, step, scale.end) });
    }
    const between: number[] = [];
    if (small >= 1) {
        for (let i = Math.ceil(scale.begin / small - 1e-9); i * small <= scale.end; ++i) {
            between.push(i * small);
        }
    }
    return { named, between, step };
}
