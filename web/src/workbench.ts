// Which executions are shown now? Asks for what the state wishes, shows the newest answer, forgets stale ones, and
// collects the points of the speed-up chart.

import type { Execution } from "./execution.ts";
import { KeptExecutions } from "./kept_executions.ts";
import type { SpeedUpAt } from "./measured.ts";
import { curveUnder, type Overview } from "./overview.ts";
import { pathParts, type PathParts } from "./path_parts.ts";
import { isRecorded, offersRecorded, recorded } from "./recorded.ts";
import type { AdviceSentence, Command, Progress, Request, Source, TriedOn } from "./source.ts";
import type { Side, Store, ViewState } from "./state.ts";
import { curveKey, keyOf, nothing, Place, type Shown, type Wish } from "./wished_execution.ts";
import type { OperationWeights, Weights } from "./weights.ts";

export interface Bench {
    readonly source: Source;
    readonly overview: Overview;
    readonly offered: readonly Request[] | null; // null: any
}

export interface Point {
    readonly cpus: number;
    readonly time: number | null; // ns; null: the replay deadlocks
}

export interface CountedPath {
    readonly cpus: number;
    readonly parts: PathParts | null; // null: not read yet
}

export interface RunsOnTheirWay {
    readonly progress: Progress;
    readonly command: (command: Command) => void;
}

// Than before the first replay deadlocked.
function isReplayedOtherwise({ prediction }: Overview): boolean {
    const { model = "direct", paired_conditions: paired = [] } = prediction.method ?? {};
    return model !== "direct" || paired.length > 0;
}

function showsWeights({ panel, flame }: Pick<ViewState, "panel" | "flame">): boolean {
    return panel === "change" || (panel === "flame" && flame === "decides");
}

const largestForPaths = 32e6; // bytes of an execution
export const half = "*0.5";
export const gone = "*0";
export const freeWakeUps = "wake-ups=free";
export const mostSuggested = 3; // changes, on the first screen
export const mostLevers = 8; // functions and locks of which less is tried

export class Workbench {
    benches: Readonly<Partial<Record<Side, Bench>>>;
    private readonly store: Store;
    private readonly upper: Place;
    private readonly lower: Place;
    private readonly points = new Map<string, Map<number, number | null>>();
    private readonly extents = new Map<string, string>();
    private weights: Weights | null = null;
    private operationWeights: OperationWeights | null = null;
    private readonly sentences = new Map<string, readonly AdviceSentence[]>(); // what to change first, by scheduler
    private readonly untried = new Set<string>(); // keys of changed executions that could not be replayed
    private ignored: string | null = null;
    private readonly paths = new Map<string, Map<number, PathParts>>();
    private readonly listeners = new Set<() => void>();
    private readonly kept = new KeptExecutions();
    private readonly onTheirWay = new Map<Side, RunsOnTheirWay>();
    private sweep: AbortController | null = null;
    private idle: ReturnType<typeof setTimeout> | undefined;

    constructor(benches: Partial<Record<Side, Bench>>, store: Store) {
        this.benches = benches;
        this.store = store;
        for (const side of ["a", "b"] as const) {
            this.takePredictions(side);
        }
        const load = (wish: Wish, signal: AbortSignal) => this.load(wish, signal);
        const changed = () => this.changed();
        this.upper = new Place(load, changed);
        this.lower = new Place(load, changed);
        store.subscribe((state, previous) => {
            if (
                state.cpus !== previous.cpus ||
                state.scheduler !== previous.scheduler ||
                state.compare !== previous.compare
            ) {
                this.follow();
            }
            if (state.panel !== previous.panel || state.flame !== previous.flame) {
                this.stopSweep();
                this.changed();
            }
        });
        this.follow();
    }

    subscribe(listener: () => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    shown(which: "upper" | "lower"): Shown {
        return (which === "upper" ? this.upper : this.lower).shown;
    }

    bench(side: Side): Bench {
        return this.benches[side] ?? this.benches.a!;
    }

    // All counts that are known, in rising order.
    pointsOf(side: Side, scheduler: string, scenario = ""): Point[] {
        return [...(this.points.get(curveKey(side, scheduler, scenario)) ?? [])]
            .map(([cpus, time]) => ({ cpus, time }))
            .sort((a, b) => a.cpus - b.cpus);
    }

    timeOnOne(side: Side, scheduler: string): number | null {
        const { graph, messages, prediction } = this.bench(side).overview;
        if (messages) {
            return null;
        }
        if (graph) {
            return prediction.time_on_one_cpu_ns; // the same for all schedules
        }
        return this.points.get(curveKey(side, scheduler))?.get(1) ?? null; // of the program as it is, also for a changed one
    }

    speedUpOf({ execution, side, scheduler }: Shown): number | null {
        return execution?.speedUp(this.timeOnOne(side, scheduler)) ?? null;
    }

    // Whether changes of the program can be replayed, and are worth an advice.
    canChange(side: Side): boolean {
        const { overview, offered } = this.bench(side);
        return !overview.graph && !overview.messages && !offered;
    }
    advises(side: Side): boolean {
        const { complete, prediction } = this.bench(side).overview;
        return side === "a" && complete && this.canChange(side) && !prediction.scaling.withheld;
    }

    // What decides the time of the program above; null: not known yet.
    weightsOf(side: Side): Weights | null {
        return side === "a" ? this.weights : null;
    }
    // The same by operation, on the count above, while the tables ask for it.
    operationWeightsOf({ side, scenario, execution }: Shown): OperationWeights | null {
        const isWished = side === "a" && !scenario && showsWeights(this.store.get());
        return isWished && this.operationWeights?.cpus === execution?.totals.cpus ? this.operationWeights : null;
    }

    // What to change first: the sentences of `parcast advise`.
    adviceOf(scheduler: string): readonly AdviceSentence[] {
        return this.sentences.get(scheduler) ?? [];
    }

    // The time of the program above, changed; null: that replay deadlocks, undefined: it is not known yet.
    timeWith(scenario: string, cpus: number, scheduler: string): number | null | undefined {
        return this.points.get(curveKey("a", scheduler, scenario))?.get(cpus);
    }
    isUntried(scenario: string, cpus: number, scheduler: string): boolean {
        return this.untried.has(keyOf({ side: "a", cpus, scheduler, scenario }));
    }

    // Shows the program with this change below it.
    tryChange(scenario: string): void {
        const { cpus, scheduler } = this.store.get();
        this.ignored = null;
        this.store.set({ compare: { source: "a", cpus, scheduler, scenario } });
    }

    // Why a change that was wished for is not shown; null: it is.
    get ignoredChange(): string | null {
        return this.ignored;
    }
    forgetIgnored(): void {
        this.ignored = null;
        this.listeners.forEach((listener) => listener());
    }

    // From the predicted counts only: which others somebody looked at must not change the sentence.
    speedUpsOf(side: Side, scheduler: string): SpeedUpAt[] {
        const one = this.timeOnOne(side, scheduler);
        const predicted = new Set(this.bench(side).overview.cpus);
        return this.pointsOf(side, scheduler)
            .filter(({ cpus }) => predicted.has(cpus))
            .flatMap(({ cpus, time }) => (one !== null && time !== null && time > 0 ? [{ cpus, speedUp: one / time }] : []));
    }

    // How far it scales, a sentence; null: not known, or not yet.
    extentOf({ side, scheduler }: Shown): string | null {
        const curve = curveUnder(this.bench(side).overview, scheduler);
        return (curve ? curve.extent : this.extents.get(`${side} ${scheduler}`)) || null;
    }

    // The critical path on each count, by function; parts: null until they are known. The counts that were predicted, and
    // those that were looked at.
    pathsOf(side: Side, scheduler: string): CountedPath[] {
        const known = this.paths.get(`${side} ${scheduler}`);
        const counts = new Set([...this.offeredCounts(side, scheduler), ...(known?.keys() ?? [])]);
        return [...counts]
            .sort((a, b) => a - b)
            .map((cpus) => ({ cpus, parts: known?.get(cpus) ?? null }))
            .filter(({ parts }) => parts !== null || this.hasAllPaths(side, scheduler));
    }

    // Whether it is little enough work to look at every count.
    hasAllPaths(side: Side, scheduler: string): boolean {
        const { execution } = [this.upper.shown, this.lower.shown].find((shown) => shown.side === side && shown.scheduler === scheduler) ?? nothing;
        return execution !== null && execution.byteLength <= largestForPaths;
    }

    // Reads the path of what is shown, and then those that are not known yet, one count after the other. Returns how to stop.
    wishPaths({ side, scheduler, execution }: Shown): () => void {
        if (execution && !isRecorded({ scheduler })) {
            this.takePath({ side, scheduler, cpus: execution.totals.cpus }, execution);
            this.listeners.forEach((listener) => listener());
        }
        const control = new AbortController();
        void this.readPaths(side, scheduler, control.signal).catch(() => undefined); // asking for such a count says why
        return () => control.abort();
    }

    private async readPaths(side: Side, scheduler: string, signal: AbortSignal): Promise<void> {
        if (isRecorded({ scheduler }) || !this.hasAllPaths(side, scheduler)) {
            return;
        }
        for (const cpus of this.offeredCounts(side, scheduler)) {
            if (!this.paths.get(`${side} ${scheduler}`)?.has(cpus)) {
                const wish = { side, cpus, scheduler };
                const execution = this.kept.get(keyOf(wish)) ?? (await this.bench(side).source.execution(wish, signal));
                signal.throwIfAborted();
                this.takePath(wish, execution);
                this.listeners.forEach((listener) => listener());
            }
        }
    }

    private takePath(wish: Wish, execution: Execution): void {
        const key = `${wish.side} ${wish.scheduler}`;
        const paths = this.paths.get(key) ?? new Map<number, PathParts>();
        this.paths.set(key, paths);
        if (!paths.has(wish.cpus) && execution.pathThread.length > 0) {
            paths.set(wish.cpus, pathParts(execution, this.bench(wish.side).overview));
        }
    }

    private offeredCounts(side: Side, scheduler: string): number[] {
        const { overview, offered } = this.bench(side);
        return overview.cpus.filter((cpus) => !offered || offered.some((each) => each.cpus === cpus && each.scheduler === scheduler));
    }

    // Times of runs that were made meanwhile, of an overview that is not complete.
    private takePoints(side: Side, points: readonly Point[]): void {
        const known = this.knownPoints(curveKey(side, this.bench(side).overview.scheduler));
        points.forEach(({ cpus, time }) => known.set(cpus, time));
        this.listeners.forEach((listener) => listener());
    }

    // How far the runs are that an overview waits for; null: it waits for none.
    progressOf(side: Side): RunsOnTheirWay | null {
        return this.onTheirWay.get(side) ?? null;
    }

    showProgress(side: Side, runs: RunsOnTheirWay): void {
        this.onTheirWay.set(side, runs);
        this.takePoints(side, runs.progress.points.map(({ cpus, time_ns }) => ({ cpus, time: time_ns })));
    }

    // The overview with all its runs, in place of the one without, and what to look at then.
    complete(side: Side, bench: Bench, view: Partial<ViewState>): void {
        this.benches = { ...this.benches, [side]: bench };
        this.onTheirWay.delete(side);
        this.takePredictions(side);
        if (isReplayedOtherwise(bench.overview)) {
            this.kept.clear();
            this.upper.forget();
            this.lower.forget();
        }
        this.store.set(view);
        this.follow();
        this.changed();
    }

    retry(): void {
        this.upper.forget();
        this.lower.forget();
        this.follow();
    }

    private follow(): void {
        const { cpus, scheduler, compare } = this.store.get();
        this.upper.wish(this.available({ side: "a", cpus, scheduler }));
        this.lower.wish(compare && this.benches[compare.source] ? this.available({ side: compare.source, cpus: compare.cpus, scheduler: compare.scheduler, scenario: compare.scenario ?? "" }) : null);
        this.stopSweep();
    }

    private async load(wish: Wish, signal: AbortSignal): Promise<Execution> {
        const key = keyOf(wish);
        let execution = this.kept.get(key);
        if (!execution) {
            execution = await this.execute(wish, signal);
            signal.throwIfAborted();
            if (!isRecorded(wish)) {
                this.takePoint(wish, execution);
            }
        }
        this.kept.keep(key, execution);
        return execution;
    }

    // A change that the program cannot have is said, and is none.
    private async execute(wish: Wish, signal: AbortSignal): Promise<Execution> {
        try {
            return await this.bench(wish.side).source.execution(wish, signal);
        } catch (error) {
            if (wish.scenario && !signal.aborted) {
                this.ignored = `The change ${wish.scenario} is ignored: ${error instanceof Error ? error.message : String(error)}`;
                this.store.set({ compare: null });
            }
            throw error;
        }
    }

    // The recorded execution stands in for a replay on one CPU until the replays that the overview waits for are made.
    private available(wish: Wish): Wish {
        const { overview } = this.bench(wish.side);
        return !overview.complete && wish.cpus === 1 && !wish.scenario && offersRecorded(overview) ? { ...wish, scheduler: recorded } : wish;
    }

    private knownPoints(key: string): Map<number, number | null> {
        let points = this.points.get(key);
        if (!points) {
            this.points.set(key, (points = new Map()));
        }
        return points;
    }

    private takePredictions(side: Side): void {
        const bench = this.benches[side];
        if (!bench) {
            return;
        }
        for (const scheduler of bench.overview.schedulers) {
            const curve = curveUnder(bench.overview, scheduler);
            if (!curve) {
                continue;
            }
            const points = this.knownPoints(curveKey(side, scheduler));
            curve.predictions.forEach((run) => points.set(run.cpus, run.time_ns));
            if (curve.timeOnOne !== null && !bench.overview.graph) {
                points.set(1, curve.timeOnOne);
            }
        }
    }

    private takePoint(wish: Wish, execution: Execution): void {
        const points = this.knownPoints(curveKey(wish.side, wish.scheduler, wish.scenario));
        if (!points.has(wish.cpus)) {
            points.set(wish.cpus, execution.totals.deadlocked ? null : execution.totals.completion);
        }
    }

    private changed(): void {
        for (const listener of [...this.listeners]) {
            listener();
        }
        if (!this.upper.shown.pending && !this.lower.shown.pending) {
            clearTimeout(this.idle);
            this.idle = setTimeout(() => void this.sweepCounts(), 200);
        }
    }

    private stopSweep(): void {
        clearTimeout(this.idle);
        this.sweep?.abort();
        this.sweep = null;
    }

    // A scheduler that was not predicted has no curve yet, nor has a changed program: their points are simulated while
    // nothing else is to do, and then what changes would bring.
    private async sweepCounts(): Promise<void> {
        if (this.sweep) {
            return;
        }
        const sweep = (this.sweep = new AbortController());
        const { scheduler, compare } = this.store.get();
        const above: [Side, string, string] = ["a", scheduler, ""];
        const shown = compare && !isRecorded(compare) ? [above, [compare.source, compare.scheduler, compare.scenario ?? ""] as typeof above] : [above];
        try {
            for (const [side, name, scenario] of shown) {
                for (const cpus of this.missing(side, name, scenario)) {
                    const wish = { side, cpus, scheduler: name, totalsOnly: true, scenario };
                    const execution = await this.bench(side).source.execution(wish, sweep.signal);
                    if (sweep.signal.aborted) {
                        return;
                    }
                    this.takePoint(wish, execution);
                    this.listeners.forEach((listener) => listener());
                }
                if (!scenario) {
                    await this.readExtent(side, name);
                }
            }
            if (this.advises("a")) {
                await this.readAdvice(scheduler, sweep.signal);
            }
        } catch {
            // The chart stays without these points; asking for such a count says why.
        } finally {
            if (this.sweep === sweep) {
                this.sweep = null;
            }
        }
    }

    // What decides the time, what to change first, and what less of that brings.
    private async readAdvice(scheduler: string, signal: AbortSignal): Promise<void> {
        const { overview, source } = this.bench("a");
        const { cpus, panel, flame } = this.store.get();
        if (!this.weights || !this.weights.counts.includes(cpus)) {
            const counts = [...new Set([...overview.cpus, cpus])].sort((a, b) => a - b);
            this.weights = await source.weights(counts);
        }
        const { weights } = this;
        if (showsWeights({ panel, flame }) && this.operationWeights?.cpus !== cpus) {
            this.operationWeights = await source.operationWeights(cpus);
        }
        if (!this.sentences.has(scheduler)) {
            this.sentences.set(scheduler, await source.advice(this.halves(weights, scheduler)));
        }
        this.listeners.forEach((listener) => listener());
        for (const owner of weights.leaders(cpus, mostSuggested)) {
            await this.tryOne(owner.change + half, cpus, scheduler, signal);
        }
        await this.tryOne(freeWakeUps, cpus, scheduler, signal);
        for (const count of overview.cpus.filter((each) => each > 1)) {
            for (const owner of weights.leaders(count, mostSuggested)) {
                await this.tryOne(owner.change + half, count, scheduler, signal);
            }
        }
        this.sentences.set(scheduler, await source.advice(this.halves(weights, scheduler)));
        this.listeners.forEach((listener) => listener());
        for (const owner of panel === "change" ? weights.leaders(cpus, mostLevers) : []) {
            await this.tryOne(owner.change + half, cpus, scheduler, signal);
            await this.tryOne(owner.change + gone, cpus, scheduler, signal);
        }
    }

    private halves(weights: Weights, scheduler: string): TriedOn[] {
        const points = this.points.get(curveKey("a", scheduler));
        return this.bench("a").overview.cpus.map((cpus) => {
            const times = cpus > 1 ? weights.leaders(cpus, mostSuggested).map((owner) => ({ owner: owner.index, time: this.timeWith(owner.change + half, cpus, scheduler) })) : [];
            return { cpus, time: points?.get(cpus) ?? null, halves: times.flatMap(({ owner, time }) => (time === undefined ? [] : [{ owner, time }])) };
        });
    }

    private async tryOne(scenario: string, cpus: number, scheduler: string, signal: AbortSignal): Promise<void> {
        const wish = { side: "a" as const, cpus, scheduler, totalsOnly: true, scenario };
        if (this.timeWith(scenario, cpus, scheduler) !== undefined || this.untried.has(keyOf(wish))) {
            return;
        }
        try {
            const execution = await this.bench("a").source.execution(wish, signal);
            signal.throwIfAborted();
            this.takePoint(wish, execution);
        } catch (error) {
            signal.throwIfAborted();
            this.untried.add(keyOf(wish)); // its name stands for something else, for example
        }
        this.listeners.forEach((listener) => listener());
    }

    // Once all its points are there.
    private async readExtent(side: Side, scheduler: string): Promise<void> {
        const { overview, source } = this.bench(side);
        const key = `${side} ${scheduler}`;
        if (overview.messages || curveUnder(overview, scheduler) || this.extents.has(key) || this.missing(side, scheduler).length > 0) {
            return;
        }
        this.extents.set(key, await source.extent(this.speedUpsOf(side, scheduler)));
        this.listeners.forEach((listener) => listener());
    }

    private missing(side: Side, scheduler: string, scenario = ""): number[] {
        const bench = this.benches[side];
        const known = this.points.get(curveKey(side, scheduler, scenario));
        const counts = bench?.overview.complete && !bench.overview.messages ? [...new Set([1, ...bench.overview.cpus])] : [];
        return counts.filter(
            (cpus) => !known?.has(cpus) && (!bench!.offered || bench!.offered.some((each) => each.cpus === cpus && each.scheduler === scheduler)),
        );
    }
}
