// The page: what is chosen on top, the answers below it, then the timeline with its details, then the tables.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
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
import type { DifferenceAnswer } from "./difference/difference.ts";
import { labelOf, OverviewSection } from "./first_screen/overview_section.tsx";
import { shortText } from "./format.ts";
import { useWindowSize, useWorkbench, type CalmState } from "./hooks.ts";
import { programTitle } from "./overview.ts";
import { usePlaces, type Place } from "./places.ts";
import { isRecorded } from "./recorded.ts";
import { hitsOf, step } from "./search.ts";
import { chosenBelow, type Comparison, type Selection, type Store } from "./state.ts";
import { Drawer } from "./tables/drawer.tsx";
import type { Scheme } from "./theme/palette.ts";
import type { SchemeChoice } from "./theme/scheme.ts";
import { Timelines } from "./timelines.tsx";
import type { Workbench } from "./workbench.ts";
import type { Shown } from "./wished_execution.ts";

interface Props {
    readonly workbench: Workbench;
    readonly store: Store;
    readonly lowerStore: Store; // of the lower of two executions
    readonly schemes: SchemeChoice;
    readonly difference: DifferenceAnswer | null; // of both programs, if they were compared
}

const tall = 940; // px: a window in which the tables are open at first

export function App({ workbench, store, lowerStore, schemes, difference }: Props) {
    useWorkbench(workbench);
    const places = usePlaces(workbench, store, lowerStore);
    const [upper, lower, active] = places;
    const { state } = upper;
    const [help, setHelp] = useState(false);
    const searchField = useRef<HTMLInputElement>(null);
    const handles = useRef<Handles>({ upper: null, lower: null });
    const { overview } = upper.bench;
    const hits = useMemo(() => hitsOf(overview, state.search), [overview, state.search]);
    const comparing = state.compare !== null;
    const room = useRoom(store, state);
    const scheme = useScheme(schemes);
    const stepHits = (by: 1 | -1) => select(store, step(hits, store.get().selection, by)?.selection);
    useShortcuts({ places, room, stepHits, showHelp: () => setHelp(true), focusSearch: () => searchField.current?.focus() });

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
            <HeaderBelow workbench={workbench} store={store} compare={state.compare} />
            <IgnoredChange workbench={workbench} />
            <Runs workbench={workbench} places={[upper, lower]} />
            <Failure shown={upper.shown} retry={() => workbench.retry()} />
            <Failure shown={lower.shown} retry={() => workbench.retry()} />
            <Answers workbench={workbench} places={comparing ? [upper, lower] : [upper]} room={room} lowerStore={lowerStore} scheme={scheme} difference={difference} />
            <Work workbench={workbench} upper={upper} lower={comparing ? lower : null} active={active} scheme={scheme} handles={handles.current} />
            <Tables workbench={workbench} upper={upper} active={active} open={room.tablesOpen} />
            {help && <Help close={() => setHelp(false)} version={overview.parcast} />}
        </div>
    );
}

// How much of the page the answers and the tables take, and what changes it.
interface Room {
    readonly tablesOpen: boolean;
    readonly isBrief: boolean;
    readonly toggleAnswers: () => void;
    readonly setAsTables: (asTables: boolean) => void;
}

function useRoom(store: Store, state: CalmState): Room {
    const size = useWindowSize();
    const tablesOpen = state.panel === "auto" ? size.height >= tall : state.panel !== "closed";
    const hasRoom = hasRoomForAnswers(size, { timelines: state.compare ? 2 : 1, tablesOpen });
    const isBrief = state.answers === "auto" ? !hasRoom : state.answers === "brief";
    return {
        tablesOpen,
        isBrief,
        toggleAnswers: () => store.set({ answers: isBrief ? "all" : "brief" }),
        setAsTables: (asTables) => store.set({ charts: asTables ? "tables" : "drawn", ...(asTables && isBrief ? { answers: "all" } : {}) }),
    };
}

function select(store: Store, selection: Selection | null | undefined): void {
    if (selection) {
        store.set({ selection });
    }
}

interface Shortcuts {
    readonly places: readonly [upper: Place, lower: Place, active: Place];
    readonly room: Room;
    readonly stepHits: (by: 1 | -1) => void;
    readonly showHelp: () => void;
    readonly focusSearch: () => void;
}

function useShortcuts({ places: [upper, , active], room, stepHits, showHelp, focusSearch }: Shortcuts): void {
    const { store, state } = upper;
    const steps = stepsOf(upper.bench, state.scheduler);
    const stepEvents = (along: Along, by: 1 | -1) => {
        const { execution } = active.shown;
        select(active.store, execution && stepped(execution, active.store.get().selection, along, by));
    };
    useKeys({
        "/": focusSearch,
        "?": showHelp,
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
        t: () => room.setAsTables(state.charts !== "tables"),
        o: room.toggleAnswers,
        Escape: () => active.store.set({ selection: null }),
    });
}

// What is shown below: the program changed, or another execution.
function HeaderBelow({ workbench, store, compare }: { readonly workbench: Workbench; readonly store: Store; readonly compare: Comparison | null }) {
    if (!compare) {
        return null;
    }
    return compare.scenario ? (
        <ChangedHeader workbench={workbench} scenario={compare.scenario} close={() => store.set({ compare: null })} />
    ) : (
        <ComparedHeader workbench={workbench} store={store} compare={compare} />
    );
}

function IgnoredChange({ workbench }: { readonly workbench: Workbench }) {
    return (
        workbench.ignoredChange && (
            <p class="failure" role="alert">
                {shortText(workbench.ignoredChange, 600)}{" "}
                <button type="button" class="link" onClick={() => workbench.forgetIgnored()}>
                    Close
                </button>
            </p>
        )
    );
}

interface AnswersProps {
    readonly workbench: Workbench;
    readonly places: readonly Place[];
    readonly room: Room;
    readonly lowerStore: Store;
    readonly scheme: Scheme;
    readonly difference: DifferenceAnswer | null;
}

function Answers({ workbench, places, room, lowerStore, scheme, difference }: AnswersProps) {
    const { store, state, bench } = places[0]!;
    return room.isBrief ? (
        <Brief workbench={workbench} places={places} showAll={room.toggleAnswers} difference={state.compare?.source === "b" ? difference?.differences[0]?.sentences[0] ?? null : null} />
    ) : (
        <OverviewSection
            workbench={workbench}
            store={store}
            lowerStore={lowerStore}
            state={state}
            maxCpus={stepsOf(bench, state.scheduler).last}
            asTables={state.charts === "tables"}
            setAsTables={room.setAsTables}
            scheme={scheme}
            showLess={room.toggleAnswers}
            difference={difference}
        />
    );
}

interface WorkProps {
    readonly workbench: Workbench;
    readonly upper: Place;
    readonly lower: Place | null;
    readonly active: Place;
    readonly scheme: Scheme;
    readonly handles: Handles;
}

// The timelines, and the details of what is selected.
function Work({ workbench, upper, lower, active, scheme, handles }: WorkProps) {
    const [width, setWidth] = useState<number | null>(null);
    const { execution, scheduler, side } = active.shown;
    return (
        <main class="work" style={width === null ? {} : { "--details-width": `${width}px` }}>
            <Timelines workbench={workbench} upper={upper} lower={lower} scheme={scheme} handles={handles} />
            {execution && (
                <div class="details-side">
                    <SideGrip width={width} setWidth={setWidth} />
                    <Details
                        execution={execution}
                        overview={active.bench.overview}
                        source={active.bench.source}
                        store={active.store}
                        selection={active.state.selection}
                        scheduler={scheduler}
                        speedUp={workbench.speedUpOf(active.shown)}
                        weights={workbench.weightsOf(side)}
                        tryChange={side === "a" && workbench.canChange("a") ? (scenario) => workbench.tryChange(scenario) : null}
                    />
                </div>
            )}
        </main>
    );
}

interface TablesProps {
    readonly workbench: Workbench;
    readonly upper: Place;
    readonly active: Place;
    readonly open: boolean;
}

function Tables({ workbench, upper, active, open }: TablesProps) {
    const { compare } = upper.state;
    const { execution } = active.shown;
    return (
        execution && (
            <Drawer
                workbench={workbench}
                shown={active.shown}
                choose={(cpus) => upper.store.set(active !== upper && compare ? chosenBelow(compare, cpus) : { cpus })}
                execution={execution}
                overview={active.bench.overview}
                store={active.store}
                state={active.state}
                open={open}
                which={compare ? labelOf(active.bench, active.shown) : ""}
            />
        )
    );
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

// For both programs, if there are two.
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
