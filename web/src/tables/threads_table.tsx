// The threads, or tasks, in rows: a list with boxes to choose the lanes.

import { useMemo } from "preact/hooks";
import { none, State, type Execution } from "../execution.ts";
import { countText, counted, shortText } from "../format.ts";
import type { CalmState } from "../hooks.ts";
import { laneWord, type Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { textColumn, timeColumn } from "./columns.tsx";
import { LinkButton } from "./link_button.tsx";
import { threadRows, type ThreadRow } from "./rows.ts";
import { StateBar } from "./state_bar.tsx";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
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

// The kernel tells no more.
const measuredColumns: readonly ColumnOf<ThreadRow>[] = [
    ...threadColumns.filter(({ name }) => ["Thread", "Function", "Start", "End"].includes(name)),
    timeColumn("On a CPU", (row) => row.states[State.running]!, "For its own code or the system's"),
    ...threadColumns.filter(({ name }) => name === "Ready"),
    timeColumn("Waiting", (row) => row.states[State.blocked]!, "The kernel does not tell for what"),
    timeColumn("Uninterruptible", (row) => row.states[State.inputAndOutput]!, "Waiting without being interruptible, mostly for a device"),
    ...threadColumns.filter(({ name }) => name === "States"),
];

// A task is ready or runs, and nothing else.
const taskColumns: readonly ColumnOf<ThreadRow>[] = [
    textColumn("Task", (row) => row.name),
    textColumn("Group", (row) => row.function),
    ...threadColumns.filter(({ name }) => ["Start", "End", "Working", "Ready", "States"].includes(name)),
];

const rankColumns: readonly ColumnOf<ThreadRow>[] = [
    textColumn("Rank", (row) => row.name),
    timeColumn("End", (row) => row.end),
    timeColumn("Computing", (row) => row.states[State.running]!),
    timeColumn("Communicating", (row) => row.states[State.communicating]!, "Its processor sends or receives"),
    timeColumn("Waiting", (row) => row.states[State.blocked]!, "For messages, for receives of its own, or for its interface"),
    { name: "States", width: "minmax(90px, 1.5fr)", show: (row) => <StateBar states={row.states} /> },
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

export function Threads({ execution, overview, store, state }: Props) {
    const rows = useMemo(() => threadRows(execution, overview), [execution, overview]);
    const hidden = useMemo(() => new Set(state.hidden), [state.hidden]);
    const columns = useMemo(() => {
        const show = (thread: number, isShown: boolean) => {
            const others = store.get().hidden.filter((id) => id !== thread);
            store.set({ hidden: isShown ? others : [...others, thread] });
        };
        return [laneColumn(hidden, show), ...(overview.graph ? taskColumns : overview.messages ? rankColumns : overview.measurement ? measuredColumns : threadColumns)];
    }, [hidden, overview, store]);
    const hideAllBut = (shown: number) => store.set({ hidden: rows.map(({ id }) => id).filter((id) => id !== shown), pinned: store.get().pinned.filter((id) => id === shown) });
    const selected = state.selection?.kind === "thread" && state.selection.index < execution.threads ? state.selection.index : none;
    const word = laneWord(overview);
    return (
        <>
            {execution.threads > 1 && (
                <p class="panel-note">
                    {countText(execution.threads - rows.filter(({ id }) => hidden.has(id)).length)} of {counted(execution.threads, word)} are shown:{" "}
                    <LinkButton act={() => store.set({ hidden: [] })}>all</LinkButton>, <LinkButton act={() => hideAllBut(none)}>none</LinkButton>
                    {selected !== none && (
                        <>
                            , <LinkButton act={() => hideAllBut(selected)}>only the selected {word}</LinkButton>
                        </>
                    )}
                </p>
            )}
            <Table
                label={overview.graph ? "Tasks" : overview.messages ? "Ranks" : "Threads"}
                columns={columns}
                rows={rows}
                isSelected={(row) => state.selection?.kind === "thread" && state.selection.index === row.id}
                choose={(row) => store.set({ selection: { kind: "thread", index: row.id } })}
                empty={overview.graph ? "This report has no room for so many tasks: it holds the totals only." : "There are no threads."}
            />
        </>
    );
}
