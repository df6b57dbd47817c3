import assert from "node:assert/strict";
import { test } from "node:test";
import { pathCauses } from "../src/changes/path_causes.ts";
import { executionMagic, readContainer, type Column } from "../src/container.ts";
import { Execution, none, Operation, State } from "../src/execution.ts";
import { writeContainer } from "./container_writer.ts";
import { syntheticBytes, syntheticOverview } from "./synthetic.ts";

const shape = { threads: 4, rounds: 60, locks: 2, seed: 3 };
const overview = syntheticOverview(shape, [1, 4]);

function executionWith(change: (columns: Map<string, Column>) => void): Execution {
    const columns = readContainer(syntheticBytes(shape, 4), executionMagic);
    change(columns);
    return new Execution(writeContainer(executionMagic, columns));
}

test("functions and causes sum to the path", () => {
    const table = pathCauses(executionWith(() => undefined), overview);
    assert(table.length > 0);
    for (const row of table.rows) {
        const sum = [...row.causes.values()].reduce((all, time) => all + time, 0);
        assert(Math.abs(sum - row.time) < 1, `${row.name}: ${sum} of ${row.time}`);
    }
    assert.deepEqual(table.rows, [...table.rows].sort((a, b) => b.time - a.time));
});

// One thread on the path from 0 to 100: it arrives at a lock at 10, holds it until 40, and ends at 100.
const locked = executionWith((columns) => {
    const threads = columns.get("thread.created")!.length;
    columns.set("path.thread", Uint32Array.of(0));
    columns.set("path.begin", Float64Array.of(0));
    columns.set("path.end", Float64Array.of(100));
    columns.set("event.first", Uint32Array.from({ length: threads + 1 }, (_, i) => (i === 0 ? 0 : 3)));
    columns.set("event.time", Float64Array.of(10, 40, 90));
    columns.set("event.kind", Uint8Array.of(Operation.lock, Operation.unlock, Operation.inputOutput));
    columns.set("event.object", Uint32Array.of(1, 1, none));
    columns.set("event.site", Uint32Array.of(2, 3, none));
    const objects = columns.get("object.operations")!.length;
    columns.set("object.event.first", new Uint32Array(objects + 1));
    columns.set("object.event", new Uint32Array(0));
    // It runs until 50, is ready until 70, and runs again.
    const intervals = columns.get("interval.begin")!.length;
    const first = columns.get("lane.first") as Uint32Array;
    const begin = (columns.get("interval.begin") as Float64Array).slice();
    const state = (columns.get("interval.state") as Uint8Array).slice();
    begin.fill(1000, 0, first[1]);
    begin.set([0, 50, 70], 0);
    state.set([State.running, State.ready, State.running], 0);
    assert(intervals > 3);
    columns.set("interval.begin", begin);
    columns.set("interval.state", state);
    columns.set("object.blocked", new Float64Array(objects).fill(1));
});


test("work belongs to the function of the operation that ends it, and to the lock that is held", () => {
    const table = pathCauses(locked, overview);
    assert.equal(table.length, 100);
    const main = table.rows.find((row) => row.name === "main")!;
    assert.equal(main.time, 60, "up to no known place, and behind the last operation");
    assert.equal(main.causes.get(`state ${State.ready}`), 20);
    assert.equal(main.causes.get(`state ${State.running}`), 40);
    const held = table.rows.reduce((sum, row) => sum + (row.causes.get("lock 1") ?? 0), 0);
    assert.equal(held, 30);
    assert.match(table.causes.find(({ key }) => key === "lock 1")!.text, /^holding /);
});

test("a lock that nobody waits for is no reason for anything", () => {
    const free = executionWith((columns) => columns.set("object.blocked", new Float64Array(columns.get("object.operations")!.length)));
    assert.deepEqual(pathCauses(free, overview).causes.filter(({ key }) => key.startsWith("lock")), []);
});
