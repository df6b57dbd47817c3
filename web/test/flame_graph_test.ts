import assert from "node:assert/strict";
import { test } from "node:test";
import { executionMagic, Malformed, programMagic, readContainer, weightsMagic, type Column } from "../src/container.ts";
import { Execution, none, Operation, State } from "../src/execution.ts";
import { busiest, flameGraph, frameBeside, placed, type Frame } from "../src/flame/flame_graph.ts";
import { WorkStacks } from "../src/flame/work_stacks.ts";
import type { Range } from "../src/state.ts";
import { OperationWeights } from "../src/weights.ts";
import { writeContainer } from "./container_writer.ts";
import { syntheticBytes, syntheticOverview } from "./synthetic.ts";

const shape = { threads: 2, rounds: 20, locks: 2, seed: 3 };
const names = ["main", "parse", "sum", "lock"];
const overview = { ...syntheticOverview(shape, [1, 4]), sites: names.map((name, line) => ({ name, file: "x.c", line, function: name })) };

// Thread 0 alone works: from 0 to 100, but for 50 to 70; its operations are at 10, 40 and 100.
function execution(): Execution {
    const columns = readContainer(syntheticBytes(shape, 4), executionMagic);
    const threads = columns.get("thread.created")!.length;
    columns.set("event.first", Uint32Array.from({ length: threads + 1 }, (_, i) => (i === 0 ? 0 : 3)));
    columns.set("event.time", Float64Array.of(10, 40, 100));
    columns.set("event.kind", Uint8Array.of(Operation.lock, Operation.unlock, Operation.end));
    columns.set("event.object", Uint32Array.of(1, 1, none));
    columns.set("event.site", Uint32Array.of(3, 3, none));
    const objects = columns.get("object.operations")!.length;
    columns.set("object.event.first", new Uint32Array(objects + 1));
    columns.set("object.event", new Uint32Array(0));
    const first = columns.get("lane.first") as Uint32Array;
    const begin = (columns.get("interval.begin") as Float64Array).slice();
    const state = (columns.get("interval.state") as Uint8Array).slice();
    begin.fill(1000, 0, first[1]);
    begin.set([0, 50, 70, 100], 0);
    state.fill(State.blocked);
    state.set([State.running, State.ready, State.running, State.blocked], 0);
    columns.set("interval.begin", begin);
    columns.set("interval.state", state);
    return new Execution(writeContainer(executionMagic, columns));
}

// Stacks: main; main > parse; main > sum. The piece before operation 1 is a third of parse, two thirds of sum; that before
// operation 2 is of main.
function stacks(change: Record<string, Column> = {}): WorkStacks {
    const columns: Record<string, Column> = {
        "stack.caller": Uint32Array.of(none, 0, 0),
        "stack.function": Uint32Array.of(0, 1, 2),
        "share.first": Uint32Array.of(0, 3, 3),
        "share.piece": Uint32Array.of(1, 1, 2),
        "share.stack": Uint32Array.of(1, 2, 0),
        "share.ns": BigInt64Array.of(5n, 10n, 7n),
        ...change,
    };
    return new WorkStacks(writeContainer(programMagic, new Map(Object.entries(columns))));
}

function weights(...weight: number[]): OperationWeights {
    return new OperationWeights(
        writeContainer(weightsMagic, new Map<string, Column>([["weight.first", Uint32Array.of(0, 3, 3)], ["weight", Float32Array.from(weight)]])),
        4,
    );
}

const whole: Range = [0, 1000];
const texts = (frames: readonly Frame[]): string[] => frames.flatMap(({ name, time, own, calls }) => [`${name} ${time} ${own}`, ...texts(calls).map((text) => `  ${text}`)]);

test("work is divided among functions below their callers; without a share it is of the one that calls", () => {
    const graph = flameGraph(execution(), overview, stacks(), whole, null);
    assert.deepEqual(texts(graph.frames), ["main 70 40", "  sum 20 20", "  parse 10 10", "lock 10 10"]);
    assert.equal(graph.time, 80, "all that the thread ran");
});

test("the range chooses which work counts, as far as it lies within", () => {
    assert.deepEqual(texts(flameGraph(execution(), overview, stacks(), [25, 45], null).frames), ["main 20 5", "  sum 10 10", "  parse 5 5"]);
    assert.deepEqual(texts(flameGraph(execution(), overview, stacks(), [52, 68], null).frames), [], "it does not run there");
});

test("weights stretch work, and what is negative is left out and said", () => {
    const graph = flameGraph(execution(), overview, stacks(), whole, weights(-0.5, 1, 0.25));
    assert.deepEqual(texts(graph.frames), ["main 40 10", "  sum 20 20", "  parse 10 10"]);
    assert.equal(graph.below, -5);
});

test("a recording without functions has none", () => {
    const empty = { "share.first": new Uint32Array(0), "share.piece": new Uint32Array(0), "share.stack": new Uint32Array(0), "share.ns": new BigInt64Array(0) };
    assert(!stacks(empty).isKnown);
    assert(stacks().isKnown);
    assert.throws(() => stacks({ "stack.caller": Uint32Array.of(1, 0, 0) }), Malformed);
});

test("frames are as long as their time, and the arrow keys walk between them", () => {
    const graph = flameGraph(execution(), overview, stacks(), whole, null);
    const all = placed(graph, 160, 1);
    assert.deepEqual(all.map(({ frame, depth, left, width }) => [frame.name, depth, left, width]), [["main", 0, 0, 140], ["sum", 1, 0, 40], ["parse", 1, 40, 20], ["lock", 0, 140, 20]]);
    const [main, sum, parse, lock] = all;
    assert.equal(frameBeside(all, main!, "ArrowRight"), lock);
    assert.equal(frameBeside(all, main!, "ArrowDown"), sum);
    assert.equal(frameBeside(all, sum!, "ArrowRight"), parse);
    assert.equal(frameBeside(all, parse!, "ArrowUp"), main);
    assert.equal(frameBeside(all, lock!, "ArrowRight"), null);
    assert.deepEqual(placed(graph, 160, 30).map(({ frame }) => frame.name), ["main", "sum"], "the others are too narrow");
    assert.deepEqual(busiest(graph, 2), ["main", "sum"]);
});
