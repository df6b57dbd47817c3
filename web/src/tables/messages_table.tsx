// The messages in rows: of a rank, of a pair of ranks or of all, within the marked interval or the visible range.

import { useMemo } from "preact/hooks";
import { delayText, isOf, ranksOfPair } from "../communication.ts";
import type { Execution } from "../execution.ts";
import { bytesText, countText, counted, instantsIn, shortText } from "../format.ts";
import { delayNames } from "../generated.ts";
import { useSettled, type CalmState } from "../hooks.ts";
import { threadLabel, type Overview } from "../overview.ts";
import type { Range, Selection, Store } from "../state.ts";
import { isInSight } from "../timeline/message_flows.ts";
import { timeColumn } from "./columns.tsx";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

const mostMessages = 100_000;

export function Messages({ execution, overview, store, state }: Props) {
    const mark = useSettled(store, "mark");
    const range = useSettled(store, "range");
    const within: Range = mark ?? range ?? [0, execution.totals.completion];
    const scope = scopeOf(state.selection);
    const cpusOfRank = overview.messages?.cpusOfRank ?? 1;
    const { rows, total } = useMemo(() => messagesIn(execution, cpusOfRank, scope, within), [execution, cpusOfRank, scope?.kind, scope?.index, within[0], within[1]]);
    const columns = useMemo(() => columnsOf(execution, overview, within), [execution, overview, within[0], within[1]]);
    return (
        <>
            <p class="panel-note">
                {shortText(scopeLabel(execution, overview, scope))}, {mark ? "the marked interval" : "the visible range"}: {counted(total, "message")}
                {total > rows.length ? `, the first ${countText(rows.length)}: zoom in for others` : ""}
            </p>
            <Table
                label="Messages"
                columns={columns}
                rows={rows}
                isSelected={(row) => state.selection?.kind === "message" && state.selection.index === row}
                choose={(row) => store.set({ selection: { kind: "message", index: row } })}
                empty="No messages here."
            />
        </>
    );
}

function scopeOf(selection: Selection | null): Selection | null {
    return selection && (selection.kind === "thread" || selection.kind === "pair") ? selection : null;
}

function scopeLabel(execution: Execution, overview: Overview, scope: Selection | null): string {
    switch (scope?.kind) {
        case "thread":
            return threadLabel(overview, scope.index);
        case "pair": {
            const [from, to] = ranksOfPair(execution, overview.messages!.cpusOfRank, scope.index);
            return `rank ${from} → rank ${to}`;
        }
        default:
            return "all ranks";
    }
}

function messagesIn(execution: Execution, cpusOfRank: number, scope: Selection | null, within: Range): { rows: number[]; total: number } {
    const rows: number[] = [];
    let total = 0;
    for (let message = 0; message < execution.messages; ++message) {
        if (isInSight(execution, message, within) && (!scope || isOf(execution, cpusOfRank, message, scope)) && ++total <= mostMessages) {
            rows.push(message);
        }
    }
    return { rows, total };
}

function columnsOf(execution: Execution, overview: Overview, range: Range): ColumnOf<number>[] {
    const instant = instantsIn(range);
    const time = (name: string, of: Float64Array): ColumnOf<number> => ({ name, width: "110px", numeric: true, key: (i) => of[i]!, show: (i) => instant(of[i]!) });
    const rank = (name: string, of: Uint32Array): ColumnOf<number> => ({ name, width: "minmax(80px, 1fr)", key: (i) => of[i]!, show: (i) => shortText(threadLabel(overview, of[i]!)) });
    return [
        time("Sent", execution.messageSent),
        time("Received", execution.messageReceived),
        rank("From", execution.messageFrom),
        rank("To", execution.messageTo),
        { name: "Size", width: "80px", numeric: true, key: (i) => execution.messageBytes[i]!, show: (i) => bytesText(execution.messageBytes[i]!) },
        { name: "Tag", width: "70px", numeric: true, key: (i) => execution.messageTag[i]!, show: (i) => execution.messageTag[i] },
        timeColumn("Late", (i) => execution.messageLate[i]!, "How long its receiver waited for it, or it for its receiver"),
        {
            name: "Why",
            width: "minmax(150px, 2fr)",
            key: (i) => execution.messageDelay[i]!,
            show: (i) => delayNames[execution.messageDelay[i]!] ?? "",
            whole: (i) => delayText(execution, i),
        },
    ];
}
