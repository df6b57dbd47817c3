// A table of any length: only the rows in sight are in the page. Sorted by a click on a heading, walked through with
// the arrow keys, a row chosen with Enter.

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useSize } from "../hooks.ts";

export interface ColumnOf<Row> {
    readonly name: string;
    readonly width: string; // of the grid: "90px", "minmax(160px, 2fr)"
    readonly numeric?: boolean;
    readonly rises?: boolean; // a first click puts the least on top, also of numbers
    readonly title?: string; // what the heading means
    readonly key?: (row: Row) => number | string; // to sort by; without: not sorted by it
    readonly show: (row: Row) => ComponentChildren;
    readonly whole?: (row: Row) => string; // the tooltip
}

interface Props<Row> {
    readonly label: string;
    readonly columns: readonly ColumnOf<Row>[];
    readonly rows: readonly Row[];
    readonly sortedBy?: string; // name of the column at first, falling if it is numeric
    readonly isSelected: (row: Row) => boolean;
    readonly choose: (row: Row) => void;
    readonly empty: string;
    readonly shown?: (rows: readonly Row[]) => void; // hears of the order
}

const rowHeight = 24;
const columnGap = 12;
const spare = 6; // rows drawn beyond the visible range

export function Table<Row>({ label, columns, rows, sortedBy, isSelected, choose, empty, shown }: Props<Row>) {
    const [sort, setSort] = useState<{ name: string; falling: boolean } | null>(() => firstSort(columns, sortedBy));
    const sorted = useMemo(() => sortedRows(rows, columns, sort), [rows, columns, sort]);
    const [attach, { height }] = useSize<HTMLDivElement>();
    const scroller = useRef<HTMLDivElement | null>(null);
    const attachBoth = useCallback((element: HTMLDivElement | null) => {
        scroller.current = element;
        attach(element);
    }, []);
    const [top, setTop] = useState(0);
    const [focused, setFocused] = useState(0);
    const current = Math.min(focused, Math.max(0, sorted.length - 1));
    const first = Math.max(0, Math.floor(top / rowHeight) - spare);
    const last = Math.min(sorted.length, Math.ceil((top + height) / rowHeight) + spare);
    const least = columns.reduce((sum, column) => sum + Number(/\d+/.exec(column.width)?.[0] ?? 0) + columnGap, 2 * columnGap);
    const template = columns.map((column) => column.width).join(" ");

    const selectedAt = sorted.findIndex(isSelected);
    useEffect(() => {
        if (selectedAt >= 0) {
            setFocused(selectedAt);
            reveal(scroller.current, selectedAt);
        }
    }, [selectedAt]);

    useEffect(() => shown?.(sorted), [sorted]);

    const walk = (event: KeyboardEvent) => {
        const page = Math.max(1, Math.floor(height / rowHeight) - 2);
        const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -sorted.length, End: sorted.length };
        const step = steps[event.key];
        if (event.target !== event.currentTarget) {
            return; // a heading
        }
        if (event.ctrlKey || event.metaKey || event.altKey || sorted.length === 0) {
            return;
        }
        if (step !== undefined) {
            const next = Math.min(sorted.length - 1, Math.max(0, current + step));
            setFocused(next);
            reveal(scroller.current, next);
        } else if (event.key === "Enter" || event.key === " ") {
            choose(sorted[current]!);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    };

    if (rows.length === 0) {
        return <p class="empty">{empty}</p>;
    }
    const id = label.replace(/\W+/g, "-").toLowerCase();
    return (
        <div
            class="table"
            role="grid"
            aria-label={label}
            aria-rowcount={sorted.length + 1}
            aria-colcount={columns.length}
            aria-activedescendant={`${id}-${current}`}
            tabIndex={0}
            ref={attachBoth}
            onKeyDown={walk}
            onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        >
            <div class="table-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, minWidth: `${least}px` }}>
                {columns.map((column) => (
                    <Heading key={column.name} column={column} sort={sort} setSort={setSort} />
                ))}
            </div>
            <div
                class="table-body"
                role="rowgroup"
                style={{ height: `${sorted.length * rowHeight}px`, minWidth: `${least}px` }}
            >
                {sorted.slice(first, last).map((row, i) => {
                    const at = first + i;
                    return (
                        <div
                            key={at}
                            id={`${id}-${at}`}
                            class={at === current ? "table-row current" : "table-row"}
                            role="row"
                            aria-rowindex={at + 2}
                            aria-selected={isSelected(row)}
                            style={{ gridTemplateColumns: template, top: `${at * rowHeight}px` }}
                            onClick={() => {
                                setFocused(at);
                                choose(row);
                            }}
                        >
                            {columns.map((column) => (
                                <span key={column.name} role="gridcell" class={column.numeric ? "number" : ""} title={column.whole?.(row)}>
                                    {column.show(row)}
                                </span>
                            ))}
                        </div>
                    );
                })}
            </div>
        </div>
    );
}

type Sort = { name: string; falling: boolean } | null;

function Heading<Row>({ column, sort, setSort }: { readonly column: ColumnOf<Row>; readonly sort: Sort; readonly setSort: (sort: Sort) => void }) {
    const falling = sort?.name === column.name ? sort.falling : null;
    return (
        <span
            role="columnheader"
            class={column.numeric ? "number" : ""}
            aria-sort={falling === null ? "none" : falling ? "descending" : "ascending"}
        >
            {column.key ? (
                <button
                    type="button"
                    title={column.title}
                    onClick={() => setSort({ name: column.name, falling: falling === null ? column.numeric === true && !column.rises : !falling })}
                >
                    {column.name}
                    <span class="sort-mark" aria-hidden="true">
                        {falling === null ? "" : falling ? "▾" : "▴"}
                    </span>
                </button>
            ) : (
                column.name
            )}
        </span>
    );
}

function firstSort<Row>(columns: readonly ColumnOf<Row>[], name: string | undefined): Sort {
    const column = columns.find((each) => each.name === name);
    return column ? { name: column.name, falling: column.numeric === true } : null;
}

export function sortedRows<Row>(rows: readonly Row[], columns: readonly ColumnOf<Row>[], sort: Sort): readonly Row[] {
    const key = columns.find((column) => column.name === sort?.name)?.key;
    if (!sort || !key) {
        return rows;
    }
    const way = sort.falling ? -1 : 1;
    return rows
        .map((row, i) => ({ row, i, key: key(row) }))
        .sort((a, b) => way * compare(a.key, b.key) || a.i - b.i)
        .map(({ row }) => row);
}

function compare(a: number | string, b: number | string): number {
    return typeof a === "string" && typeof b === "string" ? a.localeCompare(b, "en", { numeric: true }) : Number(a) - Number(b);
}

function reveal(scroller: HTMLElement | null, row: number): void {
    if (!scroller) {
        return;
    }
    const top = row * rowHeight;
    const room = scroller.clientHeight - 2 * rowHeight; // the heading stays on top
    if (top < scroller.scrollTop) {
        scroller.scrollTop = top;
    } else if (top > scroller.scrollTop + room) {
        scroller.scrollTop = top - room;
    }
}
