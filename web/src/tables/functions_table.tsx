// Functions, or groups of tasks, in rows.

import { useMemo } from "preact/hooks";
import { none, type Execution } from "../execution.ts";
import { countText } from "../format.ts";
import type { CalmState } from "../hooks.ts";
import type { Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { textColumn, timeColumn, timeWidth } from "./columns.tsx";
import { functionRows, type FunctionRow } from "./rows.ts";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
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

export function Functions({ execution, overview, store, state }: Props) {
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
