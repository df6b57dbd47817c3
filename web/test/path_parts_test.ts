import assert from "node:assert/strict";
import { test } from "node:test";
import { pathParts, pathRowsOver, type PathParts } from "../src/path_parts.ts";
import { syntheticExecution, syntheticOverview } from "./synthetic.ts";

const shape = { threads: 4, rounds: 60, locks: 2, seed: 3 };

test("the groups sum to the path", () => {
    const execution = syntheticExecution(shape, 4);
    const parts = pathParts(execution, syntheticOverview(shape, [1, 4]));
    const pieces = execution.pathBegin.reduce((sum, begin, i) => sum + execution.pathEnd[i]! - begin, 0);
    assert(pieces > 0);
    assert(Math.abs(parts.length - pieces) < 1, `${parts.length} of ${pieces}`);
    assert.deepEqual(parts.groups, [...parts.groups].sort((a, b) => b.time - a.time));
});

test("rows over the counts: shares of each path, and what is not known yet", () => {
    const at = (groups: [string, number][], length: number): PathParts => ({
        length,
        groups: groups.map(([name, time]) => ({ name, time, index: 0 })),
    });
    const rows = pathRowsOver([at([["work", 90], ["read", 10]], 100), null, at([["read", 10], ["work", 30], ["tiny", 0.1]], 40.1)]);
    assert.deepEqual(rows.map((row) => row.name), ["work", "read"]);
    assert.deepEqual(rows[0]!.shares, [0.9, null, 30 / 40.1]);
});
