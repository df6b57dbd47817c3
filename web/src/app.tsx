// The page: what is chosen on top, the answers below it, then the timeline with its details, then the tables.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Choice } from "./chrome/choice.tsx";
import { download, fileName, standalone, svgBlob } from "./chrome/export.ts";
import { Help } from "./chrome/help.tsx";
import { Menu } from "./chrome/menu.tsx";
import { SearchBox } from "./chrome/search_box.tsx";
import { isTyping } from "./chrome/shortcuts.ts";
import { Details } from "./details/details.tsx";
import { stepped, type Along } from "./details/stepping.ts";
import { CountSlider } from "./first_screen/count_slider.tsx";
import { countSteps, type CountSteps } from "./first_screen/count_steps.ts";
import { RunBar } from "./first_screen/run_bar.tsx";
import { SpeedUpChart, type Curve } from "./first_screen/speed_up_chart.tsx";
import { VerdictView } from "./first_screen/verdict.tsx";
import { counted, shortText, wholeText } from "./format.ts";
import { useMedia, useStore, useWorkbench } from "./hooks.ts";
import type { SpeedUpAt } from "./scaling.ts";
import { hitsOf, step } from "./search.ts";
import { linkedStore, type Side, type Store, type ViewState } from "./state.ts";
import { Drawer } from "./tables/drawer.tsx";
import type { SchemeChoice } from "./theme/scheme.ts";
import type { TimelineHandle } from "./timeline/index.ts";
import { TimelineView } from "./timeline_view.tsx";
import type { Bench, Shown, Workbench } from "./workbench.ts";

interface Props {
    readonly workbench: Workbench;
    readonly store: Store;
    readonly schemes: SchemeChoice;
}

function stepsOf(bench: Bench, scheduler: string): CountSteps {
    const only = bench.offered?.filter((each) => each.scheduler === scheduler).map((each) => each.cpus) ?? null;
    return countSteps(bench.overview.cpus, bench.overview.max_cpus, only);
}

function schedulersOf(bench: Bench): readonly string[] {
    const { schedulers } = bench.overview;
    return bench.offered ? schedulers.filter((name) => bench.offered!.some((each) => each.scheduler === name)) : schedulers;
}

// What is shown is not what is wished.
function isOld(shown: Shown): boolean {
    return shown.pending || shown.error !== null;
}

function labelOf(bench: Bench, shown: Shown): string {
    const cpus = shown.execution?.totals.cpus ?? 0;
    return `${shortText(bench.overview.title, 60)}, ${counted(cpus, "CPU")}, ${shown.scheduler}`;
}

export function App({ workbench, store, schemes }: Props) {
    const state = useStore(store);
    useWorkbench(workbench);
    const lowerStore = useMemo(() => linkedStore(store), [store]);
    const lowerState = useStore(lowerStore);
    const [scheme, setScheme] = useState(schemes.scheme);
    useEffect(() => schemes.subscribe(setScheme), [schemes]);
    const reducedMotion = useMedia("(prefers-reduced-motion: reduce)");
    const isTall = useMedia("(min-height: 940px)");
    const [asTables, setAsTables] = useState(false);
    const [overviewOpen, setOverviewOpen] = useState(true);
    const [help, setHelp] = useState(false);
    const [copied, setCopied] = useState(false);
    const [focusedBelow, setFocusedBelow] = useState(false);
    const field = useRef<HTMLInputElement>(null);
    const handles = useRef<{ upper: TimelineHandle | null; lower: TimelineHandle | null }>({ upper: null, lower: null });

    const bench = workbench.bench("a");
    const { overview } = bench;
    const upper = workbench.shown("upper");
    const lower = workbench.shown("lower");
    const comparing = state.compare !== null;
    const lowerBench = workbench.bench(state.compare?.source ?? "a");
    // What was clicked last is what the details and the tables are about.
    const below = comparing && focusedBelow && lower.execution !== null;
    const hits = useMemo(() => hitsOf(overview, state.search), [overview, state.search]);
    const steps = stepsOf(bench, state.scheduler);
    const choose = (cpus: number) => store.set({ cpus });

    useEffect(() => store.subscribe((next, previous) => next.selection !== previous.selection && setFocusedBelow(false)), [store]);
    useEffect(() => lowerStore.subscribe((next, previous) => next.selection !== previous.selection && setFocusedBelow(next.selection !== null)), [lowerStore]);

    const stepHits = (by: 1 | -1) => {
        const hit = step(hits, store.get().selection, by);
        if (hit) {
            store.set({ selection: hit.selection });
        }
    };
    const stepEvents = (along: Along, by: 1 | -1) => {
        const execution = below ? lower.execution : upper.execution;
        const active = below ? lowerStore : store;
        const next = execution && stepped(execution, active.get().selection, along, by);
        if (next) {
            active.set({ selection: next });
        }
    };
    const keys: Record<string, () => void> = {
        "/": () => field.current?.focus(),
        "?": () => setHelp(true),
        n: () => stepHits(1),
        N: () => stepHits(-1),
        "[": () => stepEvents("thread", -1),
        "]": () => stepEvents("thread", 1),
        "{": () => stepEvents("object", -1),
        "}": () => stepEvents("object", 1),
        "<": () => choose(steps.next(state.cpus, -1)),
        ">": () => choose(steps.next(state.cpus, 1)),
        t: () => setAsTables(!asTables),
        o: () => setOverviewOpen(!overviewOpen),
        Escape: () => (below ? lowerStore : store).set({ selection: null }),
    };
    const keysNow = useRef(keys);
    keysNow.current = keys;
    useEffect(() => {
        const listen = (event: KeyboardEvent) => {
            const act = keysNow.current[event.key];
            if (act && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
                event.preventDefault();
                act();
            }
        };
        document.addEventListener("keydown", listen);
        return () => document.removeEventListener("keydown", listen);
    }, []);

    const share = async () => {
        try {
            await navigator.clipboard.writeText(location.href);
            setCopied(true);
            setTimeout(() => setCopied(false), 1500);
        } catch {
            prompt("The address of this view:", location.href);
        }
    };
    const whole = Math.max(upper.execution?.totals.completion ?? 0, comparing ? (lower.execution?.totals.completion ?? 0) : 0, 1);
    const speedUpOf = (shown: Shown) => shown.execution?.speedUp(workbench.timeOnOne(shown.side, shown.scheduler)) ?? null;
    const active = below
        ? { shown: lower, bench: lowerBench, store: lowerStore, state: lowerState }
        : { shown: upper, bench, store, state };
    const bounds = state.scheduler === overview.scheduler ? overview.prediction.predictions.filter((run) => run.speed_up_bounds !== null) : [];
    const tablesOpen = state.panel === "auto" ? isTall : state.panel !== "closed";

    return (
        <div class={comparing ? "app comparing" : "app"}>
            <header class="top">
                <h1 title={wholeText(overview.title)}>{shortText(overview.title, 90)}</h1>
                <Controls
                    label="CPUs"
                    bench={bench}
                    cpus={state.cpus}
                    scheduler={state.scheduler}
                    steps={steps}
                    change={(change) => store.set(change)}
                />
                <div class="tools">
                    <button type="button" aria-pressed={comparing} onClick={() => store.set({ compare: comparing ? null : firstComparison(workbench, state) })}>
                        Compare
                    </button>
                    <SearchBox store={store} state={state} hits={hits} step={stepHits} field={field} />
                    <button type="button" onClick={() => void share()} title="Copy a link to this view">
                        {copied ? "Copied" : "Link"}
                    </button>
                    <Menu name="Export" entries={exports(overview.title, state.cpus, handles.current)} />
                    <button type="button" class="icon" aria-label={`Colours: ${schemes.wish}`} title={`Colours: ${schemes.wish === "system" ? "as the system wishes" : schemes.wish}`} onClick={() => schemes.next()}>
                        ◐
                    </button>
                    <button type="button" class="icon" aria-label="Help: keys" title="Keys (?)" onClick={() => setHelp(true)}>
                        ?
                    </button>
                </div>
            </header>
            {state.compare && (
                <div class="top second">
                    <span class="below-label">below it:</span>
                    {workbench.benches.b && (
                        <Choice
                            label="Execution below"
                            options={["a", "b"]}
                            names={{ a: shortText(overview.title, 24), b: shortText(workbench.benches.b.overview.title, 24) }}
                            value={state.compare.source}
                            choose={(source) => store.set({ compare: { ...state.compare!, source: source as Side } })}
                        />
                    )}
                    <Controls
                        label="CPUs below"
                        bench={lowerBench}
                        cpus={state.compare.cpus}
                        scheduler={state.compare.scheduler}
                        steps={stepsOf(lowerBench, state.compare.scheduler)}
                        change={(change) => store.set({ compare: { ...state.compare!, ...change } })}
                    />
                </div>
            )}
            {[upper, lower].map(
                (shown, i) =>
                    shown.error && (
                        <p key={i} class="failure" role="alert">
                            {shortText(shown.error, 600)}{" "}
                            <button type="button" class="link" onClick={() => workbench.retry()}>
                                Try again
                            </button>
                        </p>
                    ),
            )}
            {overviewOpen && upper.execution && (
                <section class={isOld(upper) ? "overview stale" : "overview"} aria-label="Overview" aria-busy={upper.pending}>
                    <div class={asTables ? "bars tables" : "bars"}>
                        <RunBar execution={upper.execution} overview={overview} store={store} asTable={asTables} label={comparing ? labelOf(bench, upper) : ""} />
                        {comparing && lower.execution && (
                            <RunBar
                                execution={lower.execution}
                                overview={lowerBench.overview}
                                store={lowerStore}
                                asTable={asTables}
                                label={labelOf(lowerBench, lower)}
                            />
                        )}
                    </div>
                    <div class="answers">
                        <section class="card chart-card" aria-label="Speed-up">
                            <div class="card-head">
                                <h2>Speed-up</h2>
                                <ChartLegend bench={bench} comparing={comparing} bounded={bounds.length > 1} />
                                <button type="button" class="quiet" aria-pressed={asTables} title="Charts as tables (T)" onClick={() => setAsTables(!asTables)}>
                                    {asTables ? "As charts" : "As tables"}
                                </button>
                            </div>
                            <SpeedUpChart
                                curves={curvesOf(workbench, state, store)}
                                bounds={bounds}
                                measured={overview.measured}
                                maxCpus={steps.last}
                                asTable={asTables}
                            />
                        </section>
                        <section class="card" aria-label="What it means">
                            <VerdictView
                                execution={upper.execution}
                                overview={overview}
                                store={store}
                                speedUp={speedUpOf(upper)}
                                points={speedUps(workbench, upper)}
                            />
                        </section>
                    </div>
                </section>
            )}
            <main class="work">
                <div class="timelines">
                    {upper.execution ? (
                        <>
                            {comparing && <div class="strip">{labelOf(bench, upper)}</div>}
                            <TimelineView
                                label="Timeline"
                                stale={isOld(upper)}
                                execution={upper.execution}
                                overview={overview}
                                store={store}
                                scheme={scheme}
                                whole={whole}
                                reducedMotion={reducedMotion}
                                handle={(handle) => (handles.current.upper = handle)}
                            />
                        </>
                    ) : (
                        !upper.error && <p class="empty">Simulating …</p>
                    )}
                    {comparing && lower.execution && (
                        <>
                            <div class="strip">{labelOf(lowerBench, lower)}</div>
                            <TimelineView
                                label="Timeline below"
                                stale={isOld(lower)}
                                execution={lower.execution}
                                overview={lowerBench.overview}
                                store={lowerStore}
                                scheme={scheme}
                                whole={whole}
                                reducedMotion={reducedMotion}
                                handle={(handle) => (handles.current.lower = handle)}
                            />
                        </>
                    )}
                </div>
                {active.shown.execution && (
                    <Details
                        execution={active.shown.execution}
                        overview={active.bench.overview}
                        source={active.bench.source}
                        store={active.store}
                        selection={active.state.selection}
                        speedUp={speedUpOf(active.shown)}
                    />
                )}
            </main>
            {active.shown.execution && (
                <Drawer
                    execution={active.shown.execution}
                    overview={active.bench.overview}
                    store={active.store}
                    state={active.state}
                    open={tablesOpen}
                    which={comparing ? labelOf(active.bench, active.shown) : ""}
                />
            )}
            {help && <Help close={() => setHelp(false)} version={overview.parcast} />}
        </div>
    );
}

interface ControlsProps {
    readonly label: string;
    readonly bench: Bench;
    readonly cpus: number;
    readonly scheduler: string;
    readonly steps: CountSteps;
    readonly change: (change: { cpus?: number; scheduler?: string }) => void;
}

function Controls({ label, bench, cpus, scheduler, steps, change }: ControlsProps) {
    return (
        <div class="controls">
            <CountSlider label={label} cpus={cpus} steps={steps} choose={(next) => change({ cpus: next })} />
            <Choice label={`Scheduler${label === "CPUs" ? "" : " below"}`} options={schedulersOf(bench)} value={scheduler} choose={(next) => change({ scheduler: next })} />
            {bench.offered && <span class="offered" title="The simulator does not run in this browser: only what was computed when the report was written can be shown.">computed counts only</span>}
        </div>
    );
}

function ChartLegend({ bench, comparing, bounded }: { readonly bench: Bench; readonly comparing: boolean; readonly bounded: boolean }) {
    return (
        <span class="chart-legend">
            <span>
                <i class="key-line" /> {comparing ? "above" : "predicted"}
            </span>
            {comparing && (
                <span>
                    <i class="key-line below" /> below
                </span>
            )}
            {bounded && (
                <span>
                    <i class="key-band" /> bounds
                </span>
            )}
            {bench.overview.measured.length > 0 && (
                <span>
                    <i class="key-measured" /> measured
                </span>
            )}
        </span>
    );
}

function firstComparison(workbench: Workbench, state: ViewState): ViewState["compare"] {
    const { b } = workbench.benches;
    if (b) {
        return { source: "b", cpus: Math.min(state.cpus, b.overview.max_cpus), scheduler: b.overview.scheduler };
    }
    const others = workbench.bench("a").overview.cpus.filter((cpus) => cpus < state.cpus);
    return { source: "a", cpus: others[others.length - 1] ?? 1, scheduler: state.scheduler };
}

function speedUps(workbench: Workbench, shown: Shown): SpeedUpAt[] {
    const one = workbench.timeOnOne(shown.side, shown.scheduler);
    return workbench
        .pointsOf(shown.side, shown.scheduler)
        .flatMap(({ cpus, time }) => (one !== null && time !== null && time > 0 ? [{ cpus, speedUp: one / time }] : []));
}

function curvesOf(workbench: Workbench, state: ViewState, store: Store): Curve[] {
    const curve = (side: Side, scheduler: string, cpus: number, label: string, choose: (cpus: number) => void): Curve => ({
        label,
        points: workbench.pointsOf(side, scheduler),
        timeOnOne: workbench.timeOnOne(side, scheduler),
        cpus,
        choose,
    });
    const { compare } = state;
    return [
        curve("a", state.scheduler, state.cpus, "above", (cpus) => store.set({ cpus })),
        ...(compare ? [curve(compare.source, compare.scheduler, compare.cpus, "below", (cpus) => store.set({ compare: { ...compare, cpus } }))] : []),
    ];
}

function exports(title: string, cpus: number, handles: { upper: TimelineHandle | null; lower: TimelineHandle | null }) {
    const name = fileName(title, cpus);
    const timelines = () =>
        [
            [handles.upper, ""],
            [handles.lower, "-below"],
        ] as [TimelineHandle | null, string][];
    return [
        {
            name: "Timeline as SVG",
            act: () => timelines().forEach(([handle, suffix]) => handle && download(`${name}${suffix}.svg`, svgBlob(handle.toSvg()))),
        },
        {
            name: "Timeline as PNG",
            act: () => timelines().forEach(([handle, suffix]) => void handle?.toPng().then((blob) => download(`${name}${suffix}.png`, blob))),
        },
        {
            name: "Speed-up chart as SVG",
            act: () => {
                const svg = document.querySelector<SVGSVGElement>(".chart svg");
                if (svg) {
                    download(`${name}-speed-up.svg`, svgBlob(standalone(svg, getComputedStyle(document.documentElement).getPropertyValue("--surface"))));
                }
            },
        },
    ];
}
