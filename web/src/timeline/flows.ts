// Who released whom? The arrows that belong to what is selected.

import { firstAfter, none, type Execution } from "../execution.ts";
import type { Selection } from "../state.ts";

export interface Flow {
    readonly from: number; // thread
    readonly to: number;
    readonly time: number; // of the release
    readonly arrival?: number; // where the arrow points to, if it is later
}

const mostFlows = 64;
const mostLookedAt = 4096; // intervals of a thread

export function flowsOf(execution: Execution, selection: Selection | null): Flow[] {
    if (selection?.kind === "interval" && selection.index < execution.intervals) {
        const thread = execution.threadOfInterval(selection.index);
        const begin = execution.intervalBegin[selection.index]!;
        const end = execution.intervalEnd(selection.index);
        return [...flowInto(execution, thread, selection.index), ...flowsFrom(execution, thread, begin, end)];
    }
    if (selection?.kind === "event" && selection.index < execution.events) {
        return flowsOfEvent(execution, selection.index);
    }
    return [];
}

// An event releases until the next of its thread; one that waits is released at the end of its wait.
function flowsOfEvent(execution: Execution, event: number): Flow[] {
    const thread = execution.threadOfEvent(event);
    const time = execution.eventTime[event]!;
    const next = event + 1 < execution.eventFirst[thread + 1]! ? execution.eventTime[event + 1]! : Infinity;
    const object = execution.eventObject[event]!;
    const out = flowsFrom(execution, thread, time, next).filter((flow) => {
        const waited = intervalEndingAt(execution, flow.to, flow.time);
        return waited !== none && (execution.intervalObject[waited] === object || execution.intervalObject[waited] === none);
    });
    const interval = execution.intervalAt(thread, time);
    return interval === none ? out : [...flowInto(execution, thread, interval), ...out];
}

function flowInto(execution: Execution, thread: number, interval: number): Flow[] {
    const from = execution.intervalReleaser[interval]!;
    return from < execution.threads && from !== thread ? [{ from, to: thread, time: execution.intervalEnd(interval) }] : [];
}

function intervalEndingAt(execution: Execution, thread: number, time: number): number {
    const first = execution.laneFirst[thread]!;
    const after = firstAfter(execution.intervalBegin, time, first, execution.laneFirst[thread + 1]!);
    return after >= first + 2 ? after - 2 : none;
}

// Waits of all others that this thread ended in [begin, end].
function flowsFrom(execution: Execution, thread: number, begin: number, end: number): Flow[] {
    const flows: Flow[] = [];
    for (let other = 0; other < execution.threads && flows.length < mostFlows; ++other) {
        const first = execution.laneFirst[other]!;
        const last = execution.laneFirst[other + 1]!;
        if (other === thread || first === last) {
            continue;
        }
        const from = Math.max(first, firstAfter(execution.intervalBegin, begin, first, last) - 1);
        for (let i = from; i < Math.min(last, from + mostLookedAt) && flows.length < mostFlows; ++i) {
            const ends = i + 1 < last ? execution.intervalBegin[i + 1]! : execution.laneEnd[other]!;
            if (ends > end) {
                break;
            }
            if (execution.intervalReleaser[i] === thread && ends >= begin) {
                flows.push({ from: thread, to: other, time: ends });
            }
        }
    }
    return flows;
}
