import assert from "node:assert/strict";
import { test } from "node:test";
import { measured, type MeasuredExecutionDocument } from "../src/measured_execution.ts";
import { cpuLabel, settingText, stateLabel } from "../src/overview.ts";
import { State } from "../src/execution.ts";
import { overviewFrom } from "../src/task_graph.ts";

const run: MeasuredExecutionDocument = {
    schema: "parcast.measured-execution/1",
    parcast: "0.0.0",
    title: "pigz -p 2",
    file: "measured.perf.txt",
    command: ["pigz", "-p", "2"],
    cpus: 3,
    cpu_numbers: [5, 9],
    threads: [{ name: "main", function: "main", parent: null }],
};

test("a measured run has one number of CPUs, and nothing to replay or to predict", () => {
    const overview = overviewFrom(run);
    assert.deepEqual(overview.cpus, [3]);
    assert.deepEqual(overview.schedulers, [measured]);
    assert.deepEqual(Object.values(overview.capabilities).filter(Boolean), []);
    assert.deepEqual(overview.prediction.predictions, []);
    assert.equal(overview.prediction.time_on_one_cpu_ns, null);
    assert.equal(settingText(overview, 3, measured), "measured on 3 CPUs");
});

test("its CPUs have the numbers of the system, and one that it did not use has none", () => {
    const overview = overviewFrom(run);
    assert.deepEqual([0, 1, 2].map((cpu) => cpuLabel(overview, cpu)), ["CPU 5", "CPU 9", "unused CPU"]);
});

test("waiting without being interruptible is not called input and output: the kernel does not say so", () => {
    assert.equal(stateLabel(overviewFrom(run), State.inputAndOutput), "uninterruptible");
});
