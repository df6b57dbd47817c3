import assert from "node:assert/strict";
import { test } from "node:test";
import { Cause, none, type Limit } from "../src/execution.ts";
import { largestLoss, scaling } from "../src/scaling.ts";
import { extentText } from "../src/sentences.ts";

const points = (rows: readonly (readonly [number, number])[]) => rows.map(([cpus, speedUp]) => ({ cpus, speedUp }));

// The rows of src/analysis/scaling_test.cpp.
test("scaling stops where an added CPU returns less than half", () => {
    const cases: [rows: [number, number][], scalesTo: number, firstBeyond: number | null][] = [
        [[[1, 1], [2, 1.98], [4, 3.85], [8, 6.6], [16, 6.97]], 8, 16],
        [[[1, 1], [2, 2], [4, 4]], 4, null],
        [[[1, 1], [2, 1.0], [4, 1.0]], 1, 2],
        [[[1, 1], [2, 1.5], [4, 2.5]], 4, null],
        [[[1, 1], [4, 3.9], [8, 4.0]], 4, 8],
        [[[1, 1], [4, 4], [5, 4], [6, 4], [8, 8], [9, 8]], 8, 9], // 5 and 6 are dips: eight equal pieces
        [[[1, 1], [4, 4], [5, 4], [8, 5.9]], 4, 5],
        [[[8, 7.5]], 8, null],
        [[[8, 2.0]], 1, 8],
        [[[1, 1]], 1, null],
        [[], 1, null],
    ];
    for (const [rows, scalesTo, firstBeyond] of cases) {
        assert.deepEqual(scaling(points(rows)), { scalesTo, firstBeyond });
    }
});

// polyroots on 1 to 16 CPUs "scaled to 8": one more returned 0.49, though 16 of them were 12.2 times as fast.
test("scaling does not stop at a first dip that larger counts make up for", () => {
    const speedUps = [1, 2, 3, 3.9, 4.8, 5.6, 6.4, 7.1, 7.59, 8.72, 9.3, 9.9, 10.5, 11, 11.6, 12.2];
    const rows = speedUps.map((speedUp, i): [number, number] => [i + 1, speedUp]);
    assert.deepEqual(scaling(points(rows)), { scalesTo: 16, firstBeyond: null });
    assert.equal(extentText(points(rows)), "Scales to 16 CPUs, the most that was predicted: each CPU added returned at least half of its time.");
});

test("the extent is said as predict says it", () => {
    assert.equal(
        extentText(points([[1, 1], [2, 1.98], [4, 3.85], [8, 6.6], [16, 6.97]])),
        "Scales to 8 CPUs: of the CPUs added beyond, up to 16, each returns less than half of its time.",
    );
    assert.equal(
        extentText(points([[1, 1], [2, 1.98], [64, 6.97]])),
        "Scales to 2 CPUs: of the CPUs added beyond, up to 64, each returns on average less than half of its time.",
    );
    assert.equal(
        extentText(points([[1, 1], [2, 2], [4, 4]])),
        "Scales to 4 CPUs, the most that was predicted: each CPU added returned at least half of its time.",
    );
    assert.equal(extentText(points([[1, 1], [2, 1.02]])), "Does not scale: 2 CPUs are 1.02 times as fast as one.");
    assert.equal(extentText(points([[1, 1], [8, 2]])), "8 CPUs are 2.00 times as fast as one: on average, each returns 25 % of its time.");
    assert.equal(extentText(points([[1, 1]])), null);
});

const limit = (cause: number, share: number, object = none): Limit => ({ cause, share, object, time: share * 1000 });

test("the largest loss is not the work itself", () => {
    const limits = [limit(Cause.busy, 0.7), limit(Cause.lock, 0.1, 0), limit(Cause.inputOutput, 0.2, 1)];
    assert.equal(largestLoss(limits, 0.01)?.cause, Cause.inputOutput);
    assert.equal(largestLoss(limits, 0.01)?.object, 1);
    assert.equal(largestLoss(limits, 0.25), null);
    assert.equal(largestLoss(limits.slice(0, 1), 0.01), null);
});

test("many small locks together are a large loss of no single one", () => {
    const limits = [limit(Cause.inputOutput, 0.25, 9), limit(Cause.lock, 0.1, 0), limit(Cause.lock, 0.1, 1), limit(Cause.lock, 0.3)];
    const loss = largestLoss(limits, 0.01);
    assert.equal(loss?.cause, Cause.lock);
    assert.equal(loss?.object, none);
    assert(Math.abs(loss!.time - 500) < 1e-9);
});
