// How many threads of a group run, are ready and wait in each column of pixels: means over its time.

import { firstAfter, type Execution } from "../execution.ts";
import type { TimeScale } from "./scale.ts";

export class GroupPixels {
    running = new Float32Array(0);
    ready = new Float32Array(0);
    waiting = new Float32Array(0);
    visited = 0; // steps

    measure(execution: Execution, group: number, scale: TimeScale): void {
        const width = Math.ceil(scale.width);
        if (this.running.length !== width) {
            this.running = new Float32Array(width);
            this.ready = new Float32Array(width);
            this.waiting = new Float32Array(width);
        } else {
            this.running.fill(0);
            this.ready.fill(0);
            this.waiting.fill(0);
        }
        this.visited = 0;
        const first = execution.groupStepFirst[group]!;
        const last = execution.groupStepFirst[group + 1]! - 1; // nothing is left at the last one
        const { groupTime } = execution;
        for (let step = Math.max(first, firstAfter(groupTime, scale.begin, first, last) - 1); step < last && groupTime[step]! < scale.end; ++step) {
            ++this.visited;
            this.add(execution, step, Math.max(0, scale.x(groupTime[step]!)), Math.min(width, scale.x(groupTime[step + 1]!)));
        }
    }

    private add(execution: Execution, step: number, x0: number, x1: number): void {
        const running = execution.groupRunning[step]!;
        const ready = execution.groupReady[step]!;
        const waiting = execution.groupWaiting[step]!;
        for (let column = Math.floor(x0); column < x1; ++column) {
            const share = Math.min(x1, column + 1) - Math.max(x0, column);
            this.running[column]! += share * running;
            this.ready[column]! += share * ready;
            this.waiting[column]! += share * waiting;
        }
    }
}

export interface GroupCounts {
    readonly running: number;
    readonly ready: number;
    readonly waiting: number;
}

// Means from one instant to another.
export function groupCountsIn(execution: Execution, group: number, from: number, to: number): GroupCounts {
    const first = execution.groupStepFirst[group]!;
    const last = execution.groupStepFirst[group + 1]! - 1;
    const sum = { running: 0, ready: 0, waiting: 0 };
    const length = Math.max(1, to - from);
    for (let step = Math.max(first, firstAfter(execution.groupTime, from, first, last) - 1); step < last && execution.groupTime[step]! < to; ++step) {
        const share = Math.max(0, Math.min(to, execution.groupTime[step + 1]!) - Math.max(from, execution.groupTime[step]!)) / length;
        sum.running += share * execution.groupRunning[step]!;
        sum.ready += share * execution.groupReady[step]!;
        sum.waiting += share * execution.groupWaiting[step]!;
    }
    return sum;
}
