import assert from "node:assert/strict";
import { test } from "node:test";
import { toHash } from "../src/address.ts";
import type { Execution } from "../src/execution.ts";
import type { Overview } from "../src/overview.ts";
import type { SpeedUpAt } from "../src/measured.ts";
import type { Request, Source } from "../src/source.ts";
import { firstState, viewOf } from "../src/start.ts";
import { initialState, linkedStore, Store } from "../src/state.ts";
import { syntheticExecution, syntheticOverview } from "./synthetic.ts";
import { Workbench, type Bench } from "../src/workbench.ts";

declare function setTimeout(body: () => void, ms: number): unknown;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const shape = { threads: 3, rounds: 5, locks: 1, seed: 3 };
const overview = syntheticOverview(shape, [1, 2, 4]);

// Answers when it is told to.
class SlowSource implements Source {
    readonly asked: { request: Request; signal: AbortSignal | undefined; answer: () => void; fail: (why: string) => void }[] = [];
    overview(): Promise<Overview> {
        return Promise.resolve(overview);
    }
    offered(): Promise<null> {
        return Promise.resolve(null);
    }
    readonly progress = null;
    readonly edit = null;
    readonly report = null;
    extent(points: readonly SpeedUpAt[]): Promise<string> {
        return Promise.resolve(`It scales to ${points.map(({ cpus }) => cpus).join()}.`);
    }
    weights(): Promise<never> {
        return Promise.reject(new Error("It has no weights."));
    }
    operationWeights(): Promise<never> {
        return this.weights();
    }
    signature(): Promise<never> {
        return this.weights();
    }
    functions(): Promise<never> {
        return this.weights();
    }
    advice(): Promise<never> {
        return this.weights();
    }
    sourceText(): Promise<null> {
        return Promise.resolve(null);
    }
    execution(request: Request, signal?: AbortSignal): Promise<Execution> {
        return new Promise((resolve, reject) => {
            this.asked.push({
                request,
                signal,
                answer: () => resolve(syntheticExecution(shape, request.cpus)),
                fail: (why) => reject(new Error(why)),
            });
        });
    }
    async next(count: number): Promise<SlowSource["asked"][number]> {
        for (let i = 0; i < 400 && this.asked.length < count; ++i) {
            await pause(5);
        }
        assert.equal(this.asked.length, count);
        return this.asked[count - 1]!;
    }
}

function bench(source: Source): Bench {
    return { source, overview, offered: null };
}

test("a newer wish cancels an older one that takes long, whose late answer is not shown", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(4, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    await pause(5);
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 4);

    store.set({ cpus: 3 });
    const late = await source.next(2);
    assert(workbench.shown("upper").pending);
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 4); // the old picture, meanwhile
    store.set({ cpus: 2 });
    const newest = await source.next(3);
    assert(late.signal?.aborted);
    newest.answer();
    await pause(5);
    late.answer();
    await pause(5);
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 2);
    assert(!workbench.shown("upper").pending);
});

test("a slider that is dragged shows what comes, and asks only for the newest then", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(1, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    await pause(5);
    for (let cpus = 2; cpus <= 30; ++cpus) {
        store.set({ cpus });
    }
    const first = await source.next(2);
    assert.equal(first.request.cpus, 2);
    first.answer();
    const newest = await source.next(3);
    assert.equal(newest.request.cpus, 30);
    assert(!first.signal?.aborted);
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 2);
    assert(workbench.shown("upper").pending);
    newest.answer();
    await pause(5);
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 30);
    assert(!workbench.shown("upper").pending);
    assert.equal(source.asked.length, 3);
});

test("a failure of a count that was only passed by is not said", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(1, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    await pause(5);
    store.set({ cpus: 2 });
    store.set({ cpus: 3 });
    (await source.next(2)).fail("no");
    await source.next(3);
    assert.equal(workbench.shown("upper").error, null);
});

test("a count that is simulated joins the chart, and is not asked for again", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(4, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    await pause(5);
    assert.deepEqual(workbench.pointsOf("a", "linux").map((point) => point.cpus), [1, 2, 4]);
    store.set({ cpus: 3 });
    (await source.next(2)).answer();
    await pause(5);
    assert.deepEqual(workbench.pointsOf("a", "linux").map((point) => point.cpus), [1, 2, 3, 4]);
    store.set({ cpus: 4 });
    await pause(100);
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 4);
    assert.equal(source.asked.length, 2);
});

test("a failure is said, the old picture stays, and another try is possible", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(4, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    await pause(5);
    store.set({ cpus: 64 });
    (await source.next(2)).fail("It ran out of memory.");
    await pause(5);
    assert.equal(workbench.shown("upper").error, "It ran out of memory.");
    assert.equal(workbench.shown("upper").execution?.totals.cpus, 4);
    workbench.retry();
    (await source.next(3)).request;
    assert.equal(workbench.shown("upper").error, null);
});

test("another scheduler gets its own curve while nothing else is to do", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(4, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    await pause(5);
    store.set({ scheduler: "ideal" });
    (await source.next(2)).answer();
    const asked = [await source.next(3)];
    asked[0]!.answer();
    asked.push(await source.next(4));
    asked[1]!.answer();
    await pause(5);
    assert.deepEqual(asked.map(({ request }) => [request.cpus, request.scheduler, request.totalsOnly]), [
        [1, "ideal", true],
        [2, "ideal", true],
    ]);
    assert.deepEqual(workbench.pointsOf("a", "ideal").map((point) => point.cpus), [1, 2, 4]);
    assert(workbench.timeOnOne("a", "ideal")! > 0);
    assert.equal(workbench.extentOf(workbench.shown("upper")), "It scales to 1,2,4.");
});

test("two executions are compared, and the lower one goes when the comparison ends", async () => {
    const source = new SlowSource();
    const store = new Store(initialState(4, "linux"));
    const workbench = new Workbench({ a: bench(source) }, store);
    (await source.next(1)).answer();
    store.set({ compare: { source: "a", cpus: 2, scheduler: "linux" } });
    (await source.next(2)).answer();
    await pause(5);
    assert.equal(workbench.shown("lower").execution?.totals.cpus, 2);
    store.set({ compare: null });
    assert.equal(workbench.shown("lower").execution, null);
});

test("compared executions share their time, not their selection", () => {
    const store = new Store(initialState(4, "linux"));
    const lower = linkedStore(store);
    lower.zoomTo([5, 10]);
    assert.deepEqual(store.get().range, [5, 10]);
    store.set({ selection: { kind: "thread", index: 1 }, mark: [6, 7] });
    assert.equal(lower.get().selection, null);
    assert.deepEqual(lower.get().mark, [6, 7]);
    assert(store.undoZoom());
    assert.equal(lower.get().range, null);
    assert(!lower.undoZoom());
});

test("a link to what cannot be computed shows what can", () => {
    const source = new SlowSource();
    const only: Bench = { source, overview, offered: [{ cpus: 4, scheduler: "linux" }, { cpus: 1, scheduler: "linux" }] };
    const shown = (a: Bench, hash: string) => viewOf(hash, firstState({ a }), { a });
    assert.equal(shown(only, "#cpus=3").cpus, 4);
    assert.equal(shown(only, "#cpus=1").cpus, 1);
    assert.equal(shown(only, "#cpus=1&scheduler=ideal").scheduler, "linux");
    assert.equal(shown(bench(source), "#cpus=3").cpus, 3);
    assert.equal(shown(bench(source), "#cpus=9999&scheduler=none").cpus, 9999, "more than the slider has");
    assert.equal(shown(bench(source), "#cpus=99999").cpus, 65_534);
    assert.equal(shown(bench(source), "#scheduler=none").scheduler, "linux");
    assert.deepEqual(shown(bench(source), "#compare=a.99.none").compare, { source: "a", cpus: 99, scheduler: "linux" });
    assert.equal(shown(bench(source), "#compare=b.2.linux").compare, null);
});

test("a second execution is shown at once, and a link may leave it out", () => {
    const benches = { a: bench(new SlowSource()), b: bench(new SlowSource()) };
    const initial = firstState(benches);
    assert.equal(initial.compare?.source, "b");
    assert.equal(viewOf("#compare=", initial, benches).compare, null);
    const alone = { ...initial, compare: null };
    assert.deepEqual(viewOf(`#${toHash(alone, initial)}`, initial, benches), alone);
});
