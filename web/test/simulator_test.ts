// The module as the page calls it: a program of a few operations in, an execution out.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { programMagic, type Column } from "../src/container.ts";
import { Execution, Operation, State } from "../src/execution.ts";
import { schedulers } from "../src/generated.ts";
import { Simulator } from "../src/simulator.ts";
import { OperationWeights, Weights } from "../src/weights.ts";
import { writeContainer } from "./container_writer.ts";

const none = 0xffffffff;
const noSite = 0xffffff;

interface Step {
    readonly work: number;
    readonly kind: number;
    readonly object?: number;
}

function program(lists: readonly (readonly Step[])[]): Uint8Array {
    const steps = lists.flat();
    const firsts = [0];
    lists.forEach((list, i) => firsts.push(firsts[i]! + list.length));
    const columns = new Map<string, Column>([
        ["list.first", Uint32Array.from(firsts)],
        ["op.work", BigInt64Array.from(steps, (step) => BigInt(step.work))],
        ["op.value", new BigInt64Array(steps.length)],
        ["op.object", Uint32Array.from(steps, (step) => step.object ?? none)],
        ["op.site_and_kind", Uint32Array.from(steps, (step) => ((step.kind << 24) | noSite) >>> 0)],
        ["thread.affinity", new BigUint64Array(lists.length)],
        ["thread.priority", new BigInt64Array(lists.length)],
        ["thread.affinity_word", new Uint32Array(lists.length)],
        ["thread.at_start", new Uint8Array(lists.length)],
        ["thread.lwp", new Uint8Array(lists.length)],
        ["thread.alike", Uint32Array.from(lists, () => 0)],
        ["object.kind", new Uint8Array(0)],
        ["object.initial", new BigInt64Array(0)],
        ["object.pairs", new Uint8Array(0)],
        ["object.waking", new BigInt64Array(0)],
        ["object.team", new Uint8Array(0)],
        ["object.kernel_lock", new Uint8Array(0)],
        ["turn.first", new Uint32Array(1)],
        ["turn.thread", new Uint32Array(0)],
        ["turn.takes", new Uint32Array(0)],
        ["barrier.participants", new Uint32Array(0)],
        ["barrier.condition", new Uint32Array(0)],
        ["barrier.mutex", new Uint32Array(0)],
        ["machine", BigInt64Array.from([1n, 1n, 0n, 3_000_000n, 1_000_000n, 4_000_000n, 500_000n, 0n, 0n, 0n, 100_000_000n, ...new Array<bigint>(56).fill(0n)])],
        ["machine.compute", new Float64Array(0)],
        ["machine.memory", new Float64Array(0)],
        ["machine.memory_share", new Float64Array(1)],
        ["thread.name", new Uint32Array(lists.length)],
        ["thread.function", Uint32Array.from(lists, (_, thread) => 1 + Math.min(1, thread))], // main, then solve
        ["thread.start", new Uint32Array(lists.length).fill(none)],
        ["thread.created_at", new Uint32Array(lists.length).fill(none)],
        ["object.name", new Uint32Array(0)],
        ["object.address", new BigUint64Array(0)],
        ["object.first_site", new Uint32Array(0)],
        ["site.function", new Uint32Array(0)],
        ["site.file", new Uint32Array(0)],
        ["site.line", new Uint32Array(0)],
        ["site.module", new Uint32Array(0)],
        ["site.offset", new BigUint64Array(0)],
        ["stack.caller", new Uint32Array(0)],
        ["stack.function", new Uint32Array(0)],
        ["share.first", new Uint32Array(0)],
        ["share.piece", new Uint32Array(0)],
        ["share.stack", new Uint32Array(0)],
        ["share.ns", new BigInt64Array(0)],
        ["share.calls", new Uint32Array(0)],
        ["text", new TextEncoder().encode("mainsolve")],
        ["text.first", Uint32Array.of(0, 0, 4, 9)],
        ["pairing", new Uint8Array(1)],
        ["shown_cpus", BigInt64Array.of(1n)],
    ]);
    return new Uint8Array(writeContainer(programMagic, columns));
}

// Two threads of 10 ms each; the first one creates the second and waits for its end.
const pair = program([
    [
        { work: 0, kind: Operation.create, object: 1 },
        { work: 10_000_000, kind: Operation.join, object: 1 },
        { work: 0, kind: Operation.end },
    ],
    [{ work: 10_000_000, kind: Operation.end }],
]);

const module = readFile("dist/module.wasm");

test("two threads take half the time on two processors", async () => {
    const simulator = await Simulator.create(await module, pair);
    const one = new Execution(simulator.replay(1, "linux", true));
    const two = new Execution(simulator.replay(2, "linux", true));
    assert.equal(one.totals.completion, 20_000_000);
    assert.equal(two.totals.completion, 10_000_000);
    assert.equal(two.speedUp(one.totals.completion), 2);
    assert.equal(two.timeInState(1, State.running), 10_000_000);
    assert.equal(two.totals.scheduler, schedulers.indexOf("linux"));
    assert.equal(two.cpus, 2);
    assert.match(two.sentences, /^limits\t\tOn 2 CPUs hardly anything is lost/);
});

test("the page and predict have one sentence for how far a program scales", async () => {
    const simulator = await Simulator.create(await module, pair);
    const points = [{ cpus: 1, speedUp: 1 }, { cpus: 2, speedUp: 1.9 }, { cpus: 4, speedUp: 2.1 }];
    assert.match(simulator.extent(points), /^Scales to 2 CPUs: from there to 4, /);
    assert.match(simulator.extent(points.slice(0, 2)), /^Scales to 2 CPUs, the most that was predicted/);
    assert.equal(simulator.extent(points.slice(0, 1)), "");
    assert.equal(simulator.extent([]), "");
});

test("a changed program is replayed, and a change of what is not there is refused with a sentence", async () => {
    const simulator = await Simulator.create(await module, pair);
    const half = new Execution(simulator.replay(1, "ideal", false, "function:solve*0.5"));
    assert.equal(half.totals.completion, 15_000_000);
    assert.throws(() => simulator.replay(1, "ideal", false, "function:slove*0.5"), /no function "slove".*solve/s);
    assert.throws(() => simulator.replay(1, "ideal", false, "half of all"), /begins with function:/);
});

test("what decides the time is known on each count, and what to change first is said as advise says it", async () => {
    const simulator = await Simulator.create(await module, pair);
    const weights = new Weights(simulator.weights([1, 2]), [1, 2]);
    const named = (change: string) => weights.owners.find((owner) => owner.change === change)!;
    assert.equal(named("function:solve").self, 10_000_000);
    assert.equal(weights.share(named("function:solve"), 1), 0.5);
    assert.equal(weights.share(named("function:solve"), 2), 0); // the other one takes as long
    assert.equal(weights.share(named("thread:1"), 1), 0.5);
    assert.equal(weights.share(named("thread:1"), 8), null);
    assert.equal(new OperationWeights(simulator.operationWeights(1), 1).mean(1, 2), 1);
    const [first] = simulator.advice([{ cpus: 1, time: 20_000_000, halves: [{ owner: named("function:main").index, time: 15_000_000 }] }]).split("\n");
    assert.equal(first, "1\tOn 1 CPU, change main first: it decides 50 % of the time. Half of that work takes 25 % off the time.");
});

test("without a timeline there are totals, and no lanes", async () => {
    const simulator = await Simulator.create(await module, pair);
    const bare = new Execution(simulator.replay(2, "ideal", false));
    assert.equal(bare.totals.completion, 10_000_000);
    assert.equal(bare.totals.scheduler, schedulers.indexOf("ideal"));
    assert.equal(bare.intervals, 0);
    assert.equal(bare.threads, 2);
});

test("an answer stays as it is when the next one is made", async () => {
    const simulator = await Simulator.create(await module, pair);
    const bytes = simulator.replay(1, "linux", true);
    const before = new Uint8Array(bytes).slice();
    simulator.replay(64, "linux", true);
    assert.deepEqual(new Uint8Array(bytes), before);
});

test("what is no program is refused with a sentence", async () => {
    await assert.rejects(Simulator.create(await module, new Uint8Array(100)), /\w+/);
    const simulator = await Simulator.create(await module, pair);
    assert.throws(() => simulator.replay(0, "linux", true), /\w+/);
});
