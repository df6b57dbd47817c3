// What of a view means the same in another execution of the same program? Threads, objects and places keep their
// numbers. Intervals do not; events do, unless work was handed out to other threads. What lies behind the end is gone.

import { none, type Execution } from "./execution.ts";
import type { Range, Selection, ViewState } from "./state.ts";

// `end`: of the scale on which the new execution is shown, ns.
export function carriedOver(state: ViewState, before: Execution, now: Execution, end: number): Partial<ViewState> {
    const within = (times: Range | null) => (times && times[0] < end ? times : null);
    return {
        selection: state.selection && selected(state.selection, before, now),
        range: within(state.range),
        mark: within(state.mark),
        cursors: state.cursors.filter((time) => time <= end),
    };
}

function selected(selection: Selection, before: Execution, now: Execution): Selection | null {
    const { kind, index } = selection;
    if (kind === "interval") {
        return index < before.intervals ? { kind: "thread", index: before.threadOfInterval(index) } : null;
    }
    if (kind === "event" && !isSameEvent(before, now, index)) {
        return index < before.events ? { kind: "thread", index: before.threadOfEvent(index) } : null;
    }
    return selection;
}

function isSameEvent(a: Execution, b: Execution, event: number): boolean {
    return (
        event < a.events &&
        event < b.events &&
        a.threadOfEvent(event) === b.threadOfEvent(event) &&
        a.eventKind[event] === b.eventKind[event] &&
        (a.eventObject[event] ?? none) === b.eventObject[event] &&
        a.eventSite[event] === b.eventSite[event]
    );
}
