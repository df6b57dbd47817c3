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

    // Its pieces, in the order of time.
    piecesOf(thread: number): Uint32Array {
        return this.piece.subarray(this.first[thread]!, this.first[thread + 1]!);
    }

    // Calls with the runs [begin, end) of columns in which the path is in this thread; narrow: it is there for less than
    // the column's time.
    runs(thread: number, scale: TimeScale, each: (begin: number, end: number, isNarrow: boolean) => void): void {
        const { pathBegin, pathEnd } = this.execution;
        const last = this.first[thread + 1]!;
        const width = Math.ceil(scale.width);
        let runBegin = 0;
        let runEnd = 0;
        let runIsNarrow = false;
        for (let at = this.after(thread, scale.begin, this.first[thread]!); at < last; ) {
            const piece = this.piece[at]!;
            const x0 = scale.x(pathBegin[piece]!);
            const x1 = scale.x(pathEnd[piece]!);
            if (x0 >= width) {
                break;
            }
            const begin = Math.max(runEnd, Math.floor(x0));
            const end = Math.min(width, Math.max(Math.floor(x0) + 1, Math.round(x1)));
            const isNarrow = x1 - x0 < 1;
            if (begin > runEnd || isNarrow !== runIsNarrow) {
                if (runEnd > runBegin) {
                    each(runBegin, runEnd, runIsNarrow);
                }
                runBegin = begin;
                runIsNarrow = isNarrow;
            }
            runEnd = Math.max(runEnd, end);
            at = runEnd >= width ? last : Math.max(at + 1, this.after(thread, scale.time(runEnd), at));
        }
        if (runEnd > runBegin) {
            each(runBegin, runEnd, runIsNarrow);
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
