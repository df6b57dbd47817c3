import assert from "node:assert/strict";
import { test } from "node:test";
import { executionMagic, readContainer, writeContainer, type Column } from "../src/container.ts";
import { Cause, Execution, none, State, stateCount } from "../src/execution.ts";
import { reasonOf } from "../src/details/reason.ts";
import { legendOf, sharesOf } from "../src/first_screen/shares.ts";
import type { Overview } from "../src/overview.ts";
import { deadlockLead, stuckText, verdict } from "../src/sentences.ts";
import { syntheticBytes, syntheticOverview } from "./synthetic.ts";

const shape = { threads: 3, rounds: 10, locks: 2, seed: 5 };
const overview = syntheticOverview(shape, [1, 4]);

function executionWith(change: (columns: Map<string, Column>) => void, cpus = 4): Execution {
    const columns = readContainer(syntheticBytes(shape, cpus), executionMagic);
    change(columns);
    return new Execution(writeContainer(executionMagic, columns));
}

// Half of the processor time is busy, half goes to one cause.
function lost(cause: number, object = none): Execution {
    return executionWith((columns) => {
        const whole = 4 * (columns.get("totals") as Float64Array)[1]!;
        columns.set("limit.cause", Uint8Array.of(Cause.busy, cause));
        columns.set("limit.object", Uint32Array.of(none, object));
        columns.set("limit.time", Float64Array.of(whole / 2, whole / 2));
    });
}

test("every loss but work has a sentence, a place and an advice", () => {
    for (const cause of Object.values(Cause).filter((each) => each !== Cause.busy)) {
        const says = verdict(lost(cause), overview, 2);
        assert.match(says.limits.text, /On 4 CPUs 50 % of the processor time/, String(cause));
        assert(says.where, `where of ${cause}`);
        assert(says.attempt, `advice of ${cause}`);
    }
});

// Two sentences were all that was said where nothing is lost.
test("where nothing is lost there are three sentences all the same, and the next step", () => {
    // `share`: of the time that each thread runs.
    const busy = (cpus: number, share: number) =>
        executionWith((columns) => {
            const whole = (columns.get("totals") as Float64Array)[1]!;
            columns.set("limit.cause", Uint8Array.of(Cause.busy));
            columns.set("limit.object", Uint32Array.of(none));
            columns.set("limit.time", Float64Array.of(cpus * whole));
            columns.set("thread.state", new Float64Array(shape.threads * stateCount).map((_, i) => (i % stateCount === State.running ? share * whole : 0)));
        }, cpus);
    const three = syntheticOverview(shape, [1, 2, 4]);
    const pretended: Overview = { ...three, prediction: { ...three.prediction, recorded: { ...three.prediction.recorded, pretended_cpus: 4 } } };
    const rows: [cpus: number, share: number, of: Overview, limits: RegExp, attempt: RegExp, command: string | undefined][] = [
        [1, 1, three, /^On 1 CPU nothing is lost/, /choose more CPUs above/, undefined],
        [2, 0.6, three, /^On 2 CPUs hardly anything is lost/, /choose more CPUs above/, undefined],
        [2, 0.95, three, /^On 2 CPUs/, /show it more:$/, "parcast record --pretend-cpus 4 -- pigz -p 8 -k big.tar"], // more CPUs alone are no use
        [2, 0.95, pretended, /^On 2 CPUs/, /more threads, with less to do/, undefined],
        [4, 0.6, three, /^On 4 CPUs hardly anything is lost/, /real CPUs do as well:$/, "parcast scale --measure -- pigz -p 8 -k big.tar"], // the most that were predicted
    ];
    for (const [cpus, share, of, limits, attempt, command] of rows) {
        const says = verdict(busy(cpus, share), of, cpus);
        assert.match(says.limits.text, limits);
        assert.match(says.where.text, /runs/);
        assert.match(says.attempt.text, attempt);
        assert.equal(says.attempt.command, command);
    }
});

test("a lock that stands out is named, and where it is waited for", () => {
    const says = verdict(lost(Cause.lock, 0), overview, 2);
    assert.equal(says.limits.text, "On 4 CPUs 50 % of the processor time is lost to waiting for compress_have.");
    assert.match(says.where.text, /^\d+ % of the waiting for compress_have begins at compress_thread, pigz\.c:100\.$/);
    assert.equal(says.attempt.text, "Try: hold it for less time, or put several locks in its place.");
    assert.deepEqual(says.limits.selection, { kind: "object", index: 0 });
});

test("want of threads suggests to pretend more CPUs, but not once they were seen", () => {
    const says = verdict(lost(Cause.noThread), overview, 3);
    assert.equal(says.attempt.command, "parcast record --pretend-cpus 4 -- pigz -p 8 -k big.tar");
    const pretended: Overview = {
        ...overview,
        prediction: { ...overview.prediction, recorded: { ...overview.prediction.recorded, pretended_cpus: 4 } },
    };
    assert.equal(verdict(lost(Cause.noThread), pretended, 3).attempt.text, "Try: record the program with more threads.");
});

test("more threads are no advice where one does all the work", () => {
    const execution = executionWith((columns) => {
        const whole = (columns.get("totals") as Float64Array)[1]!;
        columns.set("limit.cause", Uint8Array.of(Cause.busy, Cause.noThread));
        columns.set("limit.object", Uint32Array.of(none, none));
        columns.set("limit.time", Float64Array.of(whole, 3 * whole));
        const states = new Float64Array(3 * stateCount);
        states[stateCount + State.running] = 0.98 * whole;
        columns.set("thread.state", states);
    });
    const says = verdict(execution, overview, 1.02);
    assert.match(says.where.text, /compress 1 runs 98 % of the time: no number of CPUs/);
    assert.match(says.attempt.text, /others would not relieve it/);
});

// Two CPUs, one of which finds nothing to run: how many run in each tenth of the time. Who is on the path is main, then
// the second thread.
function running(tenths: readonly number[], threads: number, mainUntil = 1): Execution {
    return executionWith((columns) => {
        const whole = (columns.get("totals") as Float64Array)[1]!;
        const node = (value: number) => Float32Array.of(value);
        const most = Math.max(...tenths);
        columns.set("limit.cause", Uint8Array.of(Cause.busy, Cause.noThread));
        columns.set("limit.object", Uint32Array.of(none, none));
        columns.set("limit.time", Float64Array.of(whole, 3 * whole));
        columns.set("profile.time", Float64Array.from(tenths, (_, i) => (i * whole) / 10));
        columns.set("profile.running", Float32Array.from(tenths));
        columns.set("profile.ready", new Uint32Array(10));
        columns.set("profile.pyramid.first", Uint32Array.of(0, 1));
        for (const name of ["min", "max", "mean", "ready.min", "ready.max", "ready.mean"]) {
            columns.set(`profile.${name}`, node(most));
        }
        columns.set("path.thread", Uint32Array.of(0, 1));
        columns.set("path.begin", Float64Array.of(0, mainUntil * whole));
        columns.set("path.end", Float64Array.of(mainUntil * whole, whole));
        columns.set("thread.state", new Float64Array(threads * stateCount).fill(whole / 20));
    }, 2);
}

// "It makes 9 threads, but they are not all there at the same time" was said of lu on 8 CPUs, whose 9 threads are.
test("threads are said not to be there at once only where they are not", () => {
    const says = (tenths: readonly number[], mainUntil?: number) => verdict(running(tenths, shape.threads, mainUntil), overview, 1.5);
    assert.match(says([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]).attempt.text, /^It makes 3 threads, but at most 1 thread at a time can run/);
    const alone = says([1, 1, 1, 2, 2, 2, 2, 2, 2, 3]);
    assert.equal(alone.attempt.text, "Try: split what main does alone: no number of CPUs shortens that 30 % of the time.");
    assert.equal(alone.where.text, "main runs alone for 30 % of the time.");
    const other = says([1, 1, 1, 1, 1, 2, 2, 2, 2, 2], 0.1);
    assert.equal(other.where.text, "compress 1 runs alone for 40 % of the time.");
    const few = says([1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    assert.equal(few.attempt.text, "For 10 % of the time fewer than 2 CPUs have a thread to run: see when.");
    assert.equal(few.attempt.panel, "parallelism");
});

// An average of 17.6 tasks at once was given as the reason why 9 CPUs find none.
test("of a task graph is said how long it has too few tasks, not how many it has on average", () => {
    const graph = { groups: null, curves: [], averageParallelism: 17.6, mostParallelism: 40, contention: null } as unknown as NonNullable<Overview["graph"]>;
    const says = verdict(running([1, 1, 1, 2, 2, 2, 2, 2, 2, 3], shape.threads), { ...overview, graph }, 1.5);
    assert.match(says.limits.text, /finds no task to run: for 30 % of the time fewer tasks run or are ready than there are CPUs\.$/);
});

test("a run that loses nothing says so", () => {
    const execution = executionWith((columns) => {
        const whole = 4 * (columns.get("totals") as Float64Array)[1]!;
        columns.set("limit.cause", Uint8Array.of(Cause.busy, Cause.ready));
        columns.set("limit.object", Uint32Array.of(none, none));
        columns.set("limit.time", Float64Array.of(whole * 0.97, whole * 0.03));
    });
    assert.match(verdict(execution, overview, 3.9).limits.text, /hardly anything is lost/);
});

test("a deadlock says who waits for what and whom", () => {
    const execution = executionWith((columns) => {
        const totals = columns.get("totals") as Float64Array;
        totals[17] = 1;
        totals[18] = 2e6;
        columns.set("stuck.thread", Uint32Array.of(0, 1, 2));
        columns.set("stuck.object", Uint32Array.of(1, none, none));
        columns.set("stuck.awaited", Uint32Array.of(none, 0, none));
        columns.set("stuck.holder", Uint32Array.of(2, none, none));
        columns.set("stuck.site", Uint32Array.of(3, none, none));
    });
    assert.equal(deadlockLead(execution), "On 4 CPUs the direct model deadlocks after 2.00 ms; 3 threads cannot go on.");
    assert.equal(stuckText(execution, overview, 0), "main waits for write_first, held by compress 2, at put_block, pigz.c:511");
    assert.equal(stuckText(execution, overview, 1), "compress 1 waits for main");
    assert.equal(stuckText(execution, overview, 2), "compress 2 waits for any thread to end");
    assert.equal(execution.speedUp(1e9), null);
});

test("the shares of the bar are all of the processor time, the legend the largest of them", () => {
    const execution = executionWith(() => undefined);
    const shares = sharesOf(execution, overview);
    assert(Math.abs(shares.reduce((sum, share) => sum + share.share, 0) - 1) < 1e-9);
    assert.equal(shares[0]!.kind, "running");
    const legend = legendOf(shares, 3);
    assert(legend.length <= 3);
    const least = Math.min(...legend.map((share) => share.share));
    assert(shares.filter((share) => share.share > least).every((share) => legend.includes(share)));
});

test("why a thread did not run is one sentence", () => {
    const execution = executionWith(() => undefined);
    for (let i = 0; i < execution.intervals; ++i) {
        const reason = reasonOf(execution, overview, i);
        assert.match(reason, /^It[s ].+\.$/);
        if (execution.intervalState[i] === State.blocked) {
            assert.match(reason, /compress_have|write_first/);
        }
    }
});
