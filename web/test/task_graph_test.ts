import assert from "node:assert/strict";
import { test } from "node:test";
import { State, type Execution } from "../src/execution.ts";
import { curveUnder, laneWord, stateLabel, threadLabel } from "../src/overview.ts";
import { overviewFrom, type TaskGraphDocument } from "../src/task_graph.ts";
import { TaskGroups } from "../src/task_groups.ts";
import { taskFlowsOf } from "../src/timeline/task_flows.ts";

// A fork, a loop of three, a task without a name, a join.
const groups = { first_task: [0, 1, 4, 5, 6], names: ["fork", "loop", "", "join"], first_successor: [0, 2, 3, 4, 4], successors: [1, 2, 3, 3] };

function run(schedule: string, cpus: number, time_ns: number, bounds: { lower: number; upper: number } | null) {
    return { schedule, cpus, time_ns, speed_up: 120 / time_ns, efficiency: 120 / time_ns / cpus, bounds };
}

const document: TaskGraphDocument = {
    schema: "parcast.view/2",
    parcast: "0.0.0",
    title: "a graph",
    prediction: {
        schema: "parcast.predict/2",
        input: { file: "a.json", form: "task_graph", format: "json" },
        graph: { tasks: 6, average_parallelism: 3, maximum_parallelism: 4 },
        machine: { name: "ideal", contention: null },
        work_ns: 120,
        span_ns: 40,
        time_on_one_cpu_ns: 120,
        predictions: [
            run("fifo", 2, 60, { lower: 1.5, upper: 2 }),
            run("fifo", 4, 50, { lower: 1.8, upper: 3 }),
            run("batch:4", 2, 80, null),
            run("batch:4", 4, 80, null),
        ],
        assumptions: ["The times of tasks do not vary."],
    },
    groups,
    scaling: [
        { scales_to_cpus: 2, first_cpus_beyond: 4, verdict: "Scales to 2 CPUs: from there to 4, each added CPU brings less than half of what one CPU does." },
        { scales_to_cpus: 1, first_cpus_beyond: 2, verdict: "Does not scale: 2 CPUs are 1.50 times as fast as one." },
    ],
    schedulers: ["fifo", "batch:4", "lpt"],
    scheduler: "fifo",
    cpus: [2, 4],
    max_cpus: 4,
    capabilities: { simulate: false, source_text: false, compare: false, recorded: false, editor: false },
    complete: true,
    notes: [],
};

test("tasks are named by their group, as an export names them", () => {
    const overview = overviewFrom(document);
    assert.deepEqual(overview.threads.map((_, task) => threadLabel(overview, task)), ["fork", "loop 1", "loop 2", "loop 3", "task 4", "join"]);
    assert.deepEqual(overview.threads.map((task) => task.function), ["fork", "loop", "loop", "loop", "task 4", "join"]);
    assert.equal(laneWord(overview), "task");
});

test("a group knows those before it and those after it", () => {
    const graph = new TaskGroups(groups);
    assert.deepEqual([...graph.successorsOf(0)], [1, 2]);
    assert.deepEqual([...graph.predecessorsOf(3)], [1, 2]);
    assert.deepEqual([...graph.predecessorsOf(0)], []);
    assert.deepEqual([0, 1, 3, 4, 5].map((task) => graph.groupOf(task)), [0, 1, 1, 2, 3]);
});

test("what a task pays to be taken from a queue is overhead, as in its accounts", () => {
    assert.equal(stateLabel(overviewFrom(document), State.switching), "overhead");
    assert.equal(stateLabel(overviewFrom(document), State.running), "running");
});

test("each predicted schedule has its own curve and bounds, and one that was not predicted has none", () => {
    const overview = overviewFrom(document);
    assert.equal(curveUnder(overview, "fifo")?.timeOnOne, 120);
    assert.deepEqual(curveUnder(overview, "fifo")?.predictions[0]?.bounds, { lower: 1.5, upper: 2 });
    assert.equal(curveUnder(overview, "batch:4")?.predictions[0]?.bounds, null);
    assert.equal(curveUnder(overview, "lpt"), null);
    assert.match(curveUnder(overview, "fifo")!.extent!, /^Scales to 2 CPUs/);
    assert.match(curveUnder(overview, "batch:4")!.extent!, /^Does not scale/);
});

// Each task has one interval: [begin, end).
function executionOf(times: readonly (readonly [number, number])[]): Execution {
    return {
        threads: times.length,
        intervals: times.length,
        laneFirst: Uint32Array.from([...times.keys(), times.length]),
        laneEnd: Float64Array.from(times, ([, end]) => end),
        intervalBegin: Float64Array.from(times, ([begin]) => begin),
        threadOfInterval: (interval: number) => interval,
    } as unknown as Execution;
}

test("arrows go from all that a task waits for to it, the last one first, and on to what waits for it", () => {
    const execution = executionOf([[0, 10], [10, 40], [10, 30], [40, 60], [10, 20], [60, 70]]);
    assert.deepEqual(taskFlowsOf(execution, new TaskGroups(groups), { kind: "thread", index: 5 }).drawn, [
        { from: 3, to: 5, time: 60, arrival: 60 },
        { from: 1, to: 5, time: 40, arrival: 60 },
        { from: 2, to: 5, time: 30, arrival: 60 },
        { from: 4, to: 5, time: 20, arrival: 60 },
    ]);
    assert.deepEqual(taskFlowsOf(execution, new TaskGroups(groups), { kind: "interval", index: 3 }).drawn, [
        { from: 0, to: 3, time: 10, arrival: 40 },
        { from: 3, to: 5, time: 60, arrival: 60 },
    ]);
    assert.deepEqual(taskFlowsOf(execution, new TaskGroups(groups), null).drawn, []);
});
