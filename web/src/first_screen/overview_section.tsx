// The first screen: one bar for the run, how fast on how many CPUs, and what it means.

import { DifferenceCard } from "../difference/difference_card.tsx";
import type { DifferenceAnswer } from "../difference/difference.ts";
import type { CalmState } from "../hooks.ts";
import { counted, shortText } from "../format.ts";
import { curveUnder, programTitle, rangeWord, settingText, type MeasuredPoint, type PredictedCount } from "../overview.ts";
import { isRecorded } from "../recorded.ts";
import { chosenBelow, type Side, type Store } from "../state.ts";
import type { Bench, Workbench } from "../workbench.ts";
import { isOld, type Shown } from "../wished_execution.ts";
import { WouldBring } from "../changes/would_bring.tsx";
import type { Scheme } from "../theme/palette.ts";
import { Matrix } from "./matrix.tsx";
import { RunBar } from "./run_bar.tsx";
import { hasRanges, SpeedUpChart, type Curve } from "./speed_up_chart.tsx";
import { VerdictView } from "./verdict.tsx";

interface Props {
    readonly workbench: Workbench;
    readonly store: Store;
    readonly lowerStore: Store;
    readonly state: CalmState;
    readonly maxCpus: number;
    readonly asTables: boolean;
    readonly setAsTables: (asTables: boolean) => void;
    readonly scheme: Scheme;
    readonly showLess: () => void;
    readonly difference: DifferenceAnswer | null;
}

export function OverviewSection({ workbench, store, lowerStore, state, maxCpus, asTables, setAsTables, scheme, showLess, difference }: Props) {
    const upper = workbench.shown("upper");
    const lower = workbench.shown("lower");
    const bench = workbench.bench("a");
    const lowerBench = workbench.bench(state.compare?.source ?? "a");
    const comparing = state.compare !== null;
    const { overview } = bench;
    const bounds = (curveUnder(overview, state.scheduler)?.predictions ?? []).filter((run) => run.bounds !== null);
    const isOfBoth = difference !== null && state.compare?.source === "b";
    const measuredBench = workbench.benches.b?.overview.measurement ? workbench.benches.b : null;
    const isMeasuredBelow = measuredBench !== null && state.compare?.source === "b";
    const measured = [...overview.measured, ...(measuredBench ? measuredPoints(workbench, measuredBench, state.scheduler) : [])];
    const boundsBelow = isOfBoth ? curveUnder(lowerBench.overview, state.compare!.scheduler)?.predictions ?? [] : [];
    return (
        <section class={upper.execution && isOld(upper) ? "overview stale" : "overview"} aria-label="Overview" aria-busy={upper.pending}>
            <div class={asTables ? "bars tables" : "bars"}>
                {upper.execution && <RunBar execution={upper.execution} overview={overview} store={store} asTable={asTables} label={comparing ? labelOf(bench, upper) : ""} />}
                {comparing && lower.execution && (
                    <RunBar
                        execution={lower.execution}
                        overview={lowerBench.overview}
                        store={lowerStore}
                        asTable={asTables}
                        label={labelOf(lowerBench, lower)}
                    />
                )}
                <button type="button" class="quiet fold" title="One line only, more room for the lanes  (O)" aria-expanded onClick={showLess}>
                    Less
                </button>
            </div>
            <div class="answers">
                {overview.messages ? (
                    <section class="card chart-card" aria-label="Who sends to whom">
                        <div class="card-head">
                            <h2>Who sends to whom</h2>
                            <span class="chart-legend">bytes; a click selects a pair</span>
                            <button type="button" class="quiet" aria-pressed={asTables} title="Charts as tables (T)" onClick={() => setAsTables(!asTables)}>
                                {asTables ? "As charts" : "As tables"}
                            </button>
                        </div>
                        {upper.execution && <Matrix execution={upper.execution} messages={overview.messages} store={store} state={state} scheme={scheme} asTable={asTables} />}
                    </section>
                ) : (
                <section class="card chart-card" aria-label="Speed-up">
                    <div class="card-head">
                        <h2>Speed-up</h2>
                        <ChartLegend bench={bench} comparing={comparing && !isMeasuredBelow && !isRecorded(state.compare!)} isMeasured={measured.length > 0} changed={Boolean(state.compare?.scenario)} bounded={bounds.length > 1} isSure={hasRanges(bounds)} />
                        <button type="button" class="quiet" aria-pressed={asTables} title="Charts as tables (T)" onClick={() => setAsTables(!asTables)}>
                            {asTables ? "As charts" : "As tables"}
                        </button>
                    </div>
                    <SpeedUpChart
                        curves={curvesOf(workbench, state, store)}
                        bounds={bounds}
                        boundsBelow={boundsBelow}
                        rangeWord={rangeWord(bench.overview)}
                        measured={measured}
                        bindings={overview.bindings ?? []}
                        maxCpus={maxCpus}
                        asTable={asTables}
                    />
                    <BoundsNote bounds={bounds} />
                </section>
                )}
                {isOfBoth && (
                    <section class="card says" aria-label="Difference">
                        <DifferenceCard answer={difference} cpus={state.cpus} choose={(cpus) => store.set({ cpus, compare: { ...state.compare!, cpus } })} />
                    </section>
                )}
                {!isOfBoth && (
                <section class="card says" aria-label="What it means">
                    {upper.execution ? (
                        <VerdictView
                            execution={upper.execution}
                            overview={overview}
                            store={store}
                            speedUp={workbench.speedUpOf(upper)}
                            points={workbench.speedUpsOf(upper.side, upper.scheduler)}
                            extent={workbench.extentOf(upper)}
                        >
                            <WouldBring workbench={workbench} shown={upper} store={store} />
                        </VerdictView>
                    ) : (
                        <p class="aside">The answers come with the first execution.</p>
                    )}
                </section>
                )}
            </div>
        </section>
    );
}

// What the stars beside speed-ups mean, in the words of `parcast predict`.
function BoundsNote({ bounds }: { readonly bounds: readonly PredictedCount[] }) {
    const note = bounds.find((run) => run.bounds_note)?.bounds_note;
    return note ? <p class="chart-note">* {shortText(note, 300)}</p> : null;
}

export function labelOf(bench: Bench, shown: Shown, longestTitle = 60): string {
    const cpus = shown.execution?.totals.cpus ?? 0;
    const title = shortText(programTitle(bench.overview), longestTitle);
    if (shown.scenario) {
        return `${title}, ${counted(cpus, "CPU")}, ${shown.scheduler}, with ${shortText(shown.scenario, longestTitle)}`;
    }
    return isRecorded(shown) ? `${title}, recorded on ${counted(cpus, "CPU")}` : `${title}, ${settingText(bench.overview, cpus, shown.scheduler)}`;
}

// What was measured, over the predicted time on one CPU: that was not measured.
function measuredPoints(workbench: Workbench, { overview }: Bench, scheduler: string): MeasuredPoint[] {
    const one = workbench.timeOnOne("a", scheduler);
    return workbench.pointsOf("b", overview.scheduler).flatMap(({ cpus, time }) =>
        one !== null && time ? [{ cpus, speed_up: one / time, low: one / time, high: one / time, time_ns: time, explanation: [], over_predicted: true }] : [],
    );
}

function ChartLegend({ bench, comparing, isMeasured, changed, bounded, isSure }: { readonly bench: Bench; readonly comparing: boolean; readonly isMeasured: boolean; readonly changed: boolean; readonly bounded: boolean; readonly isSure: boolean }) {
    return (
        <span class="chart-legend">
            <span>
                <i class="key-line" /> {comparing && !changed ? "above" : "predicted"}
            </span>
            {comparing && (
                <span>
                    <i class="key-line below" /> {changed ? "with the change" : "below"}
                </span>
            )}
            {bounded && isSure && (
                <span title="Nine of ten measurements should lie within">
                    <i class="key-band" /> 90 % range
                </span>
            )}
            {bounded && (
                <span>
                    <i class={isSure ? "key-edges" : "key-band"} /> {rangeWord(bench.overview)}
                </span>
            )}
            {isMeasured && (
                <span>
                    <i class="key-measured" /> measured
                </span>
            )}
            {bench.overview.bindings && (
                <span title="No binding of threads to CPUs is faster (parcast bind)">
                    <i class="key-limit" /> best binding
                </span>
            )}
            {bench.overview.bindings?.some(({ reachable_ns }) => reachable_ns !== null) && (
                <span title="Some binding of threads to CPUs is surely as fast (parcast bind)">
                    <i class="key-reachable" /> reachable
                </span>
            )}
        </span>
    );
}

function curvesOf(workbench: Workbench, state: CalmState, store: Store): Curve[] {
    const curve = (side: Side, scheduler: string, scenario: string, cpus: number, label: string, choose: (cpus: number) => void): Curve => ({
        label,
        points: workbench.pointsOf(side, scheduler, scenario),
        timeOnOne: workbench.timeOnOne(side, scheduler),
        cpus,
        choose,
    });
    const { compare } = state;
    const above = curve("a", state.scheduler, "", state.cpus, "above", (cpus) => store.set({ cpus }));
    if (!compare || isRecorded(compare) || workbench.bench(compare.source).overview.measurement) {
        return [above];
    }
    const { source, scheduler, scenario = "", cpus } = compare;
    return [above, curve(source, scheduler, scenario, cpus, scenario ? "with the change" : "below", (next) => store.set(chosenBelow(compare, next)))];
}
