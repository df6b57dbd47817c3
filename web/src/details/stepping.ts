// What is next: the event of this thread, on this object, of this kind or at this place; along the arrows or along the
// critical path?

import { firstAfter, namesThread, none, type Execution } from "../execution.ts";
import type { Selection } from "../state.ts";

export type Along = "thread" | "object" | "kind" | "place" | "arrow" | "path";

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
    switch (along) {
        case "object":
            return anchor.object === none ? null : onObject(execution, anchor, by);
        case "kind":
            return anchor.event === none ? null : similarEvent(execution, execution.eventKind, execution.eventKind[anchor.event]!, anchor, by);
        case "place": {
            const site = siteOf(execution, selection);
            return site === none ? null : similarEvent(execution, execution.eventSite, site, anchor, by);
        }
        case "arrow":
            return alongArrow(execution, selection, anchor, by);
        case "path":
            return alongPath(execution, selection, anchor, by);
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

function siteOf(execution: Execution, selection: Selection | null): number {
    switch (selection?.kind) {
        case "site":
            return selection.index;
        case "event":
            return selection.index < execution.events ? execution.eventSite[selection.index]! : none;
        case "interval":
            return selection.index < execution.intervals ? execution.intervalSite[selection.index]! : none;
        default:
            return none;
    }
}

// The nearest event of any thread before or behind the anchor that has this value; of one instant, by their numbers.
// Cost: the events between.
function similarEvent(execution: Execution, values: ArrayLike<number>, value: number, { time, event }: Anchor, by: 1 | -1): Selection | null {
    const { eventFirst, eventTime, threads } = execution;
    const isBeyond = (each: number) => {
        const distance = by * (eventTime[each]! - time);
        return distance > 0 || (distance === 0 && event !== none && by * (each - event) > 0);
    };
    let best: number = none;
    for (let thread = 0; thread < threads; ++thread) {
        const first = eventFirst[thread]!;
        const last = eventFirst[thread + 1]!;
        const after = firstAfter(eventTime, time, first, last);
        // Events of the same instant stand before `after`.
        let each = by === 1 ? after : after - 1;
        while (by === 1 && each > first && eventTime[each - 1] === time) {
            --each;
        }
        for (; each >= first && each < last; each += by) {
            const isNoBetter = best !== none && by * (eventTime[each]! - eventTime[best]!) > 0;
            if (isNoBetter) {
                break;
            }
            const isNearer = best === none || by * (eventTime[best]! - eventTime[each]!) > 0 || (eventTime[best] === eventTime[each] && by * (best - each) > 0);
            if (values[each] === value && isBeyond(each) && isNearer) {
                best = each;
                break;
            }
        }
    }
    return best === none ? null : { kind: "event", index: best };
}

function intervalOf(execution: Execution, selection: Selection | null, { thread, time }: Anchor): number {
    if (selection?.kind === "interval" && selection.index < execution.intervals) {
        return selection.index;
    }
    return thread === none || time === -Infinity ? none : execution.intervalAt(thread, time);
}

const mostLookedAt = 4_000_000; // intervals, for who was released

// Back to the thread that released this one last; on to the one that this one releases next.
function alongArrow(execution: Execution, selection: Selection | null, anchor: Anchor, by: 1 | -1): Selection | null {
    const at = intervalOf(execution, selection, anchor);
    if (at === none) {
        return null;
    }
    const { intervalReleaser, laneFirst, threads } = execution;
    const thread = execution.threadOfInterval(at);
    if (by === -1) {
        for (let wait = at; wait >= laneFirst[thread]!; --wait) {
            const releaser = intervalReleaser[wait]!;
            if (releaser < threads && releaser !== thread) {
                return intervalBefore(execution, releaser, execution.intervalEnd(wait));
            }
        }
        return null;
    }
    if (execution.intervals > mostLookedAt) {
        return null;
    }
    const from = execution.intervalBegin[at]!;
    let nearest = { wait: none as number, end: Infinity };
    for (let other = 0; other < threads; ++other) {
        const last = laneFirst[other + 1]!;
        for (let wait = Math.max(laneFirst[other]!, firstAfter(execution.intervalBegin, from, laneFirst[other]!, last) - 1); wait < last; ++wait) {
            if (execution.intervalBegin[wait]! >= nearest.end) {
                break;
            }
            if (intervalReleaser[wait] === thread && other !== thread) {
                const end = wait + 1 < last ? execution.intervalBegin[wait + 1]! : execution.laneEnd[other]!;
                if (end > from && end < nearest.end) {
                    nearest = { wait, end };
                }
            }
        }
    }
    if (nearest.wait === none) {
        return null;
    }
    const released = execution.threadOfInterval(nearest.wait);
    return { kind: "interval", index: nearest.wait + 1 < laneFirst[released + 1]! ? nearest.wait + 1 : nearest.wait };
}

// What a thread did just before an instant.
function intervalBefore(execution: Execution, thread: number, time: number): Selection {
    const first = execution.laneFirst[thread]!;
    const last = execution.laneFirst[thread + 1]!;
    const after = firstAfter(execution.intervalBegin, time, first, last) - 1;
    const interval = after > first && execution.intervalBegin[after] === time ? after - 1 : after;
    return interval < first ? { kind: "thread", index: thread } : { kind: "interval", index: interval };
}

// The piece of the path on which an interval lies: the first one, or the last; none: it is on none.
function pieceOf(execution: Execution, interval: number, by: 1 | -1): number {
    const { pathBegin, pathEnd, pathThread } = execution;
    const thread = execution.threadOfInterval(interval);
    const begin = execution.intervalBegin[interval]!;
    const end = execution.intervalEnd(interval);
    let found: number = none;
    for (let piece = firstAfter(pathEnd, begin, 0, pathEnd.length); piece < pathBegin.length && pathBegin[piece]! < end; ++piece) {
        if (pathThread[piece] === thread) {
            found = piece;
            if (by === -1) {
                break;
            }
        }
    }
    return found;
}

// To the piece of the critical path before or behind the one that is selected, or that is there at this instant.
function alongPath(execution: Execution, selection: Selection | null, anchor: Anchor, by: 1 | -1): Selection | null {
    const { pathBegin, pathThread, threadCreated } = execution;
    const pieces = pathThread.length;
    if (pieces === 0) {
        return null;
    }
    const time = selection?.kind === "thread" && selection.index < execution.threads ? threadCreated[selection.index]! : anchor.time;
    const here = firstAfter(pathBegin, time, 0, pieces) - 1;
    const isOnIt = here >= 0 && pathThread[here] === anchor.thread;
    const interval = intervalOf(execution, selection, anchor);
    const piece = interval === none ? none : pieceOf(execution, interval, by);
    const next = piece !== none ? piece + by : by === 1 ? here + 1 : isOnIt ? here - 1 : here;
    if (next < 0 || next >= pieces) {
        return null;
    }
    const thread = pathThread[next]!;
    const begun = execution.intervalAt(thread, pathBegin[next]!);
    return begun === none ? { kind: "thread", index: thread } : { kind: "interval", index: begun };
}
