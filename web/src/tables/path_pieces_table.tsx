// The critical path, one piece a row.

import { useMemo } from "preact/hooks";
import type { Execution } from "../execution.ts";
import { instantText } from "../format.ts";
import { useSettled } from "../hooks.ts";
import type { Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { textColumn, timeColumn } from "./columns.tsx";
import { pathRows, type PathRow } from "./rows.ts";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
}

const mostPieces = 100_000;

const pathColumns: readonly ColumnOf<PathRow>[] = [
    { name: "Begin", width: "120px", numeric: true, key: (row) => row.begin, show: (row) => instantText(row.begin) },
    timeColumn("Duration", (row) => row.end - row.begin),
    textColumn("Thread", (row) => row.name),
];

export function PathPieces({ execution, overview, store }: Props) {
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
