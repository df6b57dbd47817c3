import assert from "node:assert/strict";
import { test } from "node:test";
import { executionMagic, readContainer, type Column } from "../src/container.ts";
import { Execution, none, Operation } from "../src/execution.ts";
import { pathParts, pathRowsOver, type PathParts } from "../src/path_parts.ts";
import { writeContainer } from "./container_writer.ts";
import { syntheticBytes, syntheticOverview } from "./synthetic.ts";

const shape = { threads: 4, rounds: 60, locks: 2, seed: 3 };
const overview = syntheticOverview(shape, [1, 4]);

function executionWith(change: (columns: Map<string, Column>) => void): Execution {
    const columns = readContainer(syntheticBytes(shape, 4), executionMagic);
    change(columns);
    return new Execution(writeContainer(executionMagic, columns));
}

test("the functions sum to the path", () => {
    const execution = executionWith(() => undefined);
    const parts = pathParts(execution, overview);
    const pieces = execution.pathBegin.reduce((sum, begin, i) => sum + execution.pathEnd[i]! - begin, 0);
    assert(pieces > 0);
    assert(Math.abs(parts.length - pieces) < 1, `${parts.length} of ${pieces}`);
    assert.deepEqual(parts.functions, [...parts.functions].sort((a, b) => b.time - a.time));
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
    columns.set("object.blocked", new Float64Array(objects).fill(1));
});

test("work belongs to the function of the operation that ends it, and to the lock that is held", () => {
    const parts = pathParts(locked, overview);
    const time = (name: string) => parts.functions.find((part) => part.name === name)?.time;
    const name = (site: number) => overview.sites[site]!.function;
    assert.equal(parts.length, 100);
    if (name(2) === name(3)) {
        assert.equal(time(name(2)), 40);
    } else {
        assert.equal(time(name(2)), 10);
        assert.equal(time(name(3)), 30);
    }
    assert.equal(time("main"), 60, "up to no known place, and behind the last operation");
    assert.deepEqual(parts.locks.map((lock) => [lock.index, lock.time]), [[1, 30]]);
});

test("a lock that nobody waits for is no reason for anything", () => {
    const free = executionWith((columns) => columns.set("object.blocked", new Float64Array(columns.get("object.operations")!.length)));
    assert.deepEqual(pathParts(free, overview).locks, []);
});

test("rows over the counts: shares of each path, and what is not known yet", () => {
    const at = (functions: [string, number][], length: number): PathParts => ({
        length,
        functions: functions.map(([name, time]) => ({ name, time, index: 0 })),
        locks: [{ name: "queue", time: length / 2, index: 1 }],
    });
    const rows = pathRowsOver([at([["work", 90], ["read", 10]], 100), null, at([["read", 10], ["work", 30], ["tiny", 0.1]], 40.1)]);
    assert.deepEqual(rows.map((row) => [row.kind, row.name]), [["function", "work"], ["function", "read"], ["lock", "queue"]]);
    assert.deepEqual(rows[0]!.shares, [0.9, null, 30 / 40.1]);
});
