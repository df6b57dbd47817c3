// Which events does the table show? Those of all threads, of one thread, on one object or at one place, within a range.

import { firstAfter, namesThread, none, State, type Execution } from "../execution.ts";
import { objectOfEvent } from "../details/stepping.ts";
import { objectLabel, siteLabel, threadLabel, type Overview } from "../overview.ts";
import type { Range, Selection } from "../state.ts";

export type Scope = Selection | null; // a thread, an object or a place; null: all threads

export interface EventsFound {
    readonly events: readonly number[]; // in the order of time; of many, the first ones
    readonly total: number;
}

// What a selection narrows the table to; null where it narrows nothing.
export function scopeOf(selection: Selection | null): Scope {
    return selection && (selection.kind === "thread" || selection.kind === "object" || selection.kind === "site") ? selection : null;
}

export function scopeLabel(scope: Scope, overview: Overview): string {
    switch (scope?.kind) {
        case "thread":
            return threadLabel(overview, scope.index);
        case "object":
            return objectLabel(overview, scope.index);
        case "site":
            return siteLabel(overview, scope.index);
        default:
            return "all threads";
    }
}

// Cost: of a thread, what is listed; of all threads that and O(threads * log); on an object all of its events, at a place
// those of the range.
export function eventsIn(execution: Execution, scope: Scope, range: Range, most: number): EventsFound {
    switch (scope?.kind) {
        case "thread":
            return scope.index < execution.threads ? ofThread(execution, scope.index, range, most) : nothing;
        case "object":
            return scope.index < execution.objects ? onObject(execution, scope.index, range, most) : nothing;
        case "site":
            return atSite(execution, scope.index, range, most);
        default:
            return ofAll(execution, range, most);
    }
}

const nothing: EventsFound = { events: [], total: 0 };

type Slice = readonly [first: number, last: number];

// Events of a thread from range[0] on, up to and with range[1].
function sliceOf(execution: Execution, thread: number, [begin, end]: Range): Slice {
    const first = execution.eventFirst[thread]!;
    const last = execution.eventFirst[thread + 1]!;
    let from = firstAfter(execution.eventTime, begin, first, last);
    while (from > first && execution.eventTime[from - 1] === begin) {
        --from;
    }
    return [from, firstAfter(execution.eventTime, end, from, last)];
}

function counting([first, last]: Slice): number[] {
    return Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
}

function ofThread(execution: Execution, thread: number, range: Range, most: number): EventsFound {
    const [first, last] = sliceOf(execution, thread, range);
    return { events: counting([first, Math.min(last, first + most)]), total: last - first };
}

function onObject(execution: Execution, object: number, [begin, end]: Range, most: number): EventsFound {
    const events: number[] = [];
    let total = 0;
    for (let place = execution.objectEventFirst[object]!; place < execution.objectEventFirst[object + 1]!; ++place) {
        const event = execution.objectEvent[place]!;
        const time = execution.eventTime[event]!;
        if (time >= begin && time <= end && ++total <= most) {
            events.push(event);
        }
    }
    return { events, total };
}

function atSite(execution: Execution, site: number, range: Range, most: number): EventsFound {
    const events: number[] = [];
    for (let thread = 0; thread < execution.threads; ++thread) {
        const [first, last] = sliceOf(execution, thread, range);
        for (let event = first; event < last; ++event) {
            if (execution.eventSite[event] === site) {
                events.push(event);
            }
        }
    }
    return { events: inTime(execution, events).slice(0, most), total: events.length };
}

function ofAll(execution: Execution, range: Range, most: number): EventsFound {
    const slices = (end: number) => Array.from({ length: execution.threads }, (_, thread) => sliceOf(execution, thread, [range[0], end]));
    const count = (end: number) => slices(end).reduce((sum, [first, last]) => sum + last - first, 0);
    const total = count(range[1]);
    // If there are too many, those before an instant that leaves no more: sorting them all would take longer than reading them.
    let [low, high] = [range[0], range[1]];
    for (let i = 0; total > most && i < 60; ++i) {
        const middle = (low + high) / 2;
        if (count(middle) > most) {
            high = middle;
        } else {
            low = middle;
        }
    }
    const events = slices(total > most ? low : range[1]).flatMap(counting);
    return { events: inTime(execution, events), total };
}

// Events of one instant stand in the order of their threads.
function inTime(execution: Execution, events: number[]): number[] {
    return events.sort((a, b) => execution.eventTime[a]! - execution.eventTime[b]! || a - b);
}

// What an event is about: its object, or the thread that is created or joined.
export function subjectOf(execution: Execution, overview: Overview, event: number): string {
    const object = objectOfEvent(execution, event);
    if (object !== none) {
        return objectLabel(overview, object);
    }
    const other = execution.eventObject[event]!;
    return namesThread(execution.eventKind[event]!) && other < execution.threads ? threadLabel(overview, other) : "";
}

// How long its thread waits from it on, ns.
export function waitAfter(execution: Execution, event: number): number {
    const interval = execution.intervalAt(execution.threadOfEvent(event), execution.eventTime[event]!);
    if (interval === none) {
        return 0;
    }
    const state = execution.intervalState[interval]!;
    return state >= State.blocked || state === State.spinning ? execution.intervalEnd(interval) - execution.eventTime[event]! : 0;
}
