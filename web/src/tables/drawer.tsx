// The same in rows: threads, objects, functions, intervals, events, CPUs, parallelism, the critical path, and the totals of
// the marked interval.

import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { awaitedThread } from "../awaited.ts";
import { none, noCpu, State, type Execution } from "../execution.ts";
import { countText, counted, instantsIn, instantText, percentText, shortText, timeText, wholeText } from "../format.ts";
import { laneWord, objectLabel, siteLabel, stateLabel, threadLabel, type Overview } from "../overview.ts";
import { useSettled, type CalmState } from "../hooks.ts";
import { panels, type Panel, type Range, type Store } from "../state.ts";
import { stateLabels, stateVariables } from "../theme/palette.ts";
import { cpuOfEvent } from "../timeline/cpu_events.ts";
import {
    functionRows,
    intervalsOf,
    markedRows,
    objectRows,
    parallelismRows,
    pathRows,
    threadRows,
    type FunctionRow,
    type MarkedRow,
    type ObjectRow,
    type ParallelismRow,
    type PathRow,
    type ThreadRow,
} from "./rows.ts";
import { aboutWaited } from "../waits.ts";
import type { Shown, Workbench } from "../workbench.ts";
import { cpuOfInterval, intervalsOfCpu } from "./cpu_rows.ts";
import { ChangeTab } from "../changes/change_tab.tsx";
import { FlameTab } from "../flame/flame_tab.tsx";
import { Cpus } from "./cpus_table.tsx";
import { Events } from "./events_table.tsx";
import { PathTable } from "./path_table.tsx";
import { StateBar } from "./state_bar.tsx";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown;
    readonly choose: (cpus: number) => void; // another count for this execution
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
    readonly open: boolean;
    readonly which: string; // of two that are compared
}

const panelNames: Readonly<Record<Panel, string>> = {
    threads: "Threads",
    objects: "Objects",
    functions: "Functions",
    intervals: "Intervals",
    events: "Events",
    cpus: "CPUs",
    parallelism: "Parallelism",
    change: "What to change",
    flame: "Flame graph",
    path: "Critical path",
    pieces: "Path by piece",
    marked: "Marked interval",
};

// Tasks use no objects, and have no events of their own; what is worth a change in them stands on the critical path.
const graphPanels: readonly Panel[] = panels.filter((panel) => panel !== "objects" && panel !== "events" && panel !== "change" && panel !== "flame");
const threadPanels: readonly Panel[] = panels.filter((panel) => panel !== "path");
const graphPanelNames: Readonly<Record<Panel, string>> = { ...panelNames, threads: "Tasks", functions: "Groups" };

export function Drawer(props: Props) {
    const { execution, state, store, open, which, overview } = props;
    const names = overview.graph ? graphPanelNames : panelNames;
    const offered = overview.graph ? graphPanels : threadPanels;
    const panel = offered.find((each) => each === state.panel) ?? "threads";
    const tabs = useRef<HTMLDivElement>(null);
    const [height, setHeight] = useState<number | null>(null);
    const count: Partial<Record<Panel, number>> = { threads: execution.threads, objects: execution.objects };
    // A click on the open tab closes the tables; a key that chooses it leaves them open.
    const choose = (next: Panel, isKey: boolean) => store.set({ panel: open && next === panel && !isKey ? "closed" : next });
    const walk = (event: KeyboardEvent) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by !== 0) {
            event.preventDefault();
            event.stopPropagation();
            const next = offered[(offered.indexOf(panel) + by + offered.length) % offered.length]!;
            store.set({ panel: next });
            tabs.current?.querySelector<HTMLElement>(`[data-panel="${next}"]`)?.focus();
        }
    };
    return (
        <section class={open ? "drawer open" : "drawer"} aria-label="Tables" style={open && height !== null ? { height: `${height}px` } : {}}>
            {open && <Grip height={height} setHeight={setHeight} />}
            <div class="tabs">
                <div role="tablist" aria-label="Tables" ref={tabs} onKeyDown={walk}>
                    {offered.map((each) => (
                        <button
                            key={each}
                            type="button"
                            role="tab"
                            data-panel={each}
                            aria-selected={open && each === panel}
                            tabIndex={each === panel ? 0 : -1}
                            onClick={(event) => choose(each, event.detail === 0)}
                        >
                            {names[each]}
                            {count[each] !== undefined && <span class="tab-count">{countText(count[each])}</span>}
                        </button>
                    ))}
                </div>
                <span class="tabs-note">{which}</span>
                <button type="button" class="quiet" aria-expanded={open} onClick={() => store.set({ panel: open ? "closed" : panel })}>
                    {open ? "Hide tables" : "Show tables"}
                </button>
            </div>
            {open && (
                <div class="panel" role="tabpanel" aria-label={names[panel]} key={panel}>
                    <PanelBody {...props} panel={panel} />
                </div>
            )}
        </section>
    );
}

const leastHeight = 110;
const heightStep = 32;

// The edge between timeline and tables, to drag or to move with the arrow keys.
function Grip({ height, setHeight }: { readonly height: number | null; readonly setHeight: (height: number) => void }) {
    const bounded = (wish: number) => Math.round(Math.min(window.innerHeight * 0.75, Math.max(leastHeight, wish)));
    return (
        <div
            class="grip"
            role="separator"
            aria-orientation="horizontal"
            aria-label="Height of the tables"
            aria-valuenow={height ?? 240}
            aria-valuemin={leastHeight}
            aria-valuemax={Math.round(window.innerHeight * 0.75)}
            tabIndex={0}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
                if (event.currentTarget.hasPointerCapture(event.pointerId)) {
                    setHeight(bounded(event.currentTarget.parentElement!.getBoundingClientRect().bottom - event.clientY));
                }
            }}
            onKeyDown={(event) => {
                const by = event.key === "ArrowUp" ? heightStep : event.key === "ArrowDown" ? -heightStep : 0;
                if (by !== 0) {
                    event.preventDefault();
                    event.stopPropagation();
                    setHeight(bounded(event.currentTarget.parentElement!.clientHeight + by));
                }
            }}
        />
    );
}

function PanelBody(props: Props & { readonly panel: Panel }) {
    switch (props.panel) {
        case "threads":
            return <Threads {...props} />;
        case "objects":
            return <Objects {...props} />;
        case "functions":
            return <Functions {...props} />;
        case "intervals":
            return <Intervals {...props} />;
        case "events":
            return <Events {...props} />;
        case "cpus":
            return <Cpus {...props} />;
        case "parallelism":
            return <Parallelism {...props} />;
        case "change":
            return <ChangeTab {...props} />;
        case "flame":
            return <FlameTab {...props} />;
        case "path":
            return <PathTable {...props} />;
        case "pieces":
            return <PathPieces {...props} />;
        case "marked":
            return <Marked {...props} />;
    }
}

const nameWidth = "minmax(150px, 2fr)";
const timeWidth = "minmax(76px, 1fr)";

function timeColumn<Row>(name: string, time: (row: Row) => number, title?: string): ColumnOf<Row> {
    return {
        name,
        width: timeWidth,
        numeric: true,
        ...(title ? { title } : {}),
        key: time,
        show: (row) => (time(row) === 0 ? <span class="zero">0</span> : timeText(time(row))),
    };
}

function textColumn<Row>(name: string, text: (row: Row) => string, width = nameWidth): ColumnOf<Row> {
    return { name, width, key: (row) => text(row).slice(0, 200), show: (row) => shortText(text(row)), whole: (row) => wholeText(text(row)) };
}

const threadColumns: readonly ColumnOf<ThreadRow>[] = [
    textColumn("Thread", (row) => row.name),
    textColumn("Function", (row) => row.function),
    timeColumn("Start", (row) => row.start),
    timeColumn("End", (row) => row.end),
    timeColumn("Working", (row) => row.states[State.running]!, "Time on a CPU, doing the program's work"),
    timeColumn("Ready", (row) => row.states[State.ready]!, "Time in which it could run, but was not on a CPU (yet)"),
    timeColumn("Waiting", (row) => row.states[State.blocked]!, "Time waiting for objects and threads"),
    timeColumn("I/O", (row) => row.states[State.inputAndOutput]!),
    timeColumn("Sleeping", (row) => row.states[State.sleeping]!),
    timeColumn("Spinning", (row) => row.states[State.spinning]!, "Time on a CPU, waiting"),
    { name: "States", width: "minmax(90px, 1.5fr)", show: (row) => <StateBar states={row.states} /> },
];

// A task is ready or runs, and nothing else.
const taskColumns: readonly ColumnOf<ThreadRow>[] = [
    textColumn("Task", (row) => row.name),
    textColumn("Group", (row) => row.function),
    ...threadColumns.filter(({ name }) => ["Start", "End", "Working", "Ready", "States"].includes(name)),
];

// A box that shows or hides the lane of a thread.
function laneColumn(hidden: ReadonlySet<number>, show: (thread: number, isShown: boolean) => void): ColumnOf<ThreadRow> {
    return {
        name: "Lane",
        width: "44px",
        title: "Whether it has a lane in the timeline",
        key: ({ id }) => (hidden.has(id) ? 1 : 0),
        show: ({ id, name }) => (
            <input
                type="checkbox"
                checked={!hidden.has(id)}
                aria-label={`Lane of ${shortText(name, 60)}`}
                onClick={(event) => event.stopPropagation()}
                onKeyDown={(event) => event.stopPropagation()}
                onChange={(event) => show(id, event.currentTarget.checked)}
            />
        ),
    };
}

// A list with boxes to choose the lanes.
function Threads({ execution, overview, store, state }: Props) {
    const rows = useMemo(() => threadRows(execution, overview), [execution, overview]);
    const hidden = useMemo(() => new Set(state.hidden), [state.hidden]);
    const columns = useMemo(() => {
        const show = (thread: number, isShown: boolean) => {
            const others = store.get().hidden.filter((id) => id !== thread);
            store.set({ hidden: isShown ? others : [...others, thread] });
        };
        return [laneColumn(hidden, show), ...(overview.graph ? taskColumns : threadColumns)];
    }, [hidden, overview, store]);
    const hideAllBut = (shown: number) => store.set({ hidden: rows.map(({ id }) => id).filter((id) => id !== shown), pinned: store.get().pinned.filter((id) => id === shown) });
    const selected = state.selection?.kind === "thread" && state.selection.index < execution.threads ? state.selection.index : none;
    const word = laneWord(overview);
    return (
        <>
            {execution.threads > 1 && (
                <p class="panel-note">
                    {countText(execution.threads - rows.filter(({ id }) => hidden.has(id)).length)} of {counted(execution.threads, word)} are shown:{" "}
                    <Button act={() => store.set({ hidden: [] })}>all</Button>, <Button act={() => hideAllBut(none)}>none</Button>
                    {selected !== none && (
                        <>
                            , <Button act={() => hideAllBut(selected)}>only the selected {word}</Button>
                        </>
                    )}
                </p>
            )}
            <Table
                label={overview.graph ? "Tasks" : "Threads"}
                columns={columns}
                rows={rows}
                isSelected={(row) => state.selection?.kind === "thread" && state.selection.index === row.id}
                choose={(row) => store.set({ selection: { kind: "thread", index: row.id } })}
                empty={overview.graph ? "This report has no room for so many tasks: it holds the totals only." : "There are no threads."}
            />
        </>
    );
}

const objectColumns: readonly ColumnOf<ObjectRow>[] = [
    textColumn("Object", (row) => row.name),
    textColumn("Kind", (row) => row.kind, "minmax(90px, 1fr)"),
    { name: "Operations", width: timeWidth, numeric: true, key: (row) => row.operations, show: (row) => countText(row.operations) },
    { name: "Waited", width: timeWidth, numeric: true, title: aboutWaited, key: (row) => row.blocked, show: (row) => countText(row.blocked) },
    timeColumn("Waiting", (row) => row.waiting, "Sum over the threads that waited for it"),
    timeColumn("CPUs idle", (row) => row.idle, "Idle processor time that is charged to waiting for it"),
    timeColumn("Spinning", (row) => row.spinning),
    textColumn("First used", (row) => row.place),
];

function Objects({ execution, overview, store, state }: Props) {
    const rows = useMemo(() => objectRows(execution, overview), [execution, overview]);
    return (
        <Table
            label="Objects"
            columns={objectColumns}
            rows={rows}
            sortedBy="Waiting"
            isSelected={(row) => state.selection?.kind === "object" && state.selection.index === row.id}
            choose={(row) => store.set({ selection: { kind: "object", index: row.id } })}
            empty="No locks, conditions, semaphores, barriers or descriptors were recorded."
        />
    );
}

const functionColumns: readonly ColumnOf<FunctionRow>[] = [
    textColumn("Function", (row) => row.name),
    { name: "Threads", width: timeWidth, numeric: true, title: "Threads that begin with it", key: (row) => row.threads, show: (row) => (row.threads === 0 ? <span class="zero">0</span> : countText(row.threads)) },
    timeColumn("Their work", (row) => row.working, "CPU time of the threads that begin with it"),
    { name: "Calls", width: timeWidth, numeric: true, title: "Operations that it calls", key: (row) => row.operations, show: (row) => (row.operations === 0 ? <span class="zero">0</span> : countText(row.operations)) },
    timeColumn("Waiting", (row) => row.waiting, "Waiting, sleeping, input and output in its calls"),
    timeColumn("Spinning", (row) => row.spinning, "Waiting on a CPU in its calls"),
];

const groupColumns: readonly ColumnOf<FunctionRow>[] = [
    textColumn("Group", (row) => row.name),
    { name: "Tasks", width: timeWidth, numeric: true, key: (row) => row.threads, show: (row) => countText(row.threads) },
    timeColumn("Their work", (row) => row.working),
];

function Functions({ execution, overview, store, state }: Props) {
    const rows = useMemo(() => functionRows(execution, overview), [execution, overview]);
    const selection = state.selection;
    const isSelected = (row: FunctionRow) =>
        (selection?.kind === "site" && row.site === selection.index && row.site !== none) ||
        (selection?.kind === "thread" && row.thread === selection.index && row.site === none);
    return (
        <Table
            label={overview.graph ? "Groups" : "Functions"}
            columns={overview.graph ? groupColumns : functionColumns}
            rows={rows}
            sortedBy={overview.graph ? "Their work" : "Waiting"}
            isSelected={isSelected}
            choose={(row) => store.set({ selection: row.site !== none ? { kind: "site", index: row.site } : { kind: "thread", index: row.thread } })}
            empty="No functions are known."
        />
    );
}

const mostIntervals = 100_000;

// Of a thread, or of a CPU where the lanes are by CPU.
function Intervals({ execution, overview, store, state }: Props) {
    const byCpu = state.mode === "cpu" && execution.cpus > 0;
    const lane = byCpu ? cpuSelected(execution, state) : threadSelected(execution, state);
    const range: Range = useSettled(store, "range") ?? [0, execution.totals.completion];
    const rows = useMemo(() => (byCpu ? intervalsOfCpu : intervalsOf)(execution, lane, range, mostIntervals), [execution, byCpu, lane, range[0], range[1]]);
    const columns = useMemo(() => intervalColumns(execution, overview, byCpu, range), [execution, overview, byCpu, range[0], range[1]]);
    return (
        <>
            <p class="panel-note">
                {byCpu ? `CPU ${lane}` : shortText(threadLabel(overview, lane))}, the visible range: {counted(rows.length, "interval")}
                {rows.length === mostIntervals ? ", the first ones: zoom in for others" : ""}
            </p>
            <Table
                label="Intervals"
                columns={columns}
                rows={rows}
                isSelected={(row) => state.selection?.kind === "interval" && state.selection.index === row}
                choose={(row) => store.set({ selection: { kind: "interval", index: row } })}
                empty={`This ${byCpu ? "CPU" : "thread"} does nothing in the visible range.`}
            />
        </>
    );
}

function cpuSelected(execution: Execution, { selection }: CalmState): number {
    const cpu =
        selection?.kind === "interval"
            ? cpuOfInterval(execution, selection.index)
            : selection?.kind === "event" && selection.index < execution.events
              ? cpuOfEvent(execution, selection.index)
              : none;
    return cpu === none ? 0 : cpu;
}

function threadSelected(execution: Execution, state: CalmState): number {
    const selection = state.selection;
    switch (selection?.kind) {
        case "thread":
            return Math.min(selection.index, execution.threads - 1);
        case "interval":
            return selection.index < execution.intervals ? execution.threadOfInterval(selection.index) : 0;
        case "event":
            return selection.index < execution.events ? execution.threadOfEvent(selection.index) : 0;
        default:
            return 0;
    }
}

function intervalColumns(execution: Execution, overview: Overview, byCpu: boolean, range: Range): ColumnOf<number>[] {
    const instant = instantsIn(range);
    const length = (i: number) => execution.intervalEnd(i) - execution.intervalBegin[i]!;
    const state = (i: number) => execution.intervalState[i]!;
    return [
        { name: "Begin", width: "110px", numeric: true, key: (i) => execution.intervalBegin[i]!, show: (i) => instant(execution.intervalBegin[i]!) },
        timeColumn("Duration", length),
        {
            name: "State",
            width: "110px",
            key: (i) => stateLabel(overview, state(i)),
            show: (i) => (
                <>
                    <span class={`swatch fill-${stateVariables[state(i)]}`} aria-hidden="true" /> {stateLabel(overview, state(i))}
                </>
            ),
        },
        byCpu ? textColumn(overview.graph ? "Task" : "Thread", (i) => threadLabel(overview, execution.threadOfInterval(i))) : cpuColumn(execution),
        ...(overview.graph ? [] : waitColumns(execution, overview)),
    ];
}

function waitColumns(execution: Execution, overview: Overview): ColumnOf<number>[] {
    return [
        textColumn("For", (i) => (execution.intervalObject[i] === none ? awaitedLabel(execution, overview, i) : objectLabel(overview, execution.intervalObject[i]!))),
        textColumn("Released by", (i) => (execution.intervalReleaser[i] === none ? "" : threadLabel(overview, execution.intervalReleaser[i]!))),
        textColumn("Place", (i) => (execution.intervalSite[i] === none ? "" : siteLabel(overview, execution.intervalSite[i]!))),
    ];
}

function awaitedLabel(execution: Execution, overview: Overview, interval: number): string {
    const awaited = awaitedThread(execution, interval);
    return awaited ? threadLabel(overview, awaited.thread) : "";
}

function cpuColumn(execution: Execution): ColumnOf<number> {
    return {
        name: "CPU",
        width: "60px",
        numeric: true,
        key: (i) => execution.intervalCpu[i]!,
        show: (i) => (execution.intervalCpu[i] === noCpu ? "" : execution.intervalCpu[i]),
    };
}

const slices = 50;

function spreadText([min, mean, max]: readonly [number, number, number]): string {
    const digits = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
    return `${digits(min)} – ${digits(mean)} – ${digits(max)}`;
}

const parallelismColumns: readonly ColumnOf<ParallelismRow>[] = [
    { name: "From", width: "120px", numeric: true, key: (row) => row.from, show: (row) => instantText(row.from) },
    { name: "To", width: "120px", numeric: true, key: (row) => row.to, show: (row) => instantText(row.to) },
    { name: "Running: least – mean – most", width: "minmax(190px, 1fr)", numeric: true, key: (row) => row.running[1], show: (row) => spreadText(row.running) },
    { name: "Ready: least – mean – most", width: "minmax(190px, 1fr)", numeric: true, key: (row) => row.ready[1], show: (row) => spreadText(row.ready) },
];

function Parallelism({ execution, store }: Props) {
    const mark = useSettled(store, "mark");
    const range: Range = useSettled(store, "range") ?? [0, execution.totals.completion];
    const rows = useMemo(() => parallelismRows(execution, range, slices), [execution, range[0], range[1]]);
    return (
        <Table
            label="Parallelism over time"
            columns={parallelismColumns}
            rows={rows}
            isSelected={(row) => mark !== null && mark[0] === row.from && mark[1] === row.to}
            choose={(row) => store.set({ mark: [row.from, row.to] })}
            empty="The visible range is empty."
        />
    );
}

const mostPieces = 100_000;

const pathColumns: readonly ColumnOf<PathRow>[] = [
    { name: "Begin", width: "120px", numeric: true, key: (row) => row.begin, show: (row) => instantText(row.begin) },
    timeColumn("Duration", (row) => row.end - row.begin),
    textColumn("Thread", (row) => row.name),
];

function PathPieces({ execution, overview, store }: Props) {
    const rows = useMemo(() => pathRows(execution, overview, mostPieces), [execution, overview]);
    const mark = useSettled(store, "mark");
    return (
        <Table
            label="Path by piece"
            columns={pathColumns}
            rows={rows}
            isSelected={(row) => mark !== null && mark[0] === row.begin && mark[1] === row.end}
            choose={(row) => store.set({ selection: { kind: "thread", index: row.thread }, mark: [row.begin, row.end] })}
            empty="There is no critical path: the run does not end, or its timeline was left out."
        />
    );
}

function Marked({ execution, overview, store, state }: Props) {
    const mark = useSettled(store, "mark");
    const rows = useMemo(() => (mark ? markedRows(execution, overview, mark) : []), [execution, overview, mark?.[0], mark?.[1]]);
    const length = mark ? mark[1] - mark[0] : 0;
    const columns = useMemo(() => markedColumns(length), [length]);
    if (!mark) {
        return (
            <p class="empty">
                Nothing is marked. Drag over the time axis, or{" "}
                <button type="button" class="link" onClick={() => store.set({ mark: store.get().range ?? [0, execution.totals.completion] })}>
                    mark the visible range
                </button>
                .
            </p>
        );
    }
    return (
        <>
            <p class="panel-note">
                {instantText(mark[0])} to {instantText(mark[1])}: {timeText(length)}, {percentText(length / Math.max(1, execution.totals.completion))} of the run.{" "}
                <Button act={() => store.zoomTo(mark)}>Zoom to it</Button> <Button act={() => store.set({ mark: null })}>Clear</Button>
            </p>
            <Table
                label="Marked interval"
                columns={columns}
                rows={rows}
                isSelected={(row) => state.selection?.kind === "thread" && state.selection.index === row.thread}
                choose={(row) => row.thread !== none && store.set({ selection: { kind: "thread", index: row.thread } })}
                empty="No thread exists in this interval."
            />
        </>
    );
}

function Button({ act, children }: { readonly act: () => void; readonly children: ComponentChildren }) {
    return (
        <button type="button" class="link" onClick={act}>
            {children}
        </button>
    );
}

function capitalized(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

function markedColumns(length: number): ColumnOf<MarkedRow>[] {
    const order = [State.running, State.ready, State.blocked, State.inputAndOutput, State.sleeping, State.spinning, State.switching];
    return [
        textColumn("Thread", (row) => row.name),
        ...order.map((state) => timeColumn<MarkedRow>(capitalized(stateLabels[state]!), (row) => row.states[state]!)),
        {
            name: "Running share",
            width: timeWidth,
            numeric: true,
            title: "Share of the marked interval; for all threads together: the mean number of running threads",
            key: (row) => row.states[State.running]!,
            show: (row) => (row.thread === none ? `${(row.states[State.running]! / length).toFixed(2)} threads` : percentText(row.states[State.running]! / length)),
        },
        { name: "States", width: "minmax(90px, 1.5fr)", show: (row) => <StateBar states={row.states} /> },
    ];
}
