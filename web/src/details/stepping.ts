// Which event is next, of this thread or on this object?

import { firstAfter, namesThread, none, type Execution } from "../execution.ts";
import type { Selection } from "../state.ts";

export type Along = "thread" | "object";

export interface Anchor {
    readonly thread: number; // none: of no one thread
    readonly object: number;
    readonly time: number;
    readonly event: number;
}

// Where stepping starts from.
export function anchorOf(execution: Execution, selection: Selection | null): Anchor {
    const anchor = { thread: none, object: none, time: -Infinity, event: none };
    if (!selection) {
        return anchor;
    }
    const { kind, index } = selection;
    if (kind === "thread" && index < execution.threads) {
        return { ...anchor, thread: index };
    }
    if (kind === "object" && index < execution.objects) {
        return { ...anchor, object: index };
    }
    if (kind === "interval" && index < execution.intervals) {
        return { ...anchor, thread: execution.threadOfInterval(index), object: execution.intervalObject[index]!, time: execution.intervalBegin[index]! };
    }
    if (kind === "event" && index < execution.events) {
        return { thread: execution.threadOfEvent(index), object: objectOfEvent(execution, index), time: execution.eventTime[index]!, event: index };
    }
    return anchor;
}

// The object of an event, or none: creation and joins name a thread instead.
export function objectOfEvent(execution: Execution, event: number): number {
    const object = execution.eventObject[event]!;
    return namesThread(execution.eventKind[event]!) || object >= execution.objects ? none : object;
}

// The place at which events of an object begin that are later than `time` (or at it), in the order of time.
function placeAt(execution: Execution, object: number, isBefore: (time: number) => boolean): number {
    let low = execution.objectEventFirst[object]!;
    let high = execution.objectEventFirst[object + 1]!;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (isBefore(execution.eventTime[execution.objectEvent[middle]!]!)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The place of an event among those of its object.
function placeOf(execution: Execution, object: number, event: number): number {
    const time = execution.eventTime[event]!;
    const last = execution.objectEventFirst[object + 1]!;
    let place = placeAt(execution, object, (each) => each < time);
    while (place < last && execution.objectEvent[place] !== event) {
        ++place;
    }
    return place;
}

// The next (1) or previous (-1) event, or null at the end. Without events, the intervals of the thread are stepped.
export function stepped(execution: Execution, selection: Selection | null, along: Along, by: 1 | -1): Selection | null {
    const anchor = anchorOf(execution, selection);
    if (along === "object") {
        return anchor.object === none ? null : onObject(execution, anchor, by);
    }
    if (anchor.thread === none) {
        return null;
    }
    if (execution.events === 0 && selection) {
        return intervalBeside(execution, selection, anchor.thread, by);
    }
    const first = execution.eventFirst[anchor.thread]!;
    const last = execution.eventFirst[anchor.thread + 1]!;
    const after = anchor.event === none ? firstAfter(execution.eventTime, anchor.time, first, last) : anchor.event + 1;
    const next = by === 1 ? after : (anchor.event === none ? after : anchor.event) - 1;
    return next >= first && next < last ? { kind: "event", index: next } : null;
}

function onObject(execution: Execution, anchor: Anchor, by: 1 | -1): Selection | null {
    const first = execution.objectEventFirst[anchor.object]!;
    const last = execution.objectEventFirst[anchor.object + 1]!;
    const after =
        anchor.event === none
            ? placeAt(execution, anchor.object, (time) => time <= anchor.time)
            : placeOf(execution, anchor.object, anchor.event) + 1;
    const next = by === 1 ? after : after - (anchor.event === none ? 1 : 2);
    return next >= first && next < last ? { kind: "event", index: execution.objectEvent[next]! } : null;
}

function intervalBeside(execution: Execution, selection: Selection, thread: number, by: 1 | -1): Selection | null {
    const first = execution.laneFirst[thread]!;
    const last = execution.laneFirst[thread + 1]!;
    const next = selection.kind === "interval" ? selection.index + by : by === 1 ? first : last - 1;
    return next >= first && next < last ? { kind: "interval", index: next } : null;
}
