import assert from "node:assert/strict";
import { test } from "node:test";
import { executionMagic, readContainer, type Column } from "../src/container.ts";
import { Execution, State } from "../src/execution.ts";
import { reasonOf } from "../src/details/reason.ts";
import { legendOf, sharesOf } from "../src/first_screen/shares.ts";
import { programTitle, type Overview } from "../src/overview.ts";
import { verdict } from "../src/sentences.ts";
import { writeContainer } from "./container_writer.ts";
import { syntheticBytes, syntheticOverview } from "./synthetic.ts";

const shape = { threads: 3, rounds: 10, locks: 2, seed: 5 };
const overview = syntheticOverview(shape, [1, 4]);

function executionWith(change: (columns: Map<string, Column>) => void, cpus = 4): Execution {
    const columns = readContainer(syntheticBytes(shape, cpus), executionMagic);
    change(columns);
    return new Execution(writeContainer(executionMagic, columns));
}

const said = (lines: readonly string[]) =>
    executionWith((columns) => {
        columns.set("sentences", new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
        columns.set("stuck.thread", Uint32Array.of(2, 0));
    });

test("sentences get the names of what they speak of, and what they speak of can be selected", () => {
    const { limits, where, attempt, stuck } = verdict(
        said([
            "limits\t\tOn 4 CPUs 50 % of the processor time is lost to waiting for {object 0}.\t",
            "where\t\t80 % of the waiting for {object 0} begins at {site 3}.\t",
            "attempt\tthreads\tShow it more:\tparcast record --pretend-cpus 4 -- {command}",
            "stuck\t\t{thread 2} waits for {object 1}, held by {thread 1}\t",
            "stuck\t\t{thread 0} waits for any thread to end\t",
        ]),
        overview,
    );
    assert.deepEqual(limits, {
        text: "On 4 CPUs 50 % of the processor time is lost to waiting for compress_have.",
        selection: { kind: "object", index: 0 },
        panel: null,
        command: "",
    });
    assert.equal(where!.text, "80 % of the waiting for compress_have begins at put_block, pigz.c:511.");
    assert.deepEqual(where!.selection, { kind: "site", index: 3 });
    assert.deepEqual(attempt, { text: "Show it more:", selection: null, panel: "threads", command: "parcast record --pretend-cpus 4 -- pigz -p 8 -k big.tar" });
    assert.deepEqual(stuck.map(({ text }) => text), ["compress 2 waits for write_first, held by compress 1", "main waits for any thread to end"]);
    assert.deepEqual(stuck.map(({ thread }) => thread.index), [2, 0]);
});

// `--pretend-cpus 16 -- pigz -p 8` was advised.
test("a command that sets its number of threads is offered with more of them", () => {
    const line = "attempt\t\tIf {argument} in its command is the number of its threads, raise it:\tparcast record -- {command 16}";
    const told = { ...overview, prediction: { ...overview.prediction, recorded: { ...overview.prediction.recorded!, thread_count_word: 2 } } };
    const { attempt } = verdict(said([line]), told);
    assert.equal(attempt!.text, "If -p 8 in its command is the number of its threads, raise it:");
    assert.equal(attempt!.command, "parcast record -- pigz -p 16 -k big.tar");
    assert.equal(verdict(said(["attempt\t\t\tscale -- {scaled}"]), told).attempt!.command, "scale -- pigz -p '{cpus}' -k big.tar");
});

test("nothing is concluded from an execution where a warning makes predictions worthless", () => {
    const scaling = { ...overview.prediction.scaling, withheld: true, verdict: ["Nothing is concluded."] };
    const doubtful = { ...overview, prediction: { ...overview.prediction, scaling } };
    const { limits, where, attempt } = verdict(said(["limits\t\tA lock.\t", "attempt\t\tTry: more.\t"]), doubtful);
    assert.equal(limits!.text, "Nothing is concluded.");
    assert.deepEqual([where, attempt], [null, null]);
});

test("an execution without sentences, as one that was recorded, has none", () => {
    assert.deepEqual(verdict(said([]), overview), { limits: null, where: null, attempt: null, stuck: [] });
});

// Names come from a program: braces in them are not filled in again.
test("a name with braces stays as it is", () => {
    const odd: Overview = { ...overview, threads: overview.threads.map((each) => ({ ...each, name: "{thread 1}" })) };
    assert.equal(verdict(said(["where\t\t{thread 0} runs longest.\t"]), odd).where!.text, "{thread 1} runs longest.");
});

test("the shares of the bar are all of the processor time, the legend the largest of them", () => {
    const execution = executionWith(() => undefined);
    const shares = sharesOf(execution, overview);
    assert(Math.abs(shares.reduce((sum, share) => sum + share.share, 0) - 1) < 1e-9);
    assert.equal(shares[0]!.kind, "running");
    const legend = legendOf(shares, 3);
    assert(legend.length <= 3);
    const least = Math.min(...legend.map((share) => share.share));
    assert(shares.filter((share) => share.share > least).every((share) => legend.includes(share)));
});

test("why a thread did not run is one sentence", () => {
    const execution = executionWith(() => undefined);
    for (let i = 0; i < execution.intervals; ++i) {
        const reason = reasonOf(execution, overview, i);
        assert.match(reason, /^It[s ].+\.$/);
        if (execution.intervalState[i] === State.blocked) {
            assert.match(reason, /compress_have|write_first/);
        }
    }
});

// A program below "a clone" had the title "'/home/me/a cl…/solver' 8", and pictures of it were named home-me-a-cl.
test("a title has the program without its folder, quoted or not", () => {
    const titled = (title: string, ...command: string[]) =>
        programTitle({ ...overview, title, prediction: { ...overview.prediction, input: { ...overview.prediction.input, command } } });
    assert.equal(titled("/home/me/solver 8", "/home/me/solver", "8"), "solver 8");
    assert.equal(titled("'/home/me/a clone/solver' 8", "/home/me/a clone/solver", "8"), "solver 8");
    assert.equal(titled("two producers", "/home/me/solver"), "two producers");
});
