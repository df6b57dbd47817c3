// The events of the lanes in rows: within the marked interval, or the visible range.

import { useEffect, useMemo, useState } from "preact/hooks";
import { none, type Execution } from "../execution.ts";
import { operationNames } from "../generated.ts";
import { countText, counted, instantsIn, shortText, timeText, wholeText } from "../format.ts";
import { useSettled, type CalmState } from "../hooks.ts";
import { siteLabel, threadLabel, type Overview } from "../overview.ts";
import type { Range, Selection, Store } from "../state.ts";
import { cpuOfEvent } from "../timeline/cpu_events.ts";
import { eventsIn, scopeLabel, scopeOf, subjectOf, waitAfter, type Scope } from "./event_rows.ts";
import { Table, type ColumnOf } from "./table.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

const mostEvents = 100_000;

export function Events({ execution, overview, store, state }: Props) {
    const [scope, setScope] = useScope(state.selection);
    const mark = useSettled(store, "mark");
    const range = useSettled(store, "range");
    const within: Range = mark ?? range ?? [0, execution.totals.completion];
    const { events, total } = useMemo(() => eventsIn(execution, scope, within, mostEvents), [execution, scope, within[0], within[1]]);
    const columns = useMemo(() => columnsOf(execution, overview, range ?? [0, execution.totals.completion]), [execution, overview, range]);
    if (execution.totals.eventsLeftOut) {
        return <p class="empty">This execution has too many events for this page: intervals are shown, single events are not.</p>;
    }
    return (
        <>
            <p class="panel-note">
                {shortText(scopeLabel(scope, overview))}, {mark ? "the marked interval" : "the visible range"}: {counted(total, "event")}
                {events.length < total ? `, of which the first ${countText(events.length)} are here: zoom in or mark an interval for others` : ""}
                {scope && (
                    <>
                        {" · "}
                        <button type="button" class="link" onClick={() => setScope(null)}>
                            all threads
                        </button>
                    </>
                )}
            </p>
            <Table
                label="Events"
                columns={columns}
                rows={events}
                isSelected={(row) => state.selection?.kind === "event" && state.selection.index === row}
                choose={(row) => store.set({ selection: { kind: "event", index: row } })}
                empty={mark ? "Nothing happens in the marked interval." : "Nothing happens in the visible range."}
            />
        </>
    );
}

// Follows a thread, an object or a place that is selected; while events and intervals are stepped through it stays.
function useScope(selection: Selection | null): [scope: Scope, set: (scope: Scope) => void] {
    const [scope, setScope] = useState(scopeOf(selection));
    useEffect(() => {
        if (scopeOf(selection) || !selection) {
            setScope(scopeOf(selection));
        }
    }, [selection]);
    return [scope, setScope];
}

function columnsOf(execution: Execution, overview: Overview, range: Range): ColumnOf<number>[] {
    const text = (name: string, of: (event: number) => string, width: string): ColumnOf<number> => ({
        name,
        width,
        key: (event) => of(event).slice(0, 200),
        show: (event) => shortText(of(event)),
        whole: (event) => wholeText(of(event)),
    });
    const instant = instantsIn(range);
    const cpu = (event: number) => cpuOfEvent(execution, event);
    return [
        { name: "At", width: "110px", numeric: true, key: (event) => execution.eventTime[event]!, show: (event) => instant(execution.eventTime[event]!) },
        text("Thread", (event) => threadLabel(overview, execution.threadOfEvent(event)), "minmax(130px, 2fr)"),
        text("Event", (event) => operationNames[execution.eventKind[event]!] ?? "event", "minmax(110px, 1fr)"),
        text("On", (event) => subjectOf(execution, overview, event), "minmax(130px, 2fr)"),
        {
            name: "Waits",
            width: "minmax(76px, 1fr)",
            numeric: true,
            title: "How long its thread waits from here",
            key: (event) => waitAfter(execution, event),
            show: (event) => (waitAfter(execution, event) === 0 ? <span class="zero">0</span> : timeText(waitAfter(execution, event))),
        },
        { name: "CPU", width: "60px", numeric: true, key: cpu, show: (event) => (cpu(event) === none ? "" : cpu(event)) },
        text("Place", (event) => (execution.eventSite[event] === none ? "" : siteLabel(overview, execution.eventSite[event]!)), "minmax(150px, 2fr)"),
    ];
}
