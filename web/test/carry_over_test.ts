import assert from "node:assert/strict";
import { test } from "node:test";
import { carriedOver } from "../src/carry_over.ts";
import { initialState, type Selection } from "../src/state.ts";
import { syntheticExecution } from "./synthetic.ts";

const shape = { threads: 4, rounds: 20, locks: 2, seed: 9 };
const before = syntheticExecution(shape, 2);
const now = syntheticExecution(shape, 3);
const other = syntheticExecution({ ...shape, seed: 10 }, 3);
const initial = initialState(2, "linux");
const kept = (selection: Selection | null, next = now) => carriedOver({ ...initial, selection }, before, next, 1e12).selection;

test("threads, objects and places are the same in another execution, intervals are not", () => {
    for (const selection of [{ kind: "thread", index: 3 }, { kind: "object", index: 1 }, { kind: "site", index: 2 }] as const) {
        assert.deepEqual(kept(selection), selection);
    }
    assert.deepEqual(kept({ kind: "interval", index: before.laneFirst[2]! + 3 }), { kind: "thread", index: 2 });
    assert.equal(kept({ kind: "interval", index: 1e9 }), null);
    assert.equal(kept(null), null);
});

test("an event stays selected if the thread does the same there, else its thread", () => {
    const event = before.eventFirst[1]! + 4;
    assert.deepEqual(kept({ kind: "event", index: event }), { kind: "event", index: event });
    const changed = Array.from({ length: before.events }, (_, i) => i).find((i) => before.eventKind[i] !== other.eventKind[i])!;
    assert.deepEqual(kept({ kind: "event", index: changed }, other), { kind: "thread", index: before.threadOfEvent(changed) });
});

test("times behind the end of the new execution are gone", () => {
    const view = { ...initial, range: [10, 90], mark: [60, 70], cursors: [5, 80] } as const;
    assert.deepEqual(carriedOver(view, before, now, 50), { selection: null, range: [10, 90], mark: null, cursors: [5] });
});
