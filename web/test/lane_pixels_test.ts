// What is drawn of a lane, against the intervals themselves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { noCpu, none, State, stateCount } from "../src/execution.ts";
import { syntheticExecution } from "./synthetic.ts";
import { CpuPixels, cpuIntervalNear } from "../src/timeline/cpu_pixels.ts";
import { intervalNear, isActive, LanePixels } from "../src/timeline/lane_pixels.ts";
import { TimeScale } from "../src/timeline/scale.ts";

const execution = syntheticExecution({ threads: 4, rounds: 3000, locks: 3, seed: 5 }, 2);
const whole = execution.totals.completion;
const ranges: readonly (readonly [number, number])[] = [
    [0, whole],
    [whole * 0.3, whole * 0.4],
    [whole * 0.5, whole * 0.5 + 3_000_000],
    [whole * 0.5, whole * 0.5 + 40_000],
    [-whole, 3 * whole],
];

// Time that each column has of each state.
function byColumns(thread: number, scale: TimeScale): number[][] {
    const columns = Array.from({ length: scale.width }, () => new Array<number>(stateCount).fill(0));
    for (let i = execution.laneFirst[thread]!; i < execution.laneFirst[thread + 1]!; ++i) {
        const x0 = scale.x(execution.intervalBegin[i]!);
        const x1 = scale.x(execution.intervalEnd(i));
        for (let column = Math.max(0, Math.floor(x0)); column < Math.min(scale.width, x1); ++column) {
            columns[column]![execution.intervalState[i]!]! += Math.max(0, Math.min(x1, column + 1) - Math.max(x0, column));
        }
    }
    return columns;
}

test("intervals of a pixel or more are where they are, to half a pixel, and each once", () => {
    const pixels = new LanePixels();
    for (const range of ranges) {
        const scale = new TimeScale(range, 400);
        pixels.measure(execution, 1, scale);
        const wide: number[] = [];
        for (let i = execution.laneFirst[1]!; i < execution.laneFirst[2]!; ++i) {
            const [x0, x1] = [scale.x(execution.intervalBegin[i]!), scale.x(execution.intervalEnd(i))];
            if (x1 - x0 >= 1 && Math.min(400, Math.round(x1)) > Math.max(0, Math.round(x0))) {
                wide.push(i);
            }
        }
        assert.deepEqual([...pixels.wideInterval.subarray(0, pixels.wideCount)], wide);
        for (let k = 0; k < pixels.wideCount; ++k) {
            const interval = pixels.wideInterval[k]!;
            assert.equal(pixels.wideBegin[k], Math.max(0, Math.round(scale.x(execution.intervalBegin[interval]!))));
            assert.equal(pixels.wideEnd[k], Math.min(400, Math.round(scale.x(execution.intervalEnd(interval)))));
        }
    }
});

test("columns of narrow intervals have the time of all that is narrow, none lost and none invented", () => {
    const pixels = new LanePixels();
    for (const range of ranges) {
        const scale = new TimeScale(range, 400);
        pixels.measure(execution, 2, scale);
        const expected = byColumns(2, scale).map((column) => column.reduce((a, b) => a + b, 0));
        const inWide = new Array<number>(400).fill(0);
        for (let i = execution.laneFirst[2]!; i < execution.laneFirst[3]!; ++i) {
            const x0 = scale.x(execution.intervalBegin[i]!);
            const x1 = scale.x(execution.intervalEnd(i));
            if (x1 - x0 < 1) {
                continue;
            }
            for (let column = Math.max(0, Math.floor(x0)); column < Math.min(400, x1); ++column) {
                inWide[column]! += Math.max(0, Math.min(x1, column + 1) - Math.max(x0, column));
            }
        }
        for (let column = 0; column < 400; ++column) {
            let sum = 0;
            for (let slot = 0; slot < stateCount; ++slot) {
                sum += pixels.shares[column * stateCount + slot]!;
            }
            assert(Math.abs(sum - (expected[column]! - inWide[column]!)) < 2e-3, `column ${column}: ${sum} of ${expected[column]! - inWide[column]!}`);
        }
    }
});

// A node that lies in two columns gives each its share of the node's mean: neighbours may exchange up to that, and the
// shares of a node are rounded.
test("time in each state by column is that of the intervals, over any few columns", () => {
    const pixels = new LanePixels();
    const scale = new TimeScale([0, whole], 300);
    pixels.measure(execution, 0, scale);
    const exact = byColumns(0, scale);
    assert.equal(pixels.wideCount, 0);
    for (let state = 0; state < stateCount; ++state) {
        for (let from = 0; from + 20 <= 300; from += 20) {
            let [drawn, real] = [0, 0];
            for (let column = from; column < from + 20; ++column) {
                drawn += pixels.shares[column * stateCount + state]!;
                real += exact[column]![state]!;
            }
            assert(Math.abs(drawn - real) < 1, `state ${state}, columns from ${from}: ${drawn}, ${real}`);
        }
    }
});

test("what a thread does while it does not run is seen where it runs most of the time", () => {
    const busy = syntheticExecution({ threads: 20, rounds: 2000, locks: 2, seed: 2 }, 9);
    const pixels = new LanePixels();
    pixels.measure(busy, 4, new TimeScale([0, busy.totals.completion], 10));
    const ready = busy.timeInState(4, State.ready) / (busy.laneEnd[4]! - busy.intervalBegin[busy.laneFirst[4]!]!);
    const drawn = pixels.shares.reduce((sum, share, i) => sum + (i % stateCount === State.ready ? share : 0), 0);
    const all = pixels.shares.reduce((sum, share) => sum + share, 0);
    assert(ready > 0.1, String(ready));
    assert(Math.abs(drawn / all - ready) < 0.02, `${drawn / all}, ${ready}`);
});

test("an interval narrower than a pixel is seen, however long its neighbours are", () => {
    const pixels = new LanePixels();
    for (let thread = 0; thread < execution.threads; ++thread) {
        const scale = new TimeScale([whole * 0.2, whole * 0.2 + 60_000_000], 500);
        pixels.measure(execution, thread, scale);
        const first = execution.intervalAt(thread, scale.begin);
        for (let i = first; i < execution.laneFirst[thread + 1]! && execution.intervalBegin[i]! < scale.end; ++i) {
            const x = scale.x((execution.intervalBegin[i]! + execution.intervalEnd(i)) / 2);
            if (x < 0 || x >= 500 || execution.intervalEnd(i) - execution.intervalBegin[i]! > scale.nsPerPixel) {
                continue;
            }
            const column = Math.floor(x);
            const state = execution.intervalState[i]!;
            const shares = pixels.shares.subarray(column * stateCount, (column + 1) * stateCount);
            assert(shares[state]! > 0 || execution.intervalEnd(i) - execution.intervalBegin[i]! < scale.nsPerPixel / 100, `interval ${i}`);
        }
    }
});

test("the work for a lane is bounded by pixels, not by intervals", () => {
    const many = syntheticExecution({ threads: 1, rounds: 200_000, locks: 2, seed: 3 }, 1);
    const pixels = new LanePixels();
    for (const zoom of [1, 10, 100, 1000, 10_000]) {
        pixels.measure(many, 0, new TimeScale([0, many.totals.completion / zoom], 1000));
        assert(pixels.visited < 1000 * 12, `zoom ${zoom}: ${pixels.visited} of ${many.intervals}`);
    }
    assert(many.intervals > 400_000);
});

test("outside the life of a thread nothing is drawn", () => {
    const pixels = new LanePixels();
    pixels.measure(execution, 0, new TimeScale([whole + 1, whole + 1000], 100));
    assert.equal(pixels.wideCount, 0);
    assert(pixels.narrow.every((each) => each === 0));
});

test("a processor's columns are as busy as its intervals", () => {
    const pixels = new CpuPixels();
    for (const range of ranges) {
        const scale = new TimeScale(range, 300);
        pixels.measure(execution, 1, scale);
        let wide = 0;
        for (let k = 0; k < pixels.wideCount; ++k) {
            const interval = pixels.wideInterval[k]!;
            assert.equal(execution.intervalCpu[interval], 1);
            wide += Math.min(300, scale.x(execution.intervalEnd(interval))) - Math.max(0, scale.x(execution.intervalBegin[interval]!));
        }
        let real = 0;
        for (let i = 0; i < execution.intervals; ++i) {
            if (execution.intervalCpu[i] === 1) {
                real += Math.max(0, Math.min(300, scale.x(execution.intervalEnd(i))) - Math.max(0, scale.x(execution.intervalBegin[i]!)));
            }
        }
        const narrow = pixels.busy.reduce((a, b) => a + b, 0);
        assert(Math.abs(wide + narrow - real) < 2 + real / 200, `${wide} + ${narrow}, ${real}`);
    }
});

test("a click hits the interval under it, or the longest that is near where none can be seen", () => {
    for (let i = execution.laneFirst[1]! + 10; i < execution.laneFirst[1]! + 60; ++i) {
        const middle = (execution.intervalBegin[i]! + execution.intervalEnd(i)) / 2;
        assert.equal(intervalNear(execution, 1, middle, 0), i);
        const near = intervalNear(execution, 1, middle, 1e7);
        assert(execution.intervalEnd(near) - execution.intervalBegin[near]! >= execution.intervalEnd(i) - execution.intervalBegin[i]!);
        if (execution.intervalCpu[i] !== noCpu) {
            assert.equal(cpuIntervalNear(execution, execution.intervalCpu[i]!, middle, 0), i);
        }
    }
    assert.equal(intervalNear(execution, 1, whole * 2, 1000), none);
    assert.equal(intervalNear(execution, 1, -5e6, 1000), none);
});

test("a thread is active where it runs or wants to", () => {
    for (let i = execution.laneFirst[3]!; i < execution.laneFirst[3]! + 200; ++i) {
        const [begin, end] = [execution.intervalBegin[i]!, execution.intervalEnd(i)];
        const inside = (end - begin) / 4;
        assert.equal(isActive(execution, 3, begin + inside, end - inside), execution.intervalState[i]! <= State.ready, `interval ${i}`);
    }
    assert.equal(isActive(execution, 3, whole + 1, whole + 2), false);
});
