// The pure parts of the timeline: scales, ticks, parallelism by column, order of lanes, paths, arrows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { namesThread, noCpu, none, Operation, State } from "../src/execution.ts";
import { syntheticExecution } from "./synthetic.ts";
import { cpuOfEvent, eventsOnCpu, nextRunOf } from "../src/timeline/cpu_events.ts";
import { glyphMeanings, glyphOf } from "../src/timeline/glyphs.ts";
import { bucketWidth, densityOfCpu, densityOfThread } from "../src/timeline/event_density.ts";
import { extentOf } from "../src/timeline/extent.ts";
import { flowsNote, flowsOf, mostFlows, noFlows } from "../src/timeline/flows.ts";
import { laneAt, laneBeside, laneOrder, layoutOf, mostScroll, orderAfterMove, scrollTo, topOfLane, visibleLanes } from "../src/timeline/layout.ts";
import { statesInLanes } from "../src/timeline/legend.ts";
import { parallelismAxis } from "../src/timeline/parallelism_axis.ts";
import { PathByCpu, PathByThread, piecesIn } from "../src/timeline/path.ts";
import { ProfilePixels } from "../src/timeline/profile_pixels.ts";
import { togetherOf } from "../src/timeline/profile_together.ts";
import { framing, panned, revealing, shortestRange, TimeScale, within, zoomed } from "../src/timeline/scale.ts";
import { escaped } from "../src/timeline/svg_painter.ts";
import { niceStep, ticksOf } from "../src/timeline/ticks.ts";
import { aboutWaited } from "../src/waits.ts";

const execution = syntheticExecution({ threads: 6, rounds: 800, locks: 3, seed: 9 }, 3);
const whole = execution.totals.completion;

test("least, mean and most of each column are those of the steps in it", () => {
    const pixels = new ProfilePixels();
    for (const [begin, end] of [[0, whole], [whole * 0.4, whole * 0.5], [whole * 0.4, whole * 0.4 + 100_000]] as const) {
        const scale = new TimeScale([begin, end], 120);
        pixels.measure(execution, scale);
        for (let column = 0; column < 120; ++column) {
            let [min, max, area, time, readyMax, together, waitingMax] = [Infinity, -Infinity, 0, 0, -Infinity, -Infinity, -Infinity];
            for (let i = 0; i < execution.profileTime.length; ++i) {
                const x0 = Math.max(column, scale.x(execution.profileTime[i]!));
                const x1 = Math.min(column + 1, scale.x(execution.profileTime[i + 1] ?? whole));
                if (x1 > x0) {
                    min = Math.min(min, execution.profileRunning[i]!);
                    max = Math.max(max, execution.profileRunning[i]!);
                    waitingMax = Math.max(waitingMax, execution.profileWaiting[i]!);
                    readyMax = Math.max(readyMax, execution.profileReady[i]!);
                    together = Math.max(together, execution.profileRunning[i]! + execution.profileReady[i]!);
                    area += execution.profileRunning[i]! * (x1 - x0);
                    time += x1 - x0;
                }
            }
            if (time > 0) {
                assert.equal(pixels.running.min[column], min, `least of ${column}`);
                assert.equal(pixels.running.max[column], max, `most of ${column}`);
                assert.equal(pixels.ready.max[column], readyMax, `most ready of ${column}`);
                assert.equal(pixels.waiting.max[column], waitingMax, `most waiting of ${column}`);
                assert.equal(pixels.togetherMax[column], together, `most running or ready of ${column}`);
                assert(Math.abs(pixels.running.mean[column]! - area / time) < 1e-3, `mean of ${column}: ${pixels.running.mean[column]} ${area / time}`);
            }
        }
        assert(pixels.visited < 120 * 40, String(pixels.visited));
    }
});

test("the parallelism goes up to the most that ran or were ready at one instant, never to more threads than there are", () => {
    const most = Math.max(...Array.from(execution.profileRunning, (running, i) => running + execution.profileReady[i]!));
    assert.equal(togetherOf(execution).most, most);
    assert(most <= execution.threads);
    const axis = parallelismAxis(3, most, most, 60);
    assert.deepEqual([axis.top, axis.isCut], [most, false]);
});

test("numbers beside the parallelism are whole threads, 0 and the top among them, with room for each", () => {
    for (const [cpus, most] of [[1, 1], [2, 9], [4, 11], [8, 9], [8, 3], [64, 64], [64, 200], [3, 2.4]] as const) {
        for (const height of [32, 46, 82]) {
            const { top, ticks, isCut } = parallelismAxis(cpus, most, most, height);
            assert.equal(top, Math.max(cpus, Math.ceil(most)), `${most} on ${cpus}`);
            assert.equal(isCut, false);
            assert(ticks.every(Number.isInteger), ticks.join());
            assert.deepEqual([ticks[0], ticks.at(-1)], [0, top]);
            ticks.slice(1).forEach((tick, i) => assert(((tick - ticks[i]!) / top) * height >= 14 - 1e-9, `${ticks} in ${height} px`));
        }
    }
    assert.deepEqual(parallelismAxis(2, 9, 9, 82).ticks, [0, 2, 4, 6, 9]);
});

test("ready threads that were cut off without a sign: a cut is told, with the number that is there", () => {
    const axis = parallelismAxis(2, 1000, 1000, 60);
    assert.deepEqual([axis.top, axis.most, axis.isCut], [30, 1000, true]);
    assert.equal(parallelismAxis(2, 30, 30, 60).isCut, false, "four times the processors is not yet too flat");
});

// After a lane was hidden the arrow keys went on at the first one.
test("the arrow keys go on from where a hidden lane stood", () => {
    const all = [0, 1, 2, 3, 4];
    assert.equal(laneBeside(all, [0, 1, 3, 4], 2, 1), 3);
    assert.equal(laneBeside(all, [0, 1, 3, 4], 2, -1), 1);
    assert.equal(laneBeside(all, [0, 1, 2, 3], 4, 1), 3, "the last one was hidden");
    assert.equal(laneBeside(all, all, 4, 1), 4);
    assert.equal(laneBeside(all, all, none, 1), 0);
    assert.equal(laneBeside([], [], none, 1), undefined);
});

test("in the legend are the states that occur, by CPU those that a CPU is in", () => {
    const states = statesInLanes(execution, false);
    assert(states.includes(State.running) && states.includes(State.blocked));
    for (const state of states) {
        assert(Array.from({ length: execution.threads }, (_, thread) => execution.timeInState(thread, state)).some((time) => time > 0));
    }
    assert(!statesInLanes(execution, true).includes(State.blocked));
});

test("zooming keeps the instant under the pointer where it is", () => {
    const range = zoomed([1000, 2000], 0.5, 1250, 1e6);
    assert.deepEqual(range, [1125, 1625]);
    assert.equal((1250 - range[0]) / (range[1] - range[0]), 0.25);
});

test("no zoom or pan leaves the run, or gets shorter than can be shown", () => {
    assert.deepEqual(zoomed([0, 1000], 100, 500, 2000), [0, 2000]);
    assert.deepEqual(panned([500, 1000], 1e9, 2000), [1500, 2000]);
    assert.deepEqual(panned([500, 1000], -1e9, 2000), [0, 500]);
    const [begin, end] = zoomed([500, 1000], 1e-9, 700, 2000);
    assert.equal(end - begin, shortestRange);
    assert.deepEqual(within([-100, 50], 2000), [0, 150]);
    assert.deepEqual(within([5, 1e12], 2000), [0, 2000]);
});

test("what is selected is shown with as little movement as can be", () => {
    assert.deepEqual(revealing([0, 100], 20, 30, 1000), [0, 100], "it is seen already");
    assert.deepEqual(revealing([0, 100], 500, 510, 1000), [455, 555], "in the middle");
    assert.deepEqual(revealing([400, 500], 100, 900, 1000), [400, 500], "it is longer than what is shown, and a part is seen");
    const [begin, end] = framing(400, 500, 1000);
    assert(begin < 400 && begin > 350 && end > 500 && end < 550);
});

test("steps of the axis are 1, 2 or 5 times a power of ten", () => {
    assert.deepEqual([1, 1.1, 2, 3, 7, 10, 101].map(niceStep), [1, 2, 2, 5, 10, 10, 200]);
});

test("ticks are as far apart as asked for, and their names differ", () => {
    for (const span of [20, 1e3, 3.3e4, 7e6, 1.1e9, 5e11]) {
        for (const begin of [0, 123_456_789]) {
            const scale = new TimeScale([begin, begin + span], 1000);
            const { named, step } = ticksOf(scale, 100);
            assert(step * scale.pixelsPerNs >= 99.9, `${span}: ${step}`);
            assert(named.length >= 1 && named.length <= 11, `${span}: ${named.length}`);
            assert.equal(new Set(named.map((tick) => tick.label)).size, named.length, named.map((tick) => tick.label).join());
            named.forEach((tick) => assert(tick.time >= begin && tick.time <= begin + span));
        }
    }
    const labels = ticksOf(new TimeScale([0, 1e6], 500), 100).named.map((tick) => tick.label);
    assert.deepEqual(labels, ["0", "0.2 ms", "0.4 ms", "0.6 ms", "0.8 ms", "1.0 ms"]);
});

const nobody = () => false;

test("lanes: pinned on top, moved ones first, then by id; hidden and idle ones not at all", () => {
    const order = laneOrder(7, { pinned: [5, 5, 99], hidden: [2, 5], order: [4, 2] }, (lane) => lane === 3);
    assert.deepEqual(order, { pinned: [5], others: [4, 0, 1, 6], hiddenCount: 1, idleCount: 1 });
});

test("a lane that was moved stands where it was put", () => {
    const all = [0, 1, 2, 3, 4, 5];
    for (let lane = 0; lane < 6; ++lane) {
        for (let place = 0; place < 6; ++place) {
            const order = orderAfterMove(all, lane, place);
            const { others } = laneOrder(6, { pinned: [], hidden: [], order }, nobody);
            assert.equal(others.indexOf(lane), place, `${lane} to ${place}: ${order}`);
            assert.deepEqual(others.filter((id) => id !== lane), all.filter((id) => id !== lane));
        }
    }
    assert.deepEqual(orderAfterMove(all, 3, 3), [], "where it was: nothing to remember");
    assert.deepEqual(orderAfterMove(all, 5, 0), [5]);
});

test("a lane is hit where it is drawn, scrolled or pinned", () => {
    const order = laneOrder(200, { pinned: [7], hidden: [], order: [] }, nobody);
    const layout = layoutOf(1000, 600, 1, 199);
    for (const scroll of [0, 37, mostScroll(layout)]) {
        for (const lane of visibleLanes(layout, order, scroll)) {
            const middle = lane.top + layout.laneHeight / 2;
            assert.equal(topOfLane(layout, order, scroll, lane.id), lane.top);
            if (lane.isPinned || (middle >= layout.lanes.top && middle < layout.height)) {
                assert.deepEqual(laneAt(layout, order, scroll, middle), lane);
            }
        }
    }
    assert.equal(laneAt(layout, order, 0, 3), null);
});

test("scrolling to a lane shows it, and does not move if it is shown", () => {
    const order = laneOrder(200, { pinned: [], hidden: [], order: [] }, nobody);
    const layout = layoutOf(1000, 600, 0, 200);
    assert.equal(scrollTo(layout, order, 0, 1), 0);
    for (const lane of [0, 50, 199]) {
        const scroll = scrollTo(layout, order, 700, lane);
        const top = topOfLane(layout, order, scroll, lane)!;
        assert(top >= layout.lanes.top && top + layout.laneHeight <= layout.lanes.top + layout.lanes.height + 1e-9);
    }
});

test("the ribbon covers the columns of the critical path, and no others", () => {
    const path = new PathByThread(execution);
    for (const [begin, end] of [[0, whole], [whole * 0.3, whole * 0.31], [whole * 0.5, whole * 0.6]] as const) {
        const scale = new TimeScale([begin, end], 200);
        for (let thread = 0; thread < execution.threads; ++thread) {
            const drawn = new Uint8Array(200);
            path.runs(thread, scale, (from, to) => {
                assert(from >= 0 && to <= 200 && to > from);
                drawn.fill(1, from, to);
            });
            for (let column = 0; column < 200; ++column) {
                let share = 0;
                for (let i = 0; i < execution.pathThread.length; ++i) {
                    if (execution.pathThread[i] === thread) {
                        share += Math.max(0, Math.min(column + 1, scale.x(execution.pathEnd[i]!)) - Math.max(column, scale.x(execution.pathBegin[i]!)));
                    }
                }
                if (share > 0.51) {
                    assert.equal(drawn[column], 1, `thread ${thread} column ${column}: ${share}`);
                } else if (share === 0) {
                    assert.equal(drawn[column], 0, `thread ${thread} column ${column} has none`);
                }
            }
        }
    }
});

// How long the path runs on a processor in each column: the long way.
function pathOnCpu(cpu: number, scale: TimeScale, columns: number): Float64Array {
    const shares = new Float64Array(columns);
    for (let piece = 0; piece < execution.pathThread.length; ++piece) {
        const thread = execution.pathThread[piece]!;
        for (let i = execution.laneFirst[thread]!; i < execution.laneFirst[thread + 1]!; ++i) {
            if (execution.intervalCpu[i] === cpu && execution.intervalState[i]! <= State.spinning) {
                const x0 = scale.x(Math.max(execution.intervalBegin[i]!, execution.pathBegin[piece]!));
                const x1 = scale.x(Math.min(execution.intervalEnd(i), execution.pathEnd[piece]!));
                for (let column = Math.max(0, Math.floor(x0)); column < Math.min(columns, x1); ++column) {
                    shares[column]! += Math.max(0, Math.min(column + 1, x1) - Math.max(column, x0));
                }
            }
        }
    }
    return shares;
}

test("a ribbon that was missing by CPU over what is narrower than a pixel: it covers what of the path runs there", () => {
    const path = new PathByCpu(execution);
    for (const [begin, end] of [[0, whole], [whole * 0.3, whole * 0.31], [whole * 0.5, whole * 0.5 + 20_000]] as const) {
        const scale = new TimeScale([begin, end], 200);
        for (let cpu = 0; cpu < execution.cpus; ++cpu) {
            const drawn = new Uint8Array(200);
            path.runs(cpu, scale, (from, to) => drawn.fill(1, from, to));
            pathOnCpu(cpu, scale, 200).forEach((share, column) => {
                if (share > 0.51) {
                    assert.equal(drawn[column], 1, `CPU ${cpu} column ${column}: ${share}`);
                } else if (share === 0) {
                    assert.equal(drawn[column], 0, `CPU ${cpu} column ${column} has none`);
                }
            });
        }
    }
});

test("the path stays on a processor from one thread to the next, and is on one at a time", () => {
    const { stays } = new PathByCpu(execution);
    for (let i = 1; i < stays.cpu.length; ++i) {
        assert(stays.begin[i]! >= stays.end[i - 1]!);
        assert(stays.cpu[i] !== stays.cpu[i - 1] || stays.begin[i]! > stays.end[i - 1]!, "two stays that are one");
    }
});

test("pieces of the path in a range are those that overlap it", () => {
    const [first, last] = piecesIn(execution, whole * 0.2, whole * 0.4);
    for (let i = 0; i < execution.pathThread.length; ++i) {
        const overlaps = execution.pathEnd[i]! > whole * 0.2 && execution.pathBegin[i]! <= whole * 0.4;
        assert.equal(i >= first && i < last, overlaps);
    }
});

const all = [0, whole] as const;

// Waits that another thread ended in a range, as the columns have them: the long way.
function releases(range: readonly [number, number], isWanted: (wait: number) => boolean) {
    const found = [];
    for (let wait = 0; wait < execution.intervals; ++wait) {
        const [from, to, time] = [execution.intervalReleaser[wait]!, execution.threadOfInterval(wait), execution.intervalEnd(wait)];
        if (from !== none && from !== to && time >= range[0] && time <= range[1] && isWanted(wait)) {
            found.push({ flow: { from, to, time }, wait: time - execution.intervalBegin[wait]! });
        }
    }
    return found.sort((x, y) => y.wait - x.wait);
}

test("an arrow leads from who released to who waited, at the end of the wait", () => {
    let found = 0;
    for (let i = 0; i < execution.intervals && found < 50; ++i) {
        if (execution.intervalState[i] === State.blocked && execution.intervalReleaser[i] !== none) {
            const flows = flowsOf(execution, { kind: "interval", index: i }, all);
            assert.deepEqual(flows.drawn[0], { from: execution.intervalReleaser[i]!, to: execution.threadOfInterval(i), time: execution.intervalEnd(i) });
            ++found;
        }
    }
    assert(found > 20);
    assert.deepEqual(flowsOf(execution, { kind: "interval", index: 1e9 }, all).drawn, []);
    assert.deepEqual(flowsOf(execution, null, all).drawn, []);
});

test("arrows out of an interval end waits that ended while it lasted", () => {
    let out = 0;
    for (let i = 0; i < execution.intervals; i += 7) {
        const thread = execution.threadOfInterval(i);
        for (const flow of flowsOf(execution, { kind: "interval", index: i }, all).drawn) {
            if (flow.from === thread) {
                assert(flow.time >= execution.intervalBegin[i]! && flow.time <= execution.intervalEnd(i));
                ++out;
            } else {
                assert.equal(flow.to, thread);
            }
        }
    }
    assert(out > 20);
});

test("arrows of a thread and of an object are those that end in what is shown, the longest waits of too many", () => {
    const shown = [whole * 0.3, whole * 0.31] as const;
    const wanted = {
        thread: (id: number) => (wait: number) => execution.intervalReleaser[wait] === id || execution.threadOfInterval(wait) === id,
        object: (id: number) => (wait: number) => execution.intervalObject[wait] === id,
    };
    for (const kind of ["thread", "object"] as const) {
        for (const range of [shown, all]) {
            for (const id of [0, 1, 2]) {
                const expected = releases(range, wanted[kind](id));
                const { drawn, found, isSearched } = flowsOf(execution, { kind, index: id }, range);
                assert.equal(isSearched, true);
                assert.equal(found, expected.length, `${kind} ${id}`);
                assert.equal(drawn.length, Math.min(mostFlows, found));
                const least = expected[drawn.length - 1]?.wait ?? 0;
                const longer = expected.filter(({ wait }) => wait > least).map(({ flow }) => JSON.stringify(flow));
                const texts = new Set(drawn.map((flow) => JSON.stringify(flow)));
                assert(longer.every((flow) => texts.has(flow)), `${kind} ${id}: a longer wait is left out`);
                assert(drawn.every((flow, i) => i === 0 || drawn[i - 1]!.time <= flow.time));
            }
        }
    }
    const few = flowsOf(execution, { kind: "thread", index: 1 }, shown);
    const many = flowsOf(execution, { kind: "thread", index: 1 }, all);
    assert(few.found > 0 && few.found < mostFlows && many.found > mostFlows, `${few.found} and ${many.found}: or this tests nothing`);
});

test("arrows that were left out without a word: a note says how many there are", () => {
    assert.equal(flowsNote(noFlows), "");
    const drawn = [{ from: 0, to: 1, time: 5 }];
    assert.equal(flowsNote({ ...noFlows, drawn, found: 1 }), "");
    assert.match(flowsNote({ ...noFlows, drawn, found: 1234 }), /^Arrows: the 1 longest of 1,234 waits that another thread ended/);
    assert.match(flowsNote({ ...noFlows, drawn, found: 1234, kept: "nearest" }), /^Arrows: the 1 nearest in time of 1,234 precedences/);
    assert.match(flowsNote({ ...noFlows, isSearched: false }), /zoom in/);
});

// "That waited 361" stood beside "64 longest of 2,983 waits": the first are operations, which can wait again.
test("two counts of waiting that seemed to contradict each other: each says what it counts", () => {
    assert.match(flowsNote({ ...noFlows, drawn: [{ from: 0, to: 1, time: 5 }], found: 2983 }), /an operation can wait several times/);
    assert.match(aboutWaited, /^Each operation counts once, however often it waits\./);
});

test("a zoom to the selection frames all that there is of it", () => {
    for (const id of [0, 1, 2]) {
        const [begin, end] = extentOf(execution, 1, { kind: "object", index: id })!;
        for (let i = 0; i < execution.intervals; ++i) {
            assert(execution.intervalObject[i] !== id || (execution.intervalBegin[i]! >= begin && execution.intervalEnd(i) <= end));
        }
        const uses = Array.from(execution.eventTime).filter((_, event) => !namesThread(execution.eventKind[event]!) && execution.eventObject[event] === id);
        assert(uses.length > 10 && Math.min(...uses) >= begin && Math.max(...uses) <= end);
    }
    assert.deepEqual(extentOf(execution, 1, { kind: "thread", index: 2 }), [execution.threadCreated[2], execution.threadEnded[2]]);
    const [first, last] = extentOf(execution, 1, { kind: "site", index: execution.eventSite[0]! })!;
    assert(first <= execution.eventTime[0]! && last >= first);
    for (const kind of ["object", "site", "thread", "event", "interval"] as const) {
        assert.equal(extentOf(execution, 1, { kind, index: 1e8 }), null, kind);
    }
});

test("events of a processor are those of the threads that it runs, when it runs them", () => {
    const [begin, end] = [whole * 0.2, whole * 0.6];
    for (let cpu = 0; cpu < execution.cpus; ++cpu) {
        const expected: number[] = [];
        for (let event = 0; event < execution.events; ++event) {
            const time = execution.eventTime[event]!;
            const thread = execution.threadOfEvent(event);
            for (let place = execution.cpuFirst[cpu]!; place < execution.cpuFirst[cpu + 1]!; ++place) {
                const interval = execution.cpuInterval[place]!;
                const runs = execution.threadOfInterval(interval) === thread && execution.intervalBegin[interval]! <= time && time <= execution.intervalEnd(interval);
                if (runs && time >= begin && time <= end) {
                    expected.push(event);
                    break;
                }
            }
        }
        const found = eventsOnCpu(execution, cpu, begin, end, 1e6)!;
        assert(expected.length > 100, `${expected.length} events on CPU ${cpu}`);
        assert.deepEqual([...new Set(found)].sort((a, b) => a - b), expected.sort((a, b) => a - b));
        assert.equal(eventsOnCpu(execution, cpu, begin, end, 10), null, "too many to draw each");
    }
});

test("events that are too many to draw each are counted, none twice, in the lane of a thread and of a processor", () => {
    for (const range of [[0, whole], [whole * 0.3, whole * 0.35]] as const) {
        const scale = new TimeScale(range, 300);
        const inSight = (event: number) => execution.eventTime[event]! > range[0] && execution.eventTime[event]! <= range[1];
        const sum = (counts: Uint32Array) => counts.reduce((all, count) => all + count, 0);
        for (let thread = 0; thread < execution.threads; ++thread) {
            const events = Array.from({ length: execution.events }, (_, event) => event).filter((event) => execution.threadOfEvent(event) === thread && inSight(event));
            assert.equal(sum(densityOfThread(execution, thread, scale)), events.length, `thread ${thread}`);
        }
    }
    const scale = new TimeScale([whole * 0.3, whole * 0.35], 300);
    for (let cpu = 0; cpu < execution.cpus; ++cpu) {
        const expected = new Set(eventsOnCpu(execution, cpu, scale.begin, scale.end, 1e6)!);
        const counts = densityOfCpu(execution, cpu, scale);
        assert.equal(counts.reduce((all, count) => all + count, 0), expected.size, `CPU ${cpu}`);
        expected.forEach((event) => assert(counts[Math.min(counts.length - 1, Math.floor(scale.x(execution.eventTime[event]!) / bucketWidth))]! > 0));
    }
});

test("by processor, an arrow leads to where the thread that was released runs next", () => {
    let found = 0;
    for (const { flow } of releases(all, () => true).slice(0, 300)) {
        const run = nextRunOf(execution, flow.to, flow.time);
        const after = Array.from({ length: execution.intervals }, (_, i) => i).find(
            (i) => execution.threadOfInterval(i) === flow.to && execution.intervalCpu[i] !== noCpu && execution.intervalEnd(i) > flow.time,
        );
        if (after === undefined) {
            assert.equal(run, null);
            continue;
        }
        ++found;
        assert.deepEqual(run, { cpu: execution.intervalCpu[after], time: Math.max(flow.time, execution.intervalBegin[after]!) });
    }
    assert(found > 200, String(found));
});

test("an event lies in the lane of the processor that ran it", () => {
    let known = 0;
    for (let event = 0; event < execution.events; ++event) {
        const cpu = cpuOfEvent(execution, event);
        if (cpu !== none) {
            ++known;
            const time = execution.eventTime[event]!;
            assert(eventsOnCpu(execution, cpu, time, time, 1000)!.includes(event), `event ${event} on CPU ${cpu}`);
        }
    }
    assert(known > execution.events / 2);
});

test("a semaphore that looked like a condition: locks, conditions and semaphores have signs of their own, for taking and giving", () => {
    const { lock, unlock, conditionWait, conditionSignal, semaphoreWait, semaphorePost, barrierWait } = Operation;
    const signs = [lock, unlock, conditionWait, conditionSignal, semaphoreWait, semaphorePost, barrierWait].map(glyphOf);
    assert.equal(new Set(signs).size, signs.length, signs.join());
});

test("the legend has a meaning for every sign", () => {
    const explained = new Set(glyphMeanings.map(([glyph]) => glyph));
    Object.values(Operation).forEach((kind) => assert(explained.has(glyphOf(kind)), glyphOf(kind)));
    assert.equal(new Set(glyphMeanings.map(([, meaning]) => meaning)).size, glyphMeanings.length);
});

test("names get the room that they need, but no more than a part of the width", () => {
    const gutter = (width: number, label: number) => layoutOf(width, 400, 0, 3, label).gutter;
    assert.equal(gutter(1000, 40), 160, "short names leave it as it is");
    assert.equal(gutter(1000, 190), 246, "a long name fits");
    assert.equal(gutter(1000, 5000), 280, "a name of any length leaves the room to time");
});

test("names in a picture are text, never markup, and never what XML has no place for", () => {
    assert.equal(escaped('<img src=x onerror="alert(1)">&'), "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;");
    assert.equal(escaped("a\u0000b\u0007c\ud800d\ufffee"), "abcde");
    assert.equal(escaped("ü 漢 😀"), "ü 漢 😀");
});
