// How many threads run, and how many are ready and have no processor, in each column of pixels? The least, the mean
// over time and the most, never averaged away: a node of the pyramid counts as a whole only where it lies within one
// column, so that the answer is that of the single steps. Cost: O(pixels * levels), and once a pass over the steps.

import { firstAfter, pyramidFactor, type Execution } from "../execution.ts";
import { startLevel } from "./lane_columns.ts";
import { togetherOf, type Together } from "./profile_together.ts";
import type { TimeScale } from "./scale.ts";

export class ProfilePixels {
    width = 0;
    min = new Float32Array(0);
    max = new Float32Array(0); // below min: nothing is known there
    mean = new Float32Array(0);
    readyMin = new Float32Array(0);
    readyMax = new Float32Array(0);
    readyMean = new Float32Array(0);
    togetherMax = new Float32Array(0); // running and ready, at one instant
    visited = 0;

    private time = new Float32Array(0);
    private execution!: Execution;
    private together!: Together;
    private levelFirst = 0;
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
                this.mean[column]! /= time;
                this.readyMean[column]! /= time;
            }
        }
    }

    private reset(width: number): void {
        this.visited = 0;
        if (this.width !== width) {
            this.width = width;
            for (const name of ["min", "max", "mean", "readyMin", "readyMax", "readyMean", "togetherMax", "time"] as const) {
                this[name] = new Float32Array(width);
            }
        }
        this.min.fill(Infinity);
        this.readyMin.fill(Infinity);
        this.max.fill(-Infinity);
        this.readyMax.fill(-Infinity);
        this.togetherMax.fill(0);
        this.mean.fill(0);
        this.readyMean.fill(0);
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
            const running = execution.profileRunning[first]!;
            const ready = execution.profileReady[first]!;
            this.add(x0, x1, running, running, running, ready, ready, ready, running + ready);
        } else if (Math.floor(x0) === Math.ceil(x1) - 1) {
            this.levelFirst = execution.profilePyramidFirst[level - 1]!;
            const at = this.levelFirst + node;
            this.add(
                x0,
                x1,
                execution.profileMin[at]!,
                execution.profileMax[at]!,
                execution.profileMean[at]!,
                execution.profileReadyMin[at]!,
                execution.profileReadyMax[at]!,
                execution.profileReadyMean[at]!,
                this.together.nodes[at]!,
            );
        } else {
            const childStep = step / pyramidFactor;
            for (let child = node * pyramidFactor; child < (node + 1) * pyramidFactor; ++child) {
                if (child * childStep < this.to && (child + 1) * childStep > this.from) {
                    this.descend(level - 1, child, childStep);
                }
            }
        }
    }

    private add(x0: number, x1: number, min: number, max: number, mean: number, readyMin: number, readyMax: number, readyMean: number, together: number): void {
        const end = Math.min(this.width, Math.ceil(x1));
        for (let column = Math.max(0, Math.floor(x0)); column < end; ++column) {
            const share = Math.min(x1, column + 1) - Math.max(x0, column);
            if (share <= 0) {
                continue;
            }
            this.min[column] = Math.min(this.min[column]!, min);
            this.max[column] = Math.max(this.max[column]!, max);
            this.mean[column]! += mean * share;
            this.readyMin[column] = Math.min(this.readyMin[column]!, readyMin);
            this.readyMax[column] = Math.max(this.readyMax[column]!, readyMax);
            this.readyMean[column]! += readyMean * share;
            this.togetherMax[column] = Math.max(this.togetherMax[column]!, together);
            this.time[column]! += share;
        }
    }
}
