// The lanes by CPU in rows. A row shows its lane, and the turns of that CPU are in the table of intervals then.

import { useMemo } from "preact/hooks";
import { none, State, type Execution } from "../execution.ts";
import { countText, percentText, shortText, timeText, wholeText } from "../format.ts";
import { useSettled, type CalmState } from "../hooks.ts";
import { cpuLabel, laneWord, noLanesByCpu, threadLabel, type Overview } from "../overview.ts";
import type { Range, Store } from "../state.ts";
import { busyTime, cpuOfInterval, cpuRows, intervalsOfCpu, type CpuRow } from "./cpu_rows.ts";
import { StateBar } from "./state_bar.tsx";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

export function Cpus({ execution, overview, store, state }: Props) {
    const mark = useSettled(store, "mark");
    const range = useSettled(store, "range");
    const within: Range = mark ?? range ?? [0, execution.totals.completion];
    const rows = useMemo(() => cpuRows(execution, within), [execution, within[0], within[1]]);
    const columns = useMemo(() => columnsOf(overview, within[1] - within[0]), [overview, within[0], within[1]]);
    const selected = state.mode === "cpu" && state.selection?.kind === "interval" ? cpuOfInterval(execution, state.selection.index) : none;
    const show = ({ cpu }: CpuRow) => {
        const [first] = intervalsOfCpu(execution, cpu, within, 1);
        store.set({ mode: "cpu", ...(first === undefined ? {} : { selection: { kind: "interval", index: first } }) });
    };
    return (
        <>
            <p class="panel-note">
                {mark ? "The marked interval" : "Visible range"}: {timeText(within[1] - within[0])}. Each turn of a CPU is in the table of intervals, where lanes are by CPU.
            </p>
            <Table
                label="CPUs"
                columns={columns}
                rows={rows}
                isSelected={(row) => row.cpu === selected}
                choose={show}
                empty={
                    execution.totals.intervalsLeftOut
                        ? "This execution has too many intervals for this page."
                        : `${noLanesByCpu(overview)}.`
                }
            />
        </>
    );
}

function columnsOf(overview: Overview, length: number): ColumnOf<CpuRow>[] {
    const time = (name: string, of: (row: CpuRow) => number, title: string): ColumnOf<CpuRow> => ({
        name,
        title,
        width: "minmax(80px, 1fr)",
        numeric: true,
        key: of,
        show: (row) => (of(row) === 0 ? <span class="zero">0</span> : timeText(of(row))),
    });
    const lane = laneWord(overview);
    const longest = (row: CpuRow) => (row.longest === none ? "" : `${threadLabel(overview, row.longest)}`);
    return [
        overview.measurement
            ? { name: "CPU", width: "90px", key: (row) => row.cpu, show: (row) => cpuLabel(overview, row.cpu) }
            : { name: "CPU", width: "60px", numeric: true, key: (row) => row.cpu, show: (row) => row.cpu },
        time("Busy", busyTime, "Time in which it does the program's work"),
        { name: "Share", width: "70px", numeric: true, key: busyTime, show: (row) => percentText(length > 0 ? busyTime(row) / length : 0) },
        ...(overview.graph || overview.measurement ? [] : [time("Switching", (row) => row.states[State.switching]!, "Switching, waking and creating threads")]),
        ...(overview.graph || overview.measurement ? [] : [time("Spinning", (row) => row.states[State.spinning]!, "A thread waits on it")]),
        time("Idle", (row) => row.idle, `No ${lane} is on it`),
        { name: "Turns", width: "minmax(70px, 1fr)", numeric: true, title: `Intervals of ${lane}s on it`, key: (row) => row.turns, show: (row) => countText(row.turns) },
        { name: overview.graph ? "Tasks" : "Threads", width: "70px", numeric: true, title: "That it runs", key: (row) => row.threads, show: (row) => countText(row.threads) },
        {
            name: "Most of it",
            width: "minmax(150px, 2fr)",
            title: `The ${lane} that it runs longest`,
            key: (row) => longest(row).slice(0, 200),
            show: (row) => (row.longest === none ? "" : `${shortText(longest(row), 60)}, ${timeText(row.longestTime)}`),
            whole: (row) => wholeText(longest(row)),
        },
        { name: "States", width: "minmax(90px, 1.5fr)", show: (row) => <StateBar states={row.states} rest={row.idle} /> },
    ];
}
