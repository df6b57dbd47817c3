// The objects in rows: how often and how long they were waited for.

import { useMemo } from "preact/hooks";
import type { Execution } from "../execution.ts";
import { countText } from "../format.ts";
import type { CalmState } from "../hooks.ts";
import type { Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { aboutWaited } from "../waits.ts";
import { textColumn, timeColumn, timeWidth } from "./columns.tsx";
import { objectRows, type ObjectRow } from "./rows.ts";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

const objectColumns: readonly ColumnOf<ObjectRow>[] = [
    textColumn("Object", (row) => row.name),
    textColumn("Kind", (row) => row.kind, "minmax(90px, 1fr)"),
    { name: "Operations", width: timeWidth, numeric: true, key: (row) => row.operations, show: (row) => countText(row.operations) },
    { name: "Waited", width: timeWidth, numeric: true, title: aboutWaited, key: (row) => row.blocked, show: (row) => countText(row.blocked) },
    timeColumn("Waiting", (row) => row.waiting, "Sum over the threads that waited for it"),
    timeColumn("CPUs idle", (row) => row.idle, "Idle processor time that is charged to waiting for it"),
    timeColumn("Spinning", (row) => row.spinning),
    textColumn("First used", (row) => row.place),
];

const waitColumns: readonly ColumnOf<ObjectRow>[] = [textColumn("Ranks wait for", (row) => row.name), timeColumn("Waiting", (row) => row.waiting, "Sum over the ranks")];

export function Objects({ execution, overview, store, state }: Props) {
    const rows = useMemo(() => objectRows(execution, overview), [execution, overview]);
    return (
        <Table
            label="Objects"
            columns={overview.messages ? waitColumns : objectColumns}
            rows={rows}
            sortedBy="Waiting"
            isSelected={(row) => state.selection?.kind === "object" && state.selection.index === row.id}
            choose={(row) => store.set({ selection: { kind: "object", index: row.id } })}
            empty="No locks, conditions, semaphores, barriers or descriptors were recorded."
        />
    );
}
