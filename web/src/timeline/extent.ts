// From when to when is there something of what is selected? That is what a zoom to it frames. Cost: for an object or a
// place a pass over intervals and events, for a pair of ranks one over messages.

import { isOf } from "../communication.ts";
import type { Execution } from "../execution.ts";
import type { Range, Selection } from "../state.ts";

// Null where there is nothing of it in the execution.
export function extentOf(execution: Execution, cpusOfRank: number, { kind, index }: Selection): Range | null {
    switch (kind) {
        case "interval":
            return index < execution.intervals ? [execution.intervalBegin[index]!, execution.intervalEnd(index)] : null;
        case "event":
            return index < execution.events ? [execution.eventTime[index]!, execution.eventTime[index]!] : null;
        case "thread":
            return index < execution.threads ? [execution.threadCreated[index]!, execution.threadEnded[index]!] : null;
        case "object":
            return ofUses(execution, execution.intervalObject, objectEventsOf(execution, index), index);
        case "site":
            return ofUses(execution, execution.intervalSite, eventsAt(execution, index), index);
        case "message":
            return index < execution.messages ? [execution.messageSent[index]!, execution.messageReceived[index]!] : null;
        case "pair":
            return ofMessages(execution, cpusOfRank, { kind, index });
    }
}

function ofMessages(execution: Execution, cpusOfRank: number, pair: Selection): Range | null {
    let [begin, end] = [Infinity, -Infinity];
    for (let message = 0; message < execution.messages; ++message) {
        if (isOf(execution, cpusOfRank, message, pair)) {
            begin = Math.min(begin, execution.messageSent[message]!);
            end = Math.max(end, execution.messageReceived[message]!);
        }
    }
    return begin <= end ? [begin, end] : null;
}

function ofUses(execution: Execution, column: Uint32Array, uses: Range | null, id: number): Range | null {
    let [begin, end] = uses ?? [Infinity, -Infinity];
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = execution.laneFirst[thread + 1]!;
        for (let interval = execution.laneFirst[thread]!; interval < last; ++interval) {
            if (column[interval] === id) {
                begin = Math.min(begin, execution.intervalBegin[interval]!);
                end = Math.max(end, interval + 1 < last ? execution.intervalBegin[interval + 1]! : execution.laneEnd[thread]!);
            }
        }
    }
    return begin <= end ? [begin, end] : null;
}

// Events of an object lie in the order of time.
function objectEventsOf(execution: Execution, object: number): Range | null {
    if (object >= execution.objects) {
        return null;
    }
    const first = execution.objectEventFirst[object]!;
    const last = execution.objectEventFirst[object + 1]!;
    return first < last ? [execution.eventTime[execution.objectEvent[first]!]!, execution.eventTime[execution.objectEvent[last - 1]!]!] : null;
}

function eventsAt(execution: Execution, site: number): Range | null {
    let [begin, end] = [Infinity, -Infinity];
    for (let event = 0; event < execution.events; ++event) {
        if (execution.eventSite[event] === site) {
            begin = Math.min(begin, execution.eventTime[event]!);
            end = Math.max(end, execution.eventTime[event]!);
        }
    }
    return begin <= end ? [begin, end] : null;
}
