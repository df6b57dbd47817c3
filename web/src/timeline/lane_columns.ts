// What a lane's pixels have in common, of a thread or a processor: intervals that are a column wide or more as they are,
// and narrower stretches divided between the one or two columns in which they lie.

import { pyramidFactor } from "../execution.ts";
import type { TimeScale } from "./scale.ts";

export abstract class LaneColumns {
    // Wide intervals: columns [wideBegin, wideEnd) belong to wideInterval.
    wideCount = 0;
    wideBegin = new Int32Array(0);
    wideEnd = new Int32Array(0);
    wideInterval = new Uint32Array(0);
    visited = 0; // nodes and intervals looked at: what a frame costs

    protected width = 0;
    private begin = 0;
    private pixelsPerNs = 0;

    // Whether the number of columns is another one than before.
    protected restart(scale: TimeScale): boolean {
        this.wideCount = 0;
        this.visited = 0;
        this.begin = scale.begin;
        this.pixelsPerNs = scale.pixelsPerNs;
        const width = Math.ceil(scale.width);
        if (this.width === width) {
            return false;
        }
        this.width = width;
        this.wideBegin = new Int32Array(2 * width + 2);
        this.wideEnd = new Int32Array(2 * width + 2);
        this.wideInterval = new Uint32Array(2 * width + 2);
        return true;
    }

    protected columnOf(time: number): number {
        return (time - this.begin) * this.pixelsPerNs;
    }

    // REQUIRES: x1 - x0 >= 1. Whether any of it is seen.
    protected addWide(interval: number, x0: number, x1: number): boolean {
        const begin = Math.max(0, Math.round(x0));
        const end = Math.min(this.width, Math.round(x1));
        if (end <= begin) {
            return false;
        }
        this.wideBegin[this.wideCount] = begin;
        this.wideEnd[this.wideCount] = end;
        this.wideInterval[this.wideCount++] = interval;
        return true;
    }
}

// The level at which as few as a handful of nodes stand for so many intervals.
export function startLevel(levels: number, intervals: number): number {
    let level = 0;
    while (level < levels && pyramidFactor ** level * 8 < intervals) {
        ++level;
    }
    return level;
}
