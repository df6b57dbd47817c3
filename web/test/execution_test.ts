import assert from "node:assert/strict";
import { test } from "node:test";
import { executionMagic, readContainer, type Column } from "../src/container.ts";
import { Execution, firstAfter, none, pyramidFactor, State, stateCount } from "../src/execution.ts";
import { writeContainer } from "./container_writer.ts";
import { syntheticBytes, syntheticExecution } from "./synthetic.ts";

const shape = { threads: 5, rounds: 40, locks: 3, seed: 7 };

function broken(change: (columns: Map<string, Column>) => void): ArrayBuffer {
    const columns = readContainer(syntheticBytes(shape, 2), executionMagic);
    change(columns);
    return writeContainer(executionMagic, columns);
}

test("an interval ends where the next of its thread begins, the last where the thread ends", () => {
    const execution = syntheticExecution(shape, 2);
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = execution.laneFirst[thread + 1]! - 1;
        assert.equal(execution.intervalEnd(last), execution.threadEnded[thread]);
        assert.equal(execution.intervalEnd(last - 1), execution.intervalBegin[last]);
        assert.equal(execution.threadOfInterval(last), thread);
        assert.equal(execution.threadOfInterval(execution.laneFirst[thread]!), thread);
    }
});

test("the states of a thread sum to its life", () => {
    const execution = syntheticExecution(shape, 2);
    for (let thread = 0; thread < execution.threads; ++thread) {
        let sum = 0;
        for (let state = 0; state < stateCount; ++state) {
            sum += execution.timeInState(thread, state);
        }
        const life = execution.threadEnded[thread]! - execution.threadCreated[thread]!;
        assert(Math.abs(sum - life) < 1e-3, `${sum} ${life}`);
    }
});

test("the interval at an instant is found, and none outside a thread's life", () => {
    const execution = syntheticExecution(shape, 2);
    for (let thread = 0; thread < execution.threads; ++thread) {
        for (let i = execution.laneFirst[thread]!; i < execution.laneFirst[thread + 1]!; ++i) {
            const middle = (execution.intervalBegin[i]! + execution.intervalEnd(i)) / 2;
            assert.equal(execution.intervalAt(thread, middle), i);
        }
        assert.equal(execution.intervalAt(thread, execution.threadEnded[thread]!), none);
        assert.equal(execution.intervalAt(thread, execution.threadCreated[thread]! - 1), none);
    }
});

test("no processor runs two threads at once in a synthetic execution", () => {
    const execution = syntheticExecution(shape, 3);
    assert.equal(execution.cpus, 3);
    for (let cpu = 0; cpu < 3; ++cpu) {
        let free = 0;
        for (let i = execution.cpuFirst[cpu]!; i < execution.cpuFirst[cpu + 1]!; ++i) {
            const interval = execution.cpuInterval[i]!;
            assert(execution.intervalBegin[interval]! >= free);
            assert(execution.intervalState[interval]! <= State.spinning);
            free = execution.intervalEnd(interval);
        }
    }
});

test("a level of the pyramid has a node for every factor-th interval", () => {
    const execution = syntheticExecution(shape, 2);
    assert(execution.pyramidLevels > 1);
    for (let level = 1; level <= execution.pyramidLevels; ++level) {
        for (let thread = 0; thread < execution.threads; ++thread) {
            const at = (level - 1) * execution.threads + thread;
            const nodes = execution.pyramidFirst[at + 1]! - execution.pyramidFirst[at]!;
            const intervals = execution.laneFirst[thread + 1]! - execution.laneFirst[thread]!;
            assert.equal(nodes, Math.ceil(intervals / pyramidFactor ** level));
        }
    }
});

test("the shares of the limits sum to 1", () => {
    const execution = syntheticExecution(shape, 4);
    const sum = execution.limits.reduce((all, limit) => all + limit.share, 0);
    assert(Math.abs(sum - 1) < 1e-9, String(sum));
});

test("bytes that are no execution are refused with a sentence", () => {
    assert.throws(() => new Execution(new ArrayBuffer(0)), /do not begin/);
    assert.throws(() => new Execution(new ArrayBuffer(64)), /do not begin/);
    assert.throws(() => new Execution(syntheticBytes(shape, 2).slice(0, 100)), /table of columns/);
    const newer = syntheticBytes(shape, 2);
    new DataView(newer).setUint32(4, 99, true);
    assert.throws(() => new Execution(newer), /version is 99/);
    assert.throws(() => new Execution(syntheticBytes(shape, 2).slice(0, 4000)), /does not lie within/);
});

test("columns of the wrong type, of the wrong length or that point nowhere are refused", () => {
    assert.throws(() => new Execution(broken((c) => c.set("lane.end", new Float64Array(1)))), /lane\.end has 1/);
    assert.throws(() => new Execution(broken((c) => c.set("lane.end", new Uint8Array(5)))), /type/);
    assert.throws(() => new Execution(broken((c) => c.delete("totals"))), /totals/);
    assert.throws(
        () => new Execution(broken((c) => c.set("lane.first", Uint32Array.of(0, 9, 3, 4, 5, 6)))),
        /lane\.first falls/,
    );
    assert.throws(
        () => new Execution(broken((c) => c.set("lane.first", Uint32Array.of(0, 1, 2, 3, 4, 1e9)))),
        /behind the last/,
    );
});

test("the first above a value", () => {
    const values = Float64Array.of(1, 2, 2, 5);
    assert.equal(firstAfter(values, 0, 0, 4), 0);
    assert.equal(firstAfter(values, 2, 0, 4), 3);
    assert.equal(firstAfter(values, 5, 0, 4), 4);
});
