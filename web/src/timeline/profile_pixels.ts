// How many threads run, how many are ready and have no processor, and how many wait, in each column of pixels? The least,
// the mean over time and the most, never averaged away: a node of the pyramid counts as a whole only where it lies within
// one column, so that the answer is that of the single steps. Cost: O(pixels * levels), and once a pass over the steps.

import { firstAfter, pyramidFactor, type Execution } from "../execution.ts";
import { startLevel } from "./lane_columns.ts";
import { togetherOf, type Together } from "./profile_together.ts";
import type { TimeScale } from "./scale.ts";

type Numbers = Float32Array | Uint32Array;

// One of the numbers of threads: by step, and by node of the pyramid.
interface Curve {
    readonly steps: Numbers;
    readonly min: Numbers;
    readonly max: Numbers;
    readonly mean: Numbers;
}

// One of them by column. Where the most is below the least, nothing is known.
export class Spread {
    readonly min: Float32Array;
    readonly max: Float32Array;
    readonly mean: Float32Array;

    constructor(width: number) {
        this.min = new Float32Array(width);
        this.max = new Float32Array(width);
        this.mean = new Float32Array(width);
    }

    clear(): void {
        this.min.fill(Infinity);
        this.max.fill(-Infinity);
        this.mean.fill(0);
    }

    add(column: number, min: number, max: number, mean: number, share: number): void {
        this.min[column] = Math.min(this.min[column]!, min);
        this.max[column] = Math.max(this.max[column]!, max);
        this.mean[column]! += mean * share;
    }
}

export class ProfilePixels {
    width = 0;
    running = new Spread(0);
    ready = new Spread(0);
    waiting = new Spread(0);
    togetherMax = new Float32Array(0); // running and ready, at one instant
    visited = 0;

    private time = new Float32Array(0);
    private execution!: Execution;
    private curves: readonly (readonly [Spread, Curve])[] = [];
    private together!: Together;
    private from = 0;
    private to = 0;
    private begin = 0;
    private pixelsPerNs = 0;
    private last = 0; // when the last step ends

    measure(execution: Execution, scale: TimeScale): void {
        this.reset(Math.ceil(scale.width));
        const steps = execution.profileTime;
        this.last = Math.max(execution.totals.completion, steps[steps.length - 1] ?? 0);
        if (steps.length === 0 || steps[0]! >= scale.end || this.last <= scale.begin) {
            return;
        }
        this.execution = execution;
        this.curves = this.curvesOf(execution);
        this.together = togetherOf(execution);
        this.begin = scale.begin;
        this.pixelsPerNs = scale.pixelsPerNs;
        this.from = Math.max(0, firstAfter(steps, scale.begin, 0, steps.length) - 1);
        this.to = Math.max(this.from + 1, firstAfter(steps, scale.end, 0, steps.length));
        const level = startLevel(execution.profilePyramidFirst.length - 1, this.to - this.from);
        const step = pyramidFactor ** level;
        for (let node = Math.floor(this.from / step); node * step < this.to; ++node) {
            this.descend(level, node, step);
        }
        for (let column = 0; column < this.width; ++column) {
            const time = this.time[column]!;
            if (time > 0) {
                for (const [spread] of this.curves) {
                    spread.mean[column]! /= time;
                }
            }
        }
    }

    private curvesOf(execution: Execution): readonly (readonly [Spread, Curve])[] {
        const { profileRunning, profileReady, profileWaiting } = execution;
        return [
            [this.running, { steps: profileRunning, min: execution.profileMin, max: execution.profileMax, mean: execution.profileMean }],
            [this.ready, { steps: profileReady, min: execution.profileReadyMin, max: execution.profileReadyMax, mean: execution.profileReadyMean }],
            [this.waiting, { steps: profileWaiting, min: execution.profileWaitingMin, max: execution.profileWaitingMax, mean: execution.profileWaitingMean }],
        ];
    }

    private reset(width: number): void {
        this.visited = 0;
        if (this.width !== width) {
            this.width = width;
            for (const name of ["running", "ready", "waiting"] as const) {
                this[name] = new Spread(width);
            }
            for (const name of ["togetherMax", "time"] as const) {
                this[name] = new Float32Array(width);
            }
        }
        for (const name of ["running", "ready", "waiting"] as const) {
            this[name].clear();
        }
        this.togetherMax.fill(0);
        this.time.fill(0);
    }

    private descend(level: number, node: number, step: number): void {
        ++this.visited;
        const { execution } = this;
        const steps = execution.profileTime;
        const first = node * step;
        const last = first + step;
        const x0 = (steps[first]! - this.begin) * this.pixelsPerNs;
        const x1 = ((last < steps.length ? steps[last]! : this.last) - this.begin) * this.pixelsPerNs;
        if (level === 0) {
            this.add(x0, x1, ({ steps }) => [steps[first]!, steps[first]!, steps[first]!], execution.profileRunning[first]! + execution.profileReady[first]!);
        } else if (Math.floor(x0) === Math.ceil(x1) - 1) {
            const at = execution.profilePyramidFirst[level - 1]! + node;
            this.add(x0, x1, ({ min, max, mean }) => [min[at]!, max[at]!, mean[at]!], this.together.nodes[at]!);
        } else {
            const childStep = step / pyramidFactor;
            for (let child = node * pyramidFactor; child < (node + 1) * pyramidFactor; ++child) {
                if (child * childStep < this.to && (child + 1) * childStep > this.from) {
                    this.descend(level - 1, child, childStep);
                }
            }
        }
    }

    private add(x0: number, x1: number, rangeOf: (curve: Curve) => readonly [min: number, max: number, mean: number], together: number): void {
        const end = Math.min(this.width, Math.ceil(x1));
        for (let column = Math.max(0, Math.floor(x0)); column < end; ++column) {
            const share = Math.min(x1, column + 1) - Math.max(x0, column);
            if (share <= 0) {
                continue;
            }
            for (const [spread, curve] of this.curves) {
                const [min, max, mean] = rangeOf(curve);
                spread.add(column, min, max, mean, share);
            }
            this.togetherMax[column] = Math.max(this.togetherMax[column]!, together);
            this.time[column]! += share;
        }
    }
}
