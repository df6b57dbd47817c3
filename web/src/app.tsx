// The page: what is chosen on top, the answers below it, then the timeline with its details, then the tables.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { carriedOver } from "./carry_over.ts";
import { Brief } from "./chrome/brief.tsx";
import { stepsOf } from "./chrome/controls.tsx";
import type { Handles } from "./chrome/exports.ts";
import { ChangedHeader, ComparedHeader, Header } from "./chrome/header.tsx";
import { SideGrip } from "./chrome/side_grip.tsx";
import { Help } from "./chrome/help.tsx";
import { hasRoomForAnswers } from "./chrome/room.ts";
import { RunsBar } from "./chrome/runs_bar.tsx";
import { useKeys } from "./chrome/use_keys.ts";
import { Details } from "./details/details.tsx";
import { stepped, type Along } from "./details/stepping.ts";
import { labelOf, OverviewSection } from "./first_screen/overview_section.tsx";
import { shortText } from "./format.ts";
import { useMedia, useStore, useWindowSize, useWorkbench, type CalmState } from "./hooks.ts";
import { programTitle } from "./overview.ts";
import { isRecorded } from "./recorded.ts";
import { hitsOf, step } from "./search.ts";
import { chosenBelow, type Store } from "./state.ts";
import { Drawer } from "./tables/drawer.tsx";
import type { Scheme } from "./theme/palette.ts";
import type { SchemeChoice } from "./theme/scheme.ts";
import type { Lanes } from "./timeline/timeline.ts";
import { TimelineView } from "./timeline_view.tsx";
import { isOld, type Bench, type Shown, type Workbench } from "./workbench.ts";

interface Props {
    readonly workbench: Workbench;
    readonly store: Store;
    readonly lowerStore: Store; // of the lower of two executions
    readonly schemes: SchemeChoice;
}

const tall = 940; // px: a window in which the tables are open at first

// One of the executions on screen, with what is selected in it.
interface Place {
    readonly shown: Shown;
    readonly bench: Bench;
    readonly store: Store;
    readonly state: CalmState;
}

export function App({ workbench, store, lowerStore, schemes }: Props) {
    useWorkbench(workbench);
    const [upper, lower, active] = usePlaces(workbench, store, lowerStore);
    const { state } = upper;
    const scheme = useScheme(schemes);
    const size = useWindowSize();
    const [help, setHelp] = useState(false);
    const [detailsWidth, setDetailsWidth] = useState<number | null>(null);
    const searchField = useRef<HTMLInputElement>(null);
    const handles = useRef<Handles>({ upper: null, lower: null });

    const { overview } = upper.bench;
    const hits = useMemo(() => hitsOf(overview, state.search), [overview, state.search]);
    const comparing = state.compare !== null;
    const tablesOpen = state.panel === "auto" ? size.height >= tall : state.panel !== "closed";
    const hasRoom = hasRoomForAnswers(size, { timelines: comparing ? 2 : 1, tablesOpen });
    const isBrief = state.answers === "auto" ? !hasRoom : state.answers === "brief";
    const toggleAnswers = () => store.set({ answers: isBrief ? "all" : "brief" });
    const setAsTables = (asTables: boolean) => store.set({ charts: asTables ? "tables" : "drawn", ...(asTables && isBrief ? { answers: "all" } : {}) });
    const steps = stepsOf(upper.bench, state.scheduler);
    const stepHits = (by: 1 | -1) => {
        const hit = step(hits, store.get().selection, by);
        if (hit) {
            store.set({ selection: hit.selection });
        }
    };
    const stepEvents = (along: Along, by: 1 | -1) => {
        const { execution } = active.shown;
        const next = execution && stepped(execution, active.store.get().selection, along, by);
        if (next) {
            active.store.set({ selection: next });
        }
    };
    useKeys({
        "/": () => searchField.current?.focus(),
        "?": () => setHelp(true),
        n: () => stepHits(1),
        N: () => stepHits(-1),
        "[": () => stepEvents("thread", -1),
        "]": () => stepEvents("thread", 1),
        "{": () => stepEvents("object", -1),
        "}": () => stepEvents("object", 1),
        ",": () => stepEvents("kind", -1),
        ".": () => stepEvents("kind", 1),
        "(": () => stepEvents("place", -1),
        ")": () => stepEvents("place", 1),
        j: () => stepEvents("arrow", -1),
        k: () => stepEvents("arrow", 1),
        J: () => stepEvents("path", -1),
        K: () => stepEvents("path", 1),
        "<": () => store.set({ cpus: steps.next(state.cpus, -1) }),
        ">": () => store.set({ cpus: steps.next(state.cpus, 1) }),
        t: () => setAsTables(state.charts !== "tables"),
        o: toggleAnswers,
        Escape: () => active.store.set({ selection: null }),
    });

    return (
        <div class={comparing ? "app comparing" : "app"}>
            <Header
                workbench={workbench}
                store={store}
                state={state}
                schemes={schemes}
                hits={hits}
                stepHits={stepHits}
                searchField={searchField}
                handles={handles.current}
                showHelp={() => setHelp(true)}
            />
            {state.compare &&
                (state.compare.scenario ? (
                    <ChangedHeader workbench={workbench} scenario={state.compare.scenario} close={() => store.set({ compare: null })} />
                ) : (
                    <ComparedHeader workbench={workbench} store={store} compare={state.compare} />
                ))}
            {workbench.ignoredChange && (
                <p class="failure" role="alert">
                    {shortText(workbench.ignoredChange, 600)}{" "}
                    <button type="button" class="link" onClick={() => workbench.forgetIgnored()}>
                        Close
                    </button>
                </p>
            )}
            <Runs workbench={workbench} places={[upper, lower]} />
            <Failure shown={upper.shown} retry={() => workbench.retry()} />
            <Failure shown={lower.shown} retry={() => workbench.retry()} />
            {isBrief ? (
                <Brief
                    workbench={workbench}
                    places={comparing ? [upper, lower] : [upper]}
                    showAll={toggleAnswers}
                />
            ) : (
                <OverviewSection
                    workbench={workbench}
                    store={store}
                    lowerStore={lower.store}
                    state={state}
                    maxCpus={steps.last}
                    asTables={state.charts === "tables"}
                    setAsTables={setAsTables}
                    showLess={toggleAnswers}
                />
            )}
            <main class="work" style={detailsWidth === null ? {} : { "--details-width": `${detailsWidth}px` }}>
                <Timelines workbench={workbench} upper={upper} lower={comparing ? lower : null} scheme={scheme} handles={handles.current} />
                {active.shown.execution && (
                    <div class="details-side">
                        <SideGrip width={detailsWidth} setWidth={setDetailsWidth} />
                        <Details
                            execution={active.shown.execution}
                            overview={active.bench.overview}
                            source={active.bench.source}
                            store={active.store}
                            selection={active.state.selection}
                            scheduler={active.shown.scheduler}
                            speedUp={workbench.speedUpOf(active.shown)}
                            weights={workbench.weightsOf(active.shown.side)}
                            tryChange={active.shown.side === "a" && workbench.canChange("a") ? (scenario) => workbench.tryChange(scenario) : null}
                        />
                    </div>
                )}
            </main>
            {active.shown.execution && (
                <Drawer
                    workbench={workbench}
                    shown={active.shown}
                    choose={(cpus) => store.set(active === lower && state.compare ? chosenBelow(state.compare, cpus) : { cpus })}
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

// The upper execution, the lower one of two that are compared, and that of both in which something was selected last:
// the one that details and tables are about.
function usePlaces(workbench: Workbench, store: Store, lowerStore: Store): [upper: Place, lower: Place, active: Place] {
    const state = useStore(store);
    const lowerState = useStore(lowerStore);
    useEffect(() => store.subscribe((next, last) => next.selection !== last.selection && store.set({ about: "upper" })), [store]);
    useEffect(
        () => lowerStore.subscribe((next, last) => next.selection !== last.selection && lowerStore.set({ about: next.selection ? "lower" : "upper" })),
        [lowerStore],
    );
    const upper = { shown: workbench.shown("upper"), bench: workbench.bench("a"), store, state };
    const lower = {
        shown: workbench.shown("lower"),
        bench: workbench.bench(state.compare?.source ?? "a"),
        store: lowerStore,
        state: lowerState,
    };
    useCarriedOver(upper, lower);
    useCarriedOver(lower, upper);
    return [upper, lower, state.about === "lower" && lower.shown.execution ? lower : upper];
}

// When another execution takes the place of one, the view is carried over as far as it means the same in both.
function useCarriedOver({ shown, store }: Place, other: Place): void {
    const last = useRef(shown.execution);
    useLayoutEffect(() => {
        const before = last.current;
        const now = shown.execution;
        last.current = now;
        if (before && now && before !== now) {
            const end = Math.max(now.totals.completion, other.shown.execution?.totals.completion ?? 0);
            store.set(carriedOver(store.get(), before, now, end));
        }
    }, [shown.execution]);
}

function useScheme(schemes: SchemeChoice): Scheme {
    const [scheme, setScheme] = useState(schemes.scheme);
    useEffect(() => schemes.subscribe(setScheme), [schemes]);
    return scheme;
}

function Failure({ shown, retry }: { readonly shown: Shown; readonly retry: () => void }) {
    return (
        shown.error && (
            <p class="failure" role="alert">
                {shortText(shown.error, 600)}{" "}
                <button type="button" class="link" onClick={retry}>
                    Try again
                </button>
            </p>
        )
    );
}

// Of both programs, if there are two.
function Runs({ workbench, places }: { readonly workbench: Workbench; readonly places: readonly Place[] }) {
    return (["a", "b"] as const).map((side) => {
        const runs = workbench.progressOf(side);
        const isRecordedShown = places.some(({ shown }) => shown.execution && shown.side === side && isRecorded(shown));
        return (
            runs && (
                <RunsBar
                    key={side}
                    overview={workbench.bench(side).overview}
                    progress={runs.progress}
                    isRecordedShown={isRecordedShown}
                    which={workbench.benches.b ? shortText(programTitle(workbench.bench(side).overview), 30) : ""}
                    command={runs.command}
                />
            )
        );
    });
}

function lanesOf(place: Place | undefined): Lanes | null {
    const execution = place?.shown.execution;
    return execution ? { execution, overview: place.bench.overview } : null;
}

interface TimelinesProps {
    readonly workbench: Workbench;
    readonly upper: Place;
    readonly lower: Place | null;
    readonly scheme: Scheme;
    readonly handles: Handles;
}

// One above the other, on one scale: that of the longer one.
function Timelines({ workbench, upper, lower, scheme, handles }: TimelinesProps) {
    const reducedMotion = useMedia("(prefers-reduced-motion: reduce)");
    const places = [upper, lower].filter((place) => place !== null);
    const whole = Math.max(1, ...places.map((place) => place.shown.execution?.totals.completion ?? 0));
    return (
        <div class="timelines">
            {!upper.shown.execution && !upper.shown.error && <p class="empty">The timeline is being made …</p>}
            {places.map(
                ({ shown, bench, store }, i) =>
                    shown.execution && [
                        lower && (
                            <div key={`strip ${i}`} class="strip">
                                {labelOf(bench, shown)}
                            </div>
                        ),
                        <TimelineView
                            key={`timeline ${i}`}
                            label={i === 0 ? "Timeline" : "Timeline below"}
                            stale={isOld(shown)}
                            execution={shown.execution}
                            overview={bench.overview}
                            store={store}
                            scheme={scheme}
                            whole={whole}
                            beside={lanesOf(places[1 - i])}
                            reducedMotion={reducedMotion}
                            weights={workbench.operationWeightsOf(shown)}
                            handle={(handle) => {
                                handles[i === 0 ? "upper" : "lower"] = handle;
                            }}
                        />,
                    ],
            )}
        </div>
    );
}
