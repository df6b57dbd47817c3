// How many threads run, are ready and wait, in equal slices of the visible range.

import { useMemo } from "preact/hooks";
import type { Execution } from "../execution.ts";
import { instantText } from "../format.ts";
import { useSettled } from "../hooks.ts";
import type { Range, Store } from "../state.ts";
import { parallelismRows, type ParallelismRow } from "./rows.ts";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly store: Store;
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
    { name: "Waiting: least – mean – most", width: "minmax(190px, 1fr)", numeric: true, key: (row) => row.waiting[1], show: (row) => spreadText(row.waiting) },
];

export function Parallelism({ execution, store }: Props) {
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
