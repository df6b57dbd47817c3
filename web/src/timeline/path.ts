// Where does the critical path run? Its pieces by thread, and the columns that they cover, at a cost of O(pixels).

import { firstAfter, type Execution } from "../execution.ts";
import type { TimeScale } from "./scale.ts";

export class PathByThread {
    private readonly execution: Execution;
    private readonly first: Uint32Array;
    private readonly piece: Uint32Array; // of a thread, in the order of time

    constructor(execution: Execution) {
        this.execution = execution;
        const { pathThread, threads } = execution;
        this.first = new Uint32Array(threads + 1);
        for (const thread of pathThread) {
            if (thread < threads) {
                ++this.first[thread + 1]!;
            }
        }
        for (let thread = 0; thread < threads; ++thread) {
            this.first[thread + 1]! += this.first[thread]!;
        }
        const at = this.first.slice();
        this.piece = new Uint32Array(this.first[threads]!);
        pathThread.forEach((thread, piece) => {
            if (thread < threads) {
                this.piece[at[thread]!++] = piece;
            }
        });
    }

    // Calls with the runs [begin, end) of columns in which the path is in this thread.
    runs(thread: number, scale: TimeScale, each: (begin: number, end: number) => void): void {
        const { pathBegin, pathEnd } = this.execution;
        const last = this.first[thread + 1]!;
        const width = Math.ceil(scale.width);
        let runBegin = -1; // no run yet
        let runEnd = -1;
        for (let at = this.after(thread, scale.begin, this.first[thread]!); at < last; ) {
            const piece = this.piece[at]!;
            const begin = Math.max(0, Math.floor(scale.x(pathBegin[piece]!)));
            if (begin >= width) {
                break;
            }
            const end = Math.min(width, Math.max(begin + 1, Math.round(scale.x(pathEnd[piece]!))));
            if (begin > runEnd) {
                if (runBegin >= 0) {
                    each(runBegin, runEnd);
                }
                runBegin = begin;
            }
            runEnd = Math.max(runEnd, end);
            at = end >= width ? last : Math.max(at + 1, this.after(thread, scale.time(runEnd), at));
        }
        if (runBegin >= 0) {
            each(runBegin, runEnd);
        }
    }

    // The first piece of the thread, from `from` on, that ends after `time`.
    private after(thread: number, time: number, from: number): number {
        let low = from;
        let high = this.first[thread + 1]!;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.execution.pathEnd[this.piece[middle]!]! <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

// Pieces that overlap a range: [first, last).
export function piecesIn(execution: Execution, begin: number, end: number): readonly [number, number] {
    const count = execution.pathBegin.length;
    return [firstAfter(execution.pathEnd, begin, 0, count), firstAfter(execution.pathBegin, end, 0, count)];
}
