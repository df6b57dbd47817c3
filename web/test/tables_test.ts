import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf, stepped } from "../src/details/stepping.ts";
import { countSteps, labelledCounts, typedCount } from "../src/first_screen/count_steps.ts";
import { doublingScale } from "../src/first_screen/chart_scale.ts";
import { none, State, stateCount } from "../src/execution.ts";
import { fileName } from "../src/chrome/export.ts";
import { hitsOf, step } from "../src/search.ts";
import type { Selection } from "../src/state.ts";
import { syntheticExecution, syntheticOverview } from "./synthetic.ts";
import { busyTime, cpuRows, intervalsOfCpu } from "../src/tables/cpu_rows.ts";
import { eventsIn, subjectOf, waitAfter } from "../src/tables/event_rows.ts";
import { functionRows, intervalsOf, markedRows, parallelismRows, pathRows, threadRows } from "../src/tables/rows.ts";
import { sortedRows, type ColumnOf } from "../src/tables/table.tsx";
import { lineTimes, markedTotals, siteSums } from "../src/waits.ts";

const shape = { threads: 4, rounds: 30, locks: 3, seed: 11 };
const execution = syntheticExecution(shape, 2);
const overview = syntheticOverview(shape, [1, 2]);
const near = (a: number, b: number) => assert(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b)), `${a} ${b}`);

test("totals of a marked interval are what is within it", () => {
    const all = markedTotals(execution, 0, execution.totals.completion);
    threadRows(execution, overview).forEach((row) =>
        row.states.forEach((time, state) => near(all.threads[row.id * stateCount + state]!, time)),
    );
    const middle = execution.totals.completion / 2;
    const halves = [markedTotals(execution, 0, middle), markedTotals(execution, middle, execution.totals.completion)];
    all.all.forEach((time, state) => near(halves[0]!.all[state]! + halves[1]!.all[state]!, time));
    near(
        markedTotals(execution, middle, middle + 1000).all.reduce((a, b) => a + b, 0),
        1000 * execution.threadEnded.filter((end) => end > middle + 1000).length,
    );
});

test("rows of a marked interval leave out threads that are not there", () => {
    const end = Math.max(...execution.threadEnded);
    const others = [...execution.threadEnded].filter((time) => time < end);
    const from = Math.max(...others);
    assert.deepEqual(markedRows(execution, overview, [from, end]).map((row) => row.thread === none).sort(), [false, true]);
});

test("the mean of running threads over the run is the time on CPUs over the completion", () => {
    const rows = parallelismRows(execution, [0, execution.totals.completion], 7);
    const mean = rows.reduce((sum, row) => sum + row.running[1], 0) / 7;
    near(mean, (execution.totals.busy + execution.totals.overhead) / execution.totals.completion);
    assert(rows.every((row) => row.running[0] <= row.running[1] + 1e-9 && row.running[1] <= row.running[2] + 1e-9));
    assert(rows.every((row) => row.running[2] <= 2));
});

test("intervals in sight are those that overlap the range, and no more than asked for", () => {
    const [a, b] = [execution.totals.completion * 0.3, execution.totals.completion * 0.4];
    const expected: number[] = [];
    for (let i = execution.laneFirst[1]!; i < execution.laneFirst[2]!; ++i) {
        if (execution.intervalEnd(i) > a && execution.intervalBegin[i]! <= b) {
            expected.push(i);
        }
    }
    assert.deepEqual(intervalsOf(execution, 1, [a, b], 1e6), expected);
    assert.deepEqual(intervalsOf(execution, 1, [a, b], 2), expected.slice(0, 2));
    assert.deepEqual(intervalsOf(execution, 99, [a, b], 2), []);
});

test("functions sum the work of their threads and the waiting at their calls", () => {
    const rows = functionRows(execution, overview);
    near(rows.reduce((sum, row) => sum + row.working, 0), execution.totals.busy);
    const waits = threadRows(execution, overview).reduce((sum, row) => sum + row.states[State.blocked]! + row.states[State.sleeping]! + row.states[State.inputAndOutput]!, 0);
    near(rows.reduce((sum, row) => sum + row.waiting, 0), waits);
});

test("tables sort by number and by name, and leave equals in their order", () => {
    const columns: ColumnOf<{ n: number; s: string }>[] = [
        { name: "n", width: "", numeric: true, key: (row) => row.n, show: () => null },
        { name: "s", width: "", key: (row) => row.s, show: () => null },
    ];
    const rows = [
        { n: 2, s: "compress 10" },
        { n: 1, s: "compress 9" },
        { n: 2, s: "compress 9" },
    ];
    assert.deepEqual(sortedRows(rows, columns, { name: "n", falling: true }), [rows[0], rows[2], rows[1]]);
    assert.deepEqual(sortedRows(rows, columns, { name: "s", falling: false }), [rows[1], rows[2], rows[0]]);
    assert.equal(sortedRows(rows, columns, null), rows);
});

test("stepping through a thread's events meets each once, forwards and back", () => {
    const first = execution.eventFirst[2]!;
    const last = execution.eventFirst[3]!;
    let at: Selection | null = { kind: "thread", index: 2 };
    const met: number[] = [];
    while ((at = stepped(execution, at, "thread", 1))) {
        met.push(at.index);
    }
    assert.deepEqual(met, Array.from({ length: last - first }, (_, i) => first + i));
    let back = 0;
    at = { kind: "event", index: last - 1 };
    while ((at = stepped(execution, at, "thread", -1))) {
        ++back;
    }
    assert.equal(back, last - first - 1);
});

test("stepping on an object meets its events in the order of time, whoever does them", () => {
    let at: Selection | null = { kind: "object", index: 0 };
    const met: number[] = [];
    while ((at = stepped(execution, at, "object", 1))) {
        met.push(at.index);
    }
    assert.deepEqual(met, [...execution.objectEvent.subarray(execution.objectEventFirst[0], execution.objectEventFirst[1])]);
    const event = met[3]!;
    assert.deepEqual(stepped(execution, { kind: "event", index: event }, "object", -1), { kind: "event", index: met[2] });
});

test("from an interval, the event that began it is before and the next one after", () => {
    const interval = execution.laneFirst[1]! + 7;
    const begin = execution.intervalBegin[interval]!;
    const next = stepped(execution, { kind: "interval", index: interval }, "thread", 1)!;
    const before = stepped(execution, { kind: "interval", index: interval }, "thread", -1)!;
    assert(execution.eventTime[next.index]! > begin);
    assert(execution.eventTime[before.index]! <= begin);
    assert.equal(next.index, before.index + 1);
});

test("what is not in the execution is nowhere to step from", () => {
    for (const kind of ["thread", "object", "interval", "event"] as const) {
        assert.equal(stepped(execution, { kind, index: 1e9 }, "thread", 1), null);
        assert.equal(stepped(execution, { kind, index: 1e9 }, "object", 1), null);
        assert.equal(anchorOf(execution, { kind, index: 1e9 }).thread, none);
    }
});

test("search finds threads, objects and places, and steps round and round", () => {
    const hits = hitsOf(overview, "COMPRESS");
    assert.deepEqual(new Set(hits.map((hit) => hit.kind)), new Set(["thread", "object", "place"]));
    let selection: Selection | null = null;
    for (let i = 0; i < hits.length; ++i) {
        selection = step(hits, selection, 1)!.selection;
    }
    assert.deepEqual(selection, hits[hits.length - 1]!.selection);
    assert.deepEqual(step(hits, selection, 1)!.selection, hits[0]!.selection);
    assert.deepEqual(step(hits, null, -1)!.selection, hits[hits.length - 1]!.selection);
    assert.deepEqual(hitsOf(overview, "  "), []);
    const [place] = overview.sites;
    const twice = { ...overview, sites: [place!, place!, { ...place!, file: "other.c" }] };
    assert.equal(hitsOf(twice, place!.name).filter((hit) => hit.kind === "place").length, 2, "a line that was called from two places was listed twice");
    assert.equal(step([], null, 1), null);
});

test("the slider doubles: each mark is as far from the next, and every count can be had", () => {
    const steps = countSteps([1, 2, 4, 8, 16], 16, null);
    assert.deepEqual([1, 2, 4, 8, 16].map((cpus) => steps.at(cpus)), [0, 0.25, 0.5, 0.75, 1]);
    for (let cpus = 1; cpus <= 16; ++cpus) {
        assert.equal(steps.nearest(steps.at(cpus)), cpus);
    }
    assert.equal(steps.next(16, 1), 16);
    assert.equal(steps.next(1, -1), 1);
    assert.equal(steps.nextMarked(5, 1), 8);
    assert.equal(steps.nextMarked(5, -1), 4);
    assert.equal(steps.nearest(-1), 1);
});

test("without a simulator only the counts that were computed can be chosen", () => {
    const steps = countSteps([1, 2, 4, 8, 16, 64], 64, [8, 1, 4]);
    assert.equal(steps.last, 8);
    assert.deepEqual(steps.marked, [1, 4, 8]);
    assert.equal(steps.next(4, 1), 8);
    assert.equal(steps.next(1, 1), 4);
    assert.equal(steps.next(5, 0), 4);
});

test("labels of the slider do not touch", () => {
    const steps = countSteps([1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64], 64, null);
    const labels = labelledCounts(steps, 0.1);
    assert(labels.includes(1) && labels.includes(64));
    labels.slice(1).forEach((cpus, i) => assert(steps.at(cpus) - steps.at(labels[i]!) >= 0.1));
});

test("one CPU alone is a slider of one step", () => {
    const steps = countSteps([1], 1, null);
    assert.equal(steps.at(1), 0);
    assert.equal(steps.nearest(0.5), 1);
});

// 1000 became 64, and nobody was told.
test("a count that was typed and cannot be had is said, with what is shown in its place", () => {
    const live = countSteps([1, 2, 4, 64], 64, null);
    const computed = countSteps([1, 2, 4], 64, [1, 2, 4]);
    assert.deepEqual(typedCount("1000", live), { cpus: 1000, note: null });
    assert.deepEqual(typedCount("65534", live), { cpus: 65_534, note: null });
    assert.deepEqual(typedCount("70000", live), { cpus: 65_534, note: "More than there can be: 65,534 is shown" });
    assert.deepEqual(typedCount("3", computed), { cpus: 2, note: "It was not computed: 2 is shown" });
    assert.deepEqual(typedCount("9", computed), { cpus: 4, note: "More than there can be: 4 is shown" });
    for (const text of ["", "0", "-1", "2.5", "x"]) {
        assert.deepEqual(typedCount(text, live), { cpus: null, note: "A whole number from 1 to 65,534" });
    }
    assert.equal(live.next(1000, -1), 999, "the arrow keys go on from there");
    assert.equal(live.next(1000, 1), 1000);
    assert.equal(live.next(64, 1), 64);
});

test("ticks of a doubling axis are powers of two within it, and not too many", () => {
    const scale = doublingScale(1, 64, 0, 600, 10);
    assert.deepEqual(scale.ticks, [1, 2, 4, 8, 16, 32, 64]);
    assert.equal(scale.at(8), 300);
    near(scale.value(300), 8);
    assert(doublingScale(1, 1 << 20, 0, 600, 7).ticks.length <= 7);
    assert.deepEqual(doublingScale(0.4, 2.1, 0, 1, 9).ticks, [0.5, 1, 2]);
});

test("file names have no letter that a system refuses", () => {
    assert.equal(fileName("pigz -p 8 -k big.tar", 8), "pigz-p-8-k-big.tar-8-cpus");
    assert.equal(fileName("../<>:\"|?*\u0000", 2), "parcast-2-cpus");
});

test("the critical path in rows has no gap and ends at the completion", () => {
    const rows = pathRows(execution, overview, 1e6);
    assert.equal(rows[rows.length - 1]!.end, execution.totals.completion);
    rows.slice(1).forEach((row, i) => assert.equal(row.begin, rows[i]!.end));
    assert.equal(pathRows(execution, overview, 3).length, 3);
});

const wholeRun: [number, number] = [0, execution.totals.completion];
const allEvents = Array.from({ length: execution.events }, (_, event) => event);
const byTime = (events: number[]) => [...events].sort((a, b) => execution.eventTime[a]! - execution.eventTime[b]! || a - b);

test("events of all threads are in the order of time, and those of the range alone", () => {
    assert.deepEqual(eventsIn(execution, null, wholeRun, 1e6), { events: byTime(allEvents), total: execution.events });
    const range: [number, number] = [wholeRun[1] * 0.3, wholeRun[1] * 0.5];
    const within = byTime(allEvents.filter((event) => execution.eventTime[event]! >= range[0] && execution.eventTime[event]! <= range[1]));
    assert(within.length > 5 && within.length < execution.events);
    assert.deepEqual(eventsIn(execution, null, range, 1e6), { events: within, total: within.length });
});

test("of too many events the first ones are listed, and how many there are is said", () => {
    const { events, total } = eventsIn(execution, null, wholeRun, 20);
    assert.equal(total, execution.events);
    assert(events.length <= 20 && events.length > 10, String(events.length)); // of one instant all or none
    assert.deepEqual(events, byTime(allEvents).slice(0, events.length));
});

test("events are narrowed to a thread, an object or a place", () => {
    const events = (kind: Selection["kind"], index: number) => eventsIn(execution, { kind, index }, wholeRun, 1e6).events;
    assert.deepEqual(events("thread", 2), allEvents.filter((event) => execution.threadOfEvent(event) === 2));
    const onObject = events("object", 1);
    assert(onObject.length > 0 && onObject.every((event) => subjectOf(execution, overview, event) === overview.objects[1]!.name));
    const site = execution.eventSite[onObject[0]!]!;
    assert.deepEqual(events("site", site), byTime(allEvents.filter((event) => execution.eventSite[event] === site)));
    assert.deepEqual(events("thread", 99), []); // of another execution
});

test("what a thread waits from an event on is its interval there", () => {
    const waits = allEvents.filter((event) => waitAfter(execution, event) > 0);
    assert(waits.length > 0 && waits.length < execution.events);
    for (const event of waits) {
        const interval = execution.intervalAt(execution.threadOfEvent(event), execution.eventTime[event]!);
        assert.notEqual(execution.intervalState[interval], State.running);
    }
});

test("CPUs are busy as long as threads run on them, and idle for the rest", () => {
    const rows = cpuRows(execution, wholeRun);
    assert.equal(rows.length, 2);
    near(rows.reduce((sum, row) => sum + busyTime(row), 0), execution.totals.busy);
    for (const row of rows) {
        near(row.states.reduce((sum, time) => sum + time, 0) + row.idle, wholeRun[1]);
        const turns = intervalsOfCpu(execution, row.cpu, wholeRun, 1e6);
        assert.equal(row.turns, turns.length);
        const threads = new Map<number, number>();
        for (const turn of turns) {
            const thread = execution.threadOfInterval(turn);
            threads.set(thread, (threads.get(thread) ?? 0) + execution.intervalEnd(turn) - execution.intervalBegin[turn]!);
        }
        assert.equal(row.threads, threads.size);
        near(row.longestTime, Math.max(...threads.values()));
        near(threads.get(row.longest)!, row.longestTime);
    }
});

test("a CPU's turns in sight are those that overlap the range", () => {
    const [a, b] = [wholeRun[1] * 0.3, wholeRun[1] * 0.4];
    const all = intervalsOfCpu(execution, 1, wholeRun, 1e6);
    const expected = all.filter((turn) => execution.intervalEnd(turn) > a && execution.intervalBegin[turn]! <= b);
    assert.deepEqual(intervalsOfCpu(execution, 1, [a, b], 1e6), expected);
    assert.deepEqual(intervalsOfCpu(execution, 1, [a, b], 1), expected.slice(0, 1));
    assert.deepEqual(intervalsOfCpu(execution, 7, wholeRun, 1), []);
});

test("similar events are stepped by kind and by place over all threads, each once and in the order of time", () => {
    const execution = syntheticExecution({ threads: 5, rounds: 12, locks: 3, seed: 3 }, 3);
    const inOrder = (events: readonly number[]) => [...events].sort((a, b) => execution.eventTime[a]! - execution.eventTime[b]! || a - b);
    const all = Array.from({ length: execution.events }, (_, event) => event);
    for (const [along, values] of [["kind", execution.eventKind], ["place", execution.eventSite]] as const) {
        const expected = inOrder(all.filter((event) => values[event] === values[0] && values[event] !== none));
        let at: Selection | null = { kind: "event", index: expected[0]! };
        const met: number[] = [];
        for (; at; at = stepped(execution, at, along, 1)) {
            met.push(at.index);
        }
        assert.deepEqual(met, expected, along);
        assert.deepEqual(stepped(execution, { kind: "event", index: met[3]! }, along, -1), { kind: "event", index: met[2] });
    }
});

test("the arrows lead back to who released a thread, and on to whom it releases", () => {
    const execution = syntheticExecution({ threads: 5, rounds: 12, locks: 1, seed: 3 }, 3);
    const wait = execution.intervalReleaser.findIndex((releaser, i) => releaser < execution.threads && releaser !== execution.threadOfInterval(i));
    assert(wait >= 0);
    const end = execution.intervalEnd(wait);
    const back = stepped(execution, { kind: "interval", index: wait }, "arrow", -1)!;
    assert.equal(back.kind, "interval");
    assert.equal(execution.threadOfInterval(back.index), execution.intervalReleaser[wait]);
    assert(execution.intervalBegin[back.index]! < end && execution.intervalEnd(back.index) >= end);
    const on = stepped(execution, back, "arrow", 1)!;
    assert.equal(execution.intervalReleaser[on.index - 1], execution.intervalReleaser[wait], "somebody whom it released");
    assert(execution.intervalBegin[on.index]! > execution.intervalBegin[back.index]!);
});

test("the critical path is stepped piece by piece, on and back", () => {
    const execution = syntheticExecution({ threads: 5, rounds: 12, locks: 1, seed: 3 }, 3);
    assert(execution.pathThread.length > 3);
    let at: Selection = { kind: "interval", index: execution.intervalAt(execution.pathThread[0]!, execution.pathBegin[0]!) };
    for (const piece of [1, 2]) {
        at = stepped(execution, at, "path", 1)!;
        assert.equal(execution.threadOfInterval(at.index), execution.pathThread[piece]);
    }
    assert.equal(execution.threadOfInterval(stepped(execution, at, "path", -1)!.index), execution.pathThread[1]);
});

test("the work before calls is summed by place, and by line of a file", () => {
    const execution = syntheticExecution({ threads: 4, rounds: 10, locks: 2, seed: 2 }, 2);
    const sums = siteSums(execution);
    const all = sums.work.reduce((sum, time) => sum + time, 0);
    let running = 0;
    for (let thread = 0; thread < execution.threads; ++thread) {
        running += execution.timeInState(thread, State.running);
    }
    assert(all > 0 && all <= running * (1 + 1e-9), `${all} of ${running}`);
    const places = Array.from(sums.work, (_, site) => ({ file: site % 2 === 0 ? "a.c" : "b.c", line: 7 }));
    const work = (file: string) => lineTimes(execution, places, file).get(7)?.work ?? 0;
    assert(Math.abs(work("a.c") + work("b.c") - all) <= all * 1e-9);
});
