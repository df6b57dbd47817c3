import assert from "node:assert/strict";
import { test } from "node:test";
import { none, State, stateCount, type Execution } from "../src/execution.ts";
import { GroupPixels } from "../src/timeline/group_pixels.ts";
import { areLanesGrouped, arrangedLanes, groupsOf, type Arrangement } from "../src/timeline/lane_groups.ts";
import { TimeScale } from "../src/timeline/scale.ts";

// Threads 1 and 3 are alike, and so are 2 and 4; thread 0 is like no other. Thread n waits 10 n ns; the path is in 3, then
// in 0.
function execution(): Execution {
    const threads = 5;
    const threadState = new Float64Array(threads * stateCount);
    for (let thread = 0; thread < threads; ++thread) {
        threadState[thread * stateCount + State.blocked] = 10 * thread;
    }
    return {
        threads,
        groups: 2,
        groupOf: Uint32Array.of(none, 0, 1, 0, 1),
        groupStepFirst: Uint32Array.of(0, 3, 5),
        groupTime: Float64Array.of(0, 10, 40, 0, 20),
        groupRunning: Float32Array.of(1, 2, 0, 1, 0),
        groupReady: Float32Array.of(0, 0, 0, 1, 0),
        groupWaiting: Float32Array.of(1, 0, 0, 0, 0),
        pathThread: Uint32Array.of(3, 0),
        pathBegin: Float64Array.of(0, 30),
        pathEnd: Float64Array.of(30, 40),
        timeInState: (thread: number, state: number) => threadState[thread * stateCount + state]!,
    } as unknown as Execution;
}

const choice: Arrangement = { grouping: "on", unfolded: [], sorting: "creation", selection: null };
const [first, second] = [5, 6]; // the lanes of the groups

test("a group stands where its first thread would, and its threads follow it once it is unfolded", () => {
    assert.deepEqual(arrangedLanes(execution(), choice), [0, first, second]);
    assert.deepEqual(arrangedLanes(execution(), { ...choice, unfolded: [1] }), [0, first, second, 2, 4]);
    assert.deepEqual(arrangedLanes(execution(), { ...choice, selection: { kind: "thread", index: 3 } }), [0, first, 3, second]);
    assert.deepEqual(arrangedLanes(execution(), { ...choice, grouping: "off" }), [0, 1, 2, 3, 4]);
});

test("lanes are sorted by waiting and by their part of the critical path, groups by that of their threads", () => {
    assert.deepEqual(arrangedLanes(execution(), { ...choice, sorting: "waiting" }), [second, first, 0]);
    assert.deepEqual(arrangedLanes(execution(), { ...choice, sorting: "path", unfolded: [0] }), [first, 3, 1, 0, second]);
    assert.deepEqual(arrangedLanes(execution(), { ...choice, sorting: "waiting", grouping: "off" }), [4, 3, 2, 1, 0]);
});

test("few lanes are not folded unless somebody asks", () => {
    assert(!areLanesGrouped(execution(), "auto"));
    assert(areLanesGrouped(execution(), "on"));
    assert(areLanesGrouped({ ...execution(), threads: 65 } as Execution, "auto"));
    assert(!areLanesGrouped({ ...execution(), threads: 65, groups: 0 } as Execution, "auto"));
});

test("the columns of a group have the mean numbers of its threads", () => {
    const pixels = new GroupPixels();
    pixels.measure(execution(), 0, new TimeScale([0, 40], 2));
    assert.deepEqual([...pixels.running], [1.5, 2]);
    assert.deepEqual([...pixels.waiting], [0.5, 0]);
    pixels.measure(execution(), 0, new TimeScale([0, 5], 1));
    assert.deepEqual([...pixels.running], [1]);
    assert.equal(groupsOf(execution()).most[0], 2);
});
