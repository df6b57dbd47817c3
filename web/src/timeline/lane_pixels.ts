// What is seen of a thread's lane at this zoom? Intervals that are a pixel wide or more as they are; of the others, how
// much of each column of pixels each state takes. The pyramid is descended into only where a node is wider than a
// pixel, so that the cost is O(pixels * levels), however many intervals there are.

import { firstAfter, none, pyramidFactor, State, stateCount, type Execution } from "../execution.ts";
import { sharesOf, wholeShare, type LaneShares } from "./lane_shares.ts";
import { LaneColumns, startLevel } from "./lane_columns.ts";
import type { TimeScale } from "./scale.ts";

export class LanePixels extends LaneColumns {
    // Columns with narrow intervals: share of the column's time by state, [column * stateCount + state].
    shares = new Float32Array(0);
    narrow = new Uint8Array(0); // 1: has shares
    covered = new Uint8Array(0); // 1: a wide interval lies there

    private execution!: Execution;
    private known!: LaneShares;
    private thread = 0;
    private laneFirst = 0;
    private laneCount = 0;
    private laneEnd = 0;
    private from = 0;
    private to = 0;

    measure(execution: Execution, thread: number, scale: TimeScale): void {
        this.reset(scale);
        const first = execution.laneFirst[thread]!;
        const end = execution.laneFirst[thread + 1]!;
        const laneEnd = execution.laneEnd[thread]!;
        if (first === end || laneEnd <= scale.begin || execution.intervalBegin[first]! >= scale.end) {
            return;
        }
        this.execution = execution;
        this.thread = thread;
        this.known = sharesOf(execution);
        this.known.know(thread);
        this.laneFirst = first;
        this.laneCount = end - first;
        this.laneEnd = laneEnd;
        this.from = Math.max(0, firstAfter(execution.intervalBegin, scale.begin, first, end) - 1 - first);
        this.to = Math.max(this.from + 1, firstAfter(execution.intervalBegin, scale.end, first, end) - first);
        const level = startLevel(execution.pyramidLevels, this.to - this.from);
        const step = pyramidFactor ** level;
        for (let node = Math.floor(this.from / step); node * step < this.to; ++node) {
            this.descend(level, node, step, this.x(level, node, step), this.x(level, node + 1, step));
        }
    }

    private reset(scale: TimeScale): void {
        if (this.restart(scale)) {
            this.shares = new Float32Array(this.width * stateCount);
            this.narrow = new Uint8Array(this.width);
            this.covered = new Uint8Array(this.width);
        } else {
            this.shares.fill(0);
            this.narrow.fill(0);
            this.covered.fill(0);
        }
    }

    // Where a node of the lane begins; behind the last, where the lane ends.
    private x(level: number, node: number, step: number): number {
        return this.columnOf(this.timeOf(level, node, step));
    }

    private timeOf(level: number, node: number, step: number): number {
        if (node * step >= this.laneCount) {
            return this.laneEnd;
        }
        const { intervalBegin, pyramidFirst, threads } = this.execution;
        return level === 0 ? intervalBegin[this.laneFirst + node]! : this.known.begins[pyramidFirst[(level - 1) * threads + this.thread]! + node]!;
    }

    private descend(level: number, node: number, step: number, x0: number, x1: number): void {
        ++this.visited;
        if (level === 0) {
            this.addInterval(this.laneFirst + node, x0, x1);
            return;
        }
        if (x1 - x0 <= 1) {
            this.addNode(level, node, x0, x1);
            return;
        }
        const childStep = step / pyramidFactor;
        const first = node * pyramidFactor;
        let begin = x0;
        for (let child = first; child < first + pyramidFactor && child * childStep < this.to; ++child) {
            const end = child + 1 < first + pyramidFactor ? this.x(level - 1, child + 1, childStep) : x1;
            if ((child + 1) * childStep > this.from) {
                this.descend(level - 1, child, childStep, begin, end);
            }
            begin = end;
        }
    }

    private addInterval(interval: number, x0: number, x1: number): void {
        if (x1 - x0 < 1) {
            this.addNarrow(interval, x0, x1);
            return;
        }
        if (this.addWide(interval, x0, x1)) {
            const added = this.wideCount - 1;
            this.covered.fill(1, this.wideBegin[added], this.wideEnd[added]);
        }
    }

    // A stretch of at most a pixel lies in one column or in two.
    private addNode(level: number, node: number, x0: number, x1: number): void {
        const { execution } = this;
        const at = (execution.pyramidFirst[(level - 1) * execution.threads + this.thread]! + node) * stateCount;
        const left = Math.floor(x0);
        const edge = Math.min(x1, left + 1);
        this.addShares(left, at, (edge - x0) / wholeShare);
        this.addShares(left + 1, at, (x1 - edge) / wholeShare);
    }

    private addShares(column: number, at: number, weight: number): void {
        if (column < 0 || column >= this.width || weight <= 0) {
            return;
        }
        const { shares } = this.known;
        this.narrow[column] = 1;
        for (let state = 0, to = column * stateCount; state < stateCount; ++state, ++to) {
            this.shares[to]! += shares[at + state]! * weight;
        }
    }

    private addNarrow(interval: number, x0: number, x1: number): void {
        const state = this.execution.intervalState[interval]!;
        const left = Math.floor(x0);
        const edge = Math.min(x1, left + 1);
        this.add(left, state, edge - x0);
        this.add(left + 1, state, x1 - edge);
    }

    private add(column: number, state: number, share: number): void {
        if (column >= 0 && column < this.width && share > 0) {
            this.shares[column * stateCount + state]! += share;
            this.narrow[column] = 1;
        }
    }
}

// The interval that a click at `time` means: the one that lies there if it can be seen, else the longest of those
// within `reach` ns, of which no more than a few hundred are looked at.
export function intervalNear(execution: Execution, thread: number, time: number, reach: number): number {
    const at = execution.intervalAt(thread, time);
    const first = execution.laneFirst[thread]!;
    const end = execution.laneFirst[thread + 1]!;
    const length = (i: number) => (i + 1 < end ? execution.intervalBegin[i + 1]! : execution.laneEnd[thread]!) - execution.intervalBegin[i]!;
    if (first === end || (at !== none && length(at) >= reach)) {
        return at;
    }
    const centre = Math.max(first, Math.min(end - 1, firstAfter(execution.intervalBegin, time, first, end) - 1));
    let best: number = at;
    for (let i = Math.max(first, centre - 128); i < Math.min(end, centre + 129); ++i) {
        const isNear = execution.intervalBegin[i]! <= time + reach && execution.intervalBegin[i]! + length(i) >= time - reach;
        if (isNear && (best === none || length(i) > length(best))) {
            best = i;
        }
    }
    return best;
}

// Does the thread hold a processor, or want one, at any time in [begin, end]? Gives up looking, with yes, after some
// thousand intervals.
export function isActive(execution: Execution, thread: number, begin: number, end: number): boolean {
    const first = execution.laneFirst[thread]!;
    const last = execution.laneFirst[thread + 1]!;
    if (first === last || execution.laneEnd[thread]! <= begin || execution.intervalBegin[first]! >= end) {
        return false;
    }
    const from = Math.max(first, firstAfter(execution.intervalBegin, begin, first, last) - 1);
    const to = Math.min(firstAfter(execution.intervalBegin, end, first, last), from + 4096);
    for (let i = from; i < to; ++i) {
        if (execution.intervalState[i]! <= State.ready) {
            return true;
        }
    }
    return to === from + 4096;
}
