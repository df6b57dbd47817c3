// Which instants are named on the time axis, and how?

import { instantsTo } from "../format.ts";
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

// The smallest of 1, 2, 5 times a power of ten, ns, that is not below `least`.
export function niceStep(least: number): number {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power);
}

// At least `gap` pixels apart.
export function ticksOf(scale: TimeScale, gap: number): Ticks {
    const step = niceStep(gap * scale.nsPerPixel);
    const leading = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    const small = Math.round(leading) === 2 ? step / 4 : step / 5;
    const nameOf = instantsTo(scale.end, step);
    const named: Tick[] = [];
    for (let i = Math.ceil(scale.begin / step - 1e-9); i * step <= scale.end; ++i) {
        named.push({ time: i * step, label: i === 0 ? "0" : nameOf(i * step) });
    }
    const between: number[] = [];
    if (small >= 1) {
        for (let i = Math.ceil(scale.begin / small - 1e-9); i * small <= scale.end; ++i) {
            between.push(i * small);
        }
    }
    return { named, between, step };
}
