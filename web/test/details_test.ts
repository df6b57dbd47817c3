// What is said of what is selected: how long an event takes and why, and where source was looked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { none, State } from "../src/execution.ts";
import { spanOf } from "../src/details/event_span.ts";
import { missingSource } from "../src/details/missing_source.ts";
import { syntheticExecution } from "./synthetic.ts";
import { syntheticOverview } from "./synthetic_overview.ts";

const shape = { threads: 6, rounds: 300, locks: 3, seed: 9 };
const execution = syntheticExecution(shape, 3);

test("an event lasts from its call until its thread goes on, and no longer than to the next one", () => {
    let waited = 0;
    for (let event = 0; event < execution.events; ++event) {
        const thread = execution.threadOfEvent(event);
        const isLast = event + 1 >= execution.eventFirst[thread + 1]!;
        const next = isLast ? Infinity : execution.eventTime[event + 1]!;
        const { begin, end, wait, isEndless } = spanOf(execution, event);
        assert.equal(begin, execution.eventTime[event]);
        assert(end >= begin && end <= Math.max(next, begin), `event ${event}: ${begin} to ${end}, next ${next}`);
        assert.equal(isEndless, false);
        const after = execution.intervalAt(thread, end);
        assert(end === next || after === none || execution.intervalState[after] === State.running, `event ${event} goes on`);
        if (wait !== none) {
            ++waited;
            assert.equal(execution.threadOfInterval(wait), thread);
            assert(execution.intervalBegin[wait]! >= begin && execution.intervalEnd(wait) <= end);
            assert([State.spinning, State.blocked, State.sleeping, State.inputAndOutput].some((state) => state === execution.intervalState[wait]));
        }
    }
    assert(waited > 100, `${waited} events waited`);
});

test("every wait for an object belongs to an event", () => {
    const waits = new Set(Array.from({ length: execution.events }, (_, event) => spanOf(execution, event).wait));
    for (let interval = 0; interval < execution.intervals; ++interval) {
        if (execution.intervalState[interval] === State.blocked && execution.intervalObject[interval] !== none) {
            assert(waits.has(interval), `interval ${interval}`);
        }
    }
});

test("source that cannot be read: it is said why, and where it was looked for", () => {
    const overview = syntheticOverview(shape, [1, 2]);
    const at = (file: string, line: number, source_text = true, working_directory = "/home/me") =>
        missingSource(
            {
                ...overview,
                sites: [{ name: "f", file, line, function: "f" }],
                capabilities: { ...overview.capabilities, source_text },
                prediction: { ...overview.prediction, input: { ...overview.prediction.input, working_directory } },
            },
            0,
        );
    assert.match(at("/build/queue.c", 12), /could not be read from \/build\/queue\.c on the machine/);
    assert.match(at("src/queue.c", 12), /from \/home\/me\/src\/queue\.c /);
    assert.match(at("", 0), /no debug information \(compile it with -g\)/);
    assert.match(at("/build/queue.c", 0), /no debug information/);
    assert.match(at("/build/queue.c", 12, false), /--no-source-text.* \/build\/queue\.c\.$/);
    assert.match(missingSource(overview, 1e6), /unknown/);
});
