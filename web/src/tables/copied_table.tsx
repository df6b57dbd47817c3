// A table under its name, which sorts by a click on a heading and is copied as it is sorted, with tabs between exact
// numbers, for a sheet or a script.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { CopyButton } from "../chrome/copy_button.tsx";
import { Table, type ColumnOf } from "./table.tsx";

interface Props<Row> {
    readonly title: string;
    readonly label: string; // of the grid
    readonly columns: readonly ColumnOf<Row>[];
    readonly rows: readonly Row[];
    readonly text?: (rows: readonly Row[]) => string; // what is copied; without: the columns by which it sorts
    readonly isSelected?: (row: Row) => boolean;
    readonly choose?: (row: Row) => void;
    readonly most?: number; // rows before it scrolls
    readonly empty?: string;
    readonly children?: ComponentChildren; // beside the title
}

const headHeight = 26;
const rowHeight = 24;
const scrollBar = 14;

export function CopiedTable<Row>({ title, label, columns, rows, text, isSelected, choose, most = 16, empty = "Nothing.", children }: Props<Row>) {
    const order = useRef<readonly Row[]>(rows);
    return (
        <section class="card tuning-points" aria-label={label}>
            <div class="tuning-head">
                <h2>{title}</h2>
                <CopyButton name="Copy table" text={() => (text ?? ((all) => textOf(columns, all)))(order.current)} />
                {children}
            </div>
            <div class="tuning-table" style={{ height: `${headHeight + rowHeight * Math.min(most, rows.length) + scrollBar}px` }}>
                <Table label={label} columns={columns} rows={rows} isSelected={isSelected ?? (() => false)} choose={choose ?? (() => undefined)} shown={(rows) => (order.current = rows)} empty={empty} />
            </div>
        </section>
    );
}

// A line a row. A number that is not there is an empty field.
export function textOf<Row>(columns: readonly ColumnOf<Row>[], rows: readonly Row[]): string {
    const copied = columns.filter((column) => column.key);
    const field = (value: number | string) => (typeof value === "number" && !Number.isFinite(value) ? "" : String(value));
    const lines = rows.map((row) => copied.map((column) => field(column.key!(row))));
    return [copied.map((column) => column.name), ...lines].map((line) => line.join("\t")).join("\n") + "\n";
}
