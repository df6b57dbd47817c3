// Which messages are drawn as arrows? Those of what is selected; all that are in sight where these are few.

import { isOf } from "../communication.ts";
import { none, State, type Execution } from "../execution.ts";
import type { Range, Selection } from "../state.ts";
import { mostFlows, noFlows, type Flow, type Flows } from "./flows.ts";

// Cost: of a selection of more than one message and of none, all messages.
export function messageFlowsOf(execution: Execution, cpusOfRank: number, selection: Selection | null, shown: Range): Flows {
    switch (selection?.kind) {
        case "message":
            return selection.index < execution.messages ? { ...noFlows, drawn: [flowOf(execution, selection.index)], found: 1, kept: "latest" } : noFlows;
        case "interval":
            return selection.index < execution.intervals ? messagesWhere(execution, shown, isOfInterval(execution, selection.index)) : noFlows;
        case undefined:
            return allIfFew(messagesWhere(execution, shown, () => true));
        default:
            return messagesWhere(execution, shown, (message) => isOf(execution, cpusOfRank, message, selection!));
    }
}

// Whether some of it is within a range.
export function isInSight({ messageSent, messageReceived }: Execution, message: number, [begin, end]: Range): boolean {
    return messageSent[message]! <= end && messageReceived[message]! >= begin;
}

// What an interval sends or receives, or waits for.
function isOfInterval(execution: Execution, interval: number): (message: number) => boolean {
    const thread = execution.threadOfInterval(interval);
    const begin = execution.intervalBegin[interval]!;
    const end = execution.intervalEnd(interval);
    const { messageFrom, messageTo, messageSent, messageArrived, messageReceived, intervalState } = execution;
    switch (intervalState[interval]) {
        case State.communicating:
            return (message) =>
                (messageFrom[message] === thread && messageSent[message] === begin) || (messageTo[message] === thread && messageReceived[message] === end);
        case State.blocked:
            return (message) => messageTo[message] === thread && messageArrived[message] === end;
        default:
            return () => false;
    }
}

export function flowOf(execution: Execution, message: number): Flow {
    return {
        from: execution.messageFrom[message]!,
        to: execution.messageTo[message]!,
        time: execution.messageSent[message]!,
        arrival: execution.messageReceived[message]!,
        message,
    };
}

function messagesWhere(execution: Execution, shown: Range, isWanted: (message: number) => boolean): Flows {
    const { messageLate } = execution;
    const kept: number[] = [];
    let least = none;
    let found = 0;
    for (let message = 0; message < execution.messages; ++message) {
        if (!isInSight(execution, message, shown) || !isWanted(message)) {
            continue;
        }
        ++found;
        if (kept.length < mostFlows) {
            kept.push(message);
            least = none;
            continue;
        }
        if (least === none) {
            least = kept.reduce((best, each, place) => (messageLate[each]! < messageLate[kept[best]!]! ? place : best), 0);
        }
        if (messageLate[message]! > messageLate[kept[least]!]!) {
            kept[least] = message;
            least = none;
        }
    }
    const drawn = kept.map((message) => flowOf(execution, message)).sort((a, b) => a.time - b.time);
    return { ...noFlows, drawn, found, kept: "latest" };
}

function allIfFew(flows: Flows): Flows {
    return flows.found <= mostFlows ? flows : { ...flows, drawn: [] };
}
