// What each thread does within the marked interval, in sums.

import { useMemo } from "preact/hooks";
import { none, State, type Execution } from "../execution.ts";
import { instantText, percentText, timeText } from "../format.ts";
import { useSettled, type CalmState } from "../hooks.ts";
import { laneWord, stateLabel, type Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { textColumn, timeColumn, timeWidth } from "./columns.tsx";
import { LinkButton } from "./link_button.tsx";
import { markedRows, type MarkedRow } from "./rows.ts";
import { StateBar } from "./state_bar.tsx";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

export function Marked({ execution, overview, store, state }: Props) {
    const mark = useSettled(store, "mark");
    const rows = useMemo(() => (mark ? markedRows(execution, overview, mark) : []), [execution, overview, mark?.[0], mark?.[1]]);
    const length = mark ? mark[1] - mark[0] : 0;
    const columns = useMemo(() => markedColumns(overview, length), [overview, length]);
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
                <LinkButton act={() => store.zoomTo(mark)}>Zoom to it</LinkButton> <LinkButton act={() => store.set({ mark: null })}>Clear</LinkButton>
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

function capitalized(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

function markedColumns(overview: Overview, length: number): ColumnOf<MarkedRow>[] {
    const order = overview.messages
        ? [State.running, State.communicating, State.blocked]
        : overview.measurement
          ? [State.running, State.ready, State.blocked, State.inputAndOutput]
          : [State.running, State.ready, State.blocked, State.inputAndOutput, State.sleeping, State.spinning, State.switching];
    return [
        textColumn(capitalized(laneWord(overview)), (row) => row.name),
        ...order.map((state) => timeColumn<MarkedRow>(capitalized(stateLabel(overview, state)), (row) => row.states[state]!)),
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
