// Columns that several tables have: names, and times.

import { shortText, timeText, wholeText } from "../format.ts";
import type { ColumnOf } from "./table.tsx";

const nameWidth = "minmax(150px, 2fr)";
export const timeWidth = "minmax(76px, 1fr)";

export function timeColumn<Row>(name: string, time: (row: Row) => number, title?: string): ColumnOf<Row> {
    return {
        name,
        width: timeWidth,
        numeric: true,
        ...(title ? { title } : {}),
        key: time,
        show: (row) => (time(row) === 0 ? <span class="zero">0</span> : timeText(time(row))),
    };
}

export function textColumn<Row>(name: string, text: (row: Row) => string, width = nameWidth): ColumnOf<Row> {
    return { name, width, key: (row) => text(row).slice(0, 200), show: (row) => shortText(text(row)), whole: (row) => wholeText(text(row)) };
}
