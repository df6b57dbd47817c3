// How much of a node's time is each state? The pyramid that comes with an execution says which state has most, and how
// much is running: of a thread that runs half of its time it cannot say what it does else. Computed for a lane when it
// is first drawn, O(intervals of the lane); 15 bytes a node. When nodes
// begin is kept beside it: read from the intervals, each would lie far from the next in memory.

import { pyramidFactor, stateCount, type Execution } from "../execution.ts";

export const wholeShare = 255;

export class LaneShares {
    readonly shares: Uint8Array; // [node * stateCount + state], of wholeShare; a node's shares sum to it
    readonly begins: Float64Array; // [node], ns
    private readonly execution: Execution;
    private readonly isKnown: Uint8Array; // by thread
    private readonly times: readonly Float64Array[]; // by level: of the node that is being summed
    private first = 0;
    private count = 0;
    private end = 0;

    constructor(execution: Execution) {
        this.execution = execution;
        this.shares = new Uint8Array(execution.pyramidState.length * stateCount);
        this.begins = new Float64Array(execution.pyramidState.length);
        this.isKnown = new Uint8Array(execution.threads);
        this.times = Array.from({ length: execution.pyramidLevels + 1 }, () => new Float64Array(stateCount));
    }

    // Call before the shares of a thread's nodes are read.
    know(thread: number): void {
        const { execution } = this;
        const top = execution.pyramidLevels;
        if (this.isKnown[thread] === 1 || top === 0) {
            return;
        }
        this.isKnown[thread] = 1;
        this.first = execution.laneFirst[thread]!;
        this.count = execution.laneFirst[thread + 1]! - this.first;
        this.end = execution.laneEnd[thread]!;
        const step = pyramidFactor ** top;
        for (let node = 0; node * step < this.count; ++node) {
            this.sum(thread, top, node, step);
        }
    }

    private sum(thread: number, level: number, node: number, step: number): void {
        const times = this.times[level]!.fill(0);
        const childStep = step / pyramidFactor;
        const last = (node + 1) * pyramidFactor;
        for (let child = node * pyramidFactor; child < last && child * childStep < this.count; ++child) {
            if (level === 1) {
                const { intervalBegin, intervalState } = this.execution;
                const at = this.first + child;
                times[intervalState[at]!]! += (child + 1 < this.count ? intervalBegin[at + 1]! : this.end) - intervalBegin[at]!;
            } else {
                this.sum(thread, level - 1, child, childStep);
                const part = this.times[level - 1]!;
                for (let state = 0; state < stateCount; ++state) {
                    times[state]! += part[state]!;
                }
            }
        }
        const { intervalBegin, pyramidFirst, threads } = this.execution;
        const at = pyramidFirst[(level - 1) * threads + thread]! + node;
        this.begins[at] = intervalBegin[this.first + node * step]!;
        this.write(times, at * stateCount);
    }

    // What rounding leaves goes to the state with most time.
    private write(times: Float64Array, at: number): void {
        let whole = 0;
        let most = 0;
        for (let state = 0; state < stateCount; ++state) {
            whole += times[state]!;
            most = times[state]! > times[most]! ? state : most;
        }
        let left = wholeShare;
        for (let state = 0; state < stateCount && whole > 0; ++state) {
            const share = Math.round((times[state]! / whole) * wholeShare);
            this.shares[at + state] = share;
            left -= share;
        }
        this.shares[at + most]! += left;
    }
}

const known = new WeakMap<Execution, LaneShares>();

export function sharesOf(execution: Execution): LaneShares {
    let shares = known.get(execution);
    if (!shares) {
        shares = new LaneShares(execution);
        known.set(execution, shares);
    }
    return shares;
}
