// Where does an instant lie on the screen, and which part of the run is seen after a zoom or a pan? All pure.

import type { Range } from "../state.ts";

export const shortestRange = 20; // ns: nothing in a run is finer than a few

export class TimeScale {
    readonly begin: number;
    readonly end: number;
    readonly width: number; // pixels
    readonly pixelsPerNs: number;

    constructor(range: Range, width: number) {
        [this.begin, this.end] = range;
        this.width = width;
        this.pixelsPerNs = width / (this.end - this.begin);
    }
    x(time: number): number {
        return (time - this.begin) * this.pixelsPerNs;
    }
    time(x: number): number {
        return this.begin + x / this.pixelsPerNs;
    }
    get nsPerPixel(): number {
        return 1 / this.pixelsPerNs;
    }
}

// The nearest range that lies within the run and is not shorter than can be shown.
export function within(range: Range, whole: number): Range {
    const longest = Math.max(whole, shortestRange);
    const span = Math.min(longest, Math.max(shortestRange, range[1] - range[0]));
    const middle = (range[0] + range[1]) / 2;
    const begin = Math.min(Math.max(0, Math.abs(range[1] - range[0] - span) < 1e-9 ? range[0] : middle - span / 2), longest - span);
    return [begin, begin + span];
}

// `factor` below 1 zooms in; the instant `at` keeps its place on the screen.
export function zoomed(range: Range, factor: number, at: number, whole: number): Range {
    const longest = Math.max(whole, shortestRange);
    const span = range[1] - range[0];
    const next = Math.min(longest, Math.max(shortestRange, span * factor));
    const share = Math.min(1, Math.max(0, (at - range[0]) / span));
    const begin = Math.min(Math.max(0, at - share * next), longest - next);
    return [begin, begin + next];
}

export function panned(range: Range, by: number, whole: number): Range {
    const span = range[1] - range[0];
    const begin = Math.min(Math.max(0, range[0] + by), Math.max(0, whole - span));
    return [begin, begin + span];
}

// Moves a range no further than needed to show [begin, end]; one that does not fit is shown from a little before it.
export function revealing(range: Range, begin: number, end: number, whole: number): Range {
    const span = range[1] - range[0];
    if (begin < range[1] && end > range[0] && (end - begin > span || (begin >= range[0] && end <= range[1]))) {
        return range;
    }
    const middle = end - begin > span ? begin + span * 0.4 : (begin + end) / 2;
    return panned(range, middle - (range[0] + range[1]) / 2, whole);
}

// [begin, end] with room on both sides.
export function framing(begin: number, end: number, whole: number): Range {
    const margin = Math.max((end - begin) * 0.15, shortestRange / 2);
    return within([begin - margin, end + margin], whole);
}

// The whole run is written as null, so that it stays the whole of a longer one.
export function asWished(range: Range, whole: number): Range | null {
    return range[0] <= 0 && range[1] >= whole ? null : range;
}
