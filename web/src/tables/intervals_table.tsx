// What a thread does, one interval a row; where the lanes are by CPU, what a CPU does.

import { useMemo } from "preact/hooks";
import { awaitedThread } from "../awaited.ts";
import { none, noCpu, type Execution } from "../execution.ts";
import { counted, instantsIn, shortText } from "../format.ts";
import { useSettled, type CalmState } from "../hooks.ts";
import { cpuLabel, cpuNumber, objectLabel, siteLabel, stateLabel, threadLabel, type Overview } from "../overview.ts";
import type { Range, Store } from "../state.ts";
import { stateVariables } from "../theme/palette.ts";
import { cpuOfEvent } from "../timeline/cpu_events.ts";
import { textColumn, timeColumn } from "./columns.tsx";
import { cpuOfInterval, intervalsOfCpu } from "./cpu_rows.ts";
import { intervalsOf } from "./rows.ts";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

const mostIntervals = 100_000;

export function Intervals({ execution, overview, store, state }: Props) {
    const byCpu = state.mode === "cpu" && execution.cpus > 0;
    const lane = byCpu ? cpuSelected(execution, state) : threadSelected(execution, state);
    const range: Range = useSettled(store, "range") ?? [0, execution.totals.completion];
    const rows = useMemo(() => (byCpu ? intervalsOfCpu : intervalsOf)(execution, lane, range, mostIntervals), [execution, byCpu, lane, range[0], range[1]]);
    const columns = useMemo(() => intervalColumns(execution, overview, byCpu, range), [execution, overview, byCpu, range[0], range[1]]);
    return (
        <>
            <p class="panel-note">
                {byCpu ? cpuLabel(overview, lane) : shortText(threadLabel(overview, lane))}, the visible range: {counted(rows.length, "interval")}
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
        ...(overview.messages ? [] : [byCpu ? textColumn<number>(overview.graph ? "Task" : "Thread", (i) => threadLabel(overview, execution.threadOfInterval(i))) : cpuColumn(execution, overview)]),
        ...(overview.graph || overview.measurement ? [] : waitColumns(execution, overview).slice(0, overview.messages ? 2 : undefined)),
    ];
}

function waitColumns(execution: Execution, overview: Overview): ColumnOf<number>[] {
    return [
        textColumn("For", (i) => (execution.intervalObject[i] === none ? awaitedLabel(execution, overview, i) : objectLabel(overview, execution.intervalObject[i]!))),
        textColumn(overview.messages ? "Ended by" : "Released by", (i) => (execution.intervalReleaser[i] === none ? "" : threadLabel(overview, execution.intervalReleaser[i]!))),
        textColumn("Place", (i) => (execution.intervalSite[i] === none ? "" : siteLabel(overview, execution.intervalSite[i]!))),
    ];
}

function awaitedLabel(execution: Execution, overview: Overview, interval: number): string {
    const awaited = awaitedThread(execution, interval);
    return awaited ? threadLabel(overview, awaited.thread) : "";
}

function cpuColumn(execution: Execution, overview: Overview): ColumnOf<number> {
    return {
        name: "CPU",
        width: "60px",
        numeric: true,
        key: (i) => execution.intervalCpu[i]!,
        show: (i) => (execution.intervalCpu[i] === noCpu ? "" : cpuNumber(overview, execution.intervalCpu[i]!)),
    };
}
