// What is seen of a processor's lane at this zoom? As lane_pixels.ts, but with gaps between the intervals, and told
// apart by thread.

import { none, pyramidFactor, type Execution } from "../execution.ts";
import { LaneColumns, startLevel } from "./lane_columns.ts";
import type { TimeScale } from "./scale.ts";

export class CpuPixels extends LaneColumns {
    busy = new Float32Array(0); // share of a column that narrow intervals take
    thread = new Uint32Array(0); // of which this thread has most

    private most = new Float32Array(0);
    private execution!: Execution;
    private cpu = 0;
    private first = 0;
    private count = 0;
    private from = 0;
    private to = 0;

    measure(execution: Execution, cpu: number, scale: TimeScale): void {
        this.reset(scale);
        this.execution = execution;
        this.cpu = cpu;
        this.first = execution.cpuFirst[cpu]!;
        this.count = execution.cpuFirst[cpu + 1]! - this.first;
        this.from = Math.max(0, this.after(scale.begin) - 1);
        this.to = this.after(scale.end);
        const level = startLevel(execution.cpuPyramidLevels, this.to - this.from);
        const step = pyramidFactor ** level;
        for (let node = Math.floor(this.from / step); node * step < this.to; ++node) {
            this.descend(level, node, step);
        }
    }

    private reset(scale: TimeScale): void {
        if (this.restart(scale)) {
            this.busy = new Float32Array(this.width);
            this.thread = new Uint32Array(this.width);
            this.most = new Float32Array(this.width);
        } else {
            this.busy.fill(0);
            this.most.fill(0);
        }
    }

    // How many intervals of the lane begin at `time` or before.
    private after(time: number): number {
        return intervalsBefore(this.execution, this.cpu, time);
    }

    private descend(level: number, node: number, step: number): void {
        ++this.visited;
        const { execution } = this;
        const first = node * step;
        const last = Math.min(first + step, this.count) - 1;
        const interval = execution.cpuInterval[this.first + first]!;
        const x0 = this.columnOf(execution.intervalBegin[interval]!);
        const x1 = this.columnOf(execution.intervalEnd(execution.cpuInterval[this.first + last]!));
        if (level === 0) {
            this.addInterval(interval, x0, x1);
        } else if (x1 - x0 <= 1) {
            const at = execution.cpuPyramidFirst[(level - 1) * execution.cpus + this.cpu]! + node;
            this.spread(x0, x1, execution.cpuPyramidThread[at]!, execution.cpuPyramidBusy[at]! / 255);
        } else {
            const childStep = step / pyramidFactor;
            for (let child = node * pyramidFactor; child < (node + 1) * pyramidFactor; ++child) {
                if (child * childStep < this.to && (child + 1) * childStep > this.from) {
                    this.descend(level - 1, child, childStep);
                }
            }
        }
    }

    private addInterval(interval: number, x0: number, x1: number): void {
        if (x1 - x0 < 1) {
            this.spread(x0, x1, this.execution.threadOfInterval(interval), 1);
        } else {
            this.addWide(interval, x0, x1);
        }
    }

    private spread(x0: number, x1: number, thread: number, weight: number): void {
        const left = Math.floor(x0);
        const edge = Math.min(x1, left + 1);
        this.add(left, thread, (edge - x0) * weight);
        if (x1 > edge) {
            this.add(left + 1, thread, (x1 - edge) * weight);
        }
    }

    private add(column: number, thread: number, share: number): void {
        if (column < 0 || column >= this.width || share <= 0) {
            return;
        }
        this.busy[column]! += share;
        if (share > this.most[column]!) {
            this.most[column] = share;
            this.thread[column] = thread;
        }
    }
}

// How many of a processor's intervals begin at `time` or before.
export function intervalsBefore(execution: Execution, cpu: number, time: number): number {
    const first = execution.cpuFirst[cpu]!;
    let low = first;
    let high = execution.cpuFirst[cpu + 1]!;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (execution.intervalBegin[execution.cpuInterval[middle]!]! <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - first;
}

// The interval that a click at `time` on a processor's lane means, or none.
export function cpuIntervalNear(execution: Execution, cpu: number, time: number, reach: number): number {
    const first = execution.cpuFirst[cpu]!;
    const count = execution.cpuFirst[cpu + 1]! - first;
    const centre = intervalsBefore(execution, cpu, time) - 1;
    let best: number = none;
    let longest = -1;
    for (let i = Math.max(0, centre - 64); i <= Math.min(count - 1, centre + 64); ++i) {
        const interval = execution.cpuInterval[first + i]!;
        const begin = execution.intervalBegin[interval]!;
        const end = execution.intervalEnd(interval);
        if (begin <= time && time < end && end - begin >= reach) {
            return interval;
        }
        if (begin <= time + reach && end >= time - reach && end - begin > longest) {
            longest = end - begin;
            best = interval;
        }
    }
    return best;
}
