// Who sends how much to whom, and what became late of it? Sums over the messages of an execution.

import type { Execution } from "./execution.ts";
import { delayTexts } from "./generated.ts";
import { timeText } from "./format.ts";
import type { Selection } from "./state.ts";

export interface PairSum {
    readonly from: number; // ranks
    readonly to: number;
    readonly messages: number;
    readonly bytes: number;
    readonly late: number; // ns that its receivers waited
}

export interface Communication {
    readonly ranks: number;
    readonly pairs: readonly PairSum[]; // most bytes first
    readonly messages: number;
    readonly bytes: number;
}

// Reasons for which a receiver waits; of the others it is the message that does.
const receiverWaits = (delay: number) => delay >= 1 && delay <= 4;

const known = new WeakMap<Execution, Communication>();

// Cost: the messages, once for an execution.
export function communicationOf(execution: Execution, cpusOfRank: number): Communication {
    const before = known.get(execution);
    if (before) {
        return before;
    }
    const { messageFrom, messageTo, messageBytes, messageLate, messageDelay } = execution;
    const ranks = Math.max(1, Math.round(execution.threads / cpusOfRank));
    const sums = new Map<number, { messages: number; bytes: number; late: number }>();
    let bytes = 0;
    for (let message = 0; message < execution.messages; ++message) {
        const key = Math.floor(messageFrom[message]! / cpusOfRank) * ranks + Math.floor(messageTo[message]! / cpusOfRank);
        let sum = sums.get(key);
        if (!sum) {
            sums.set(key, (sum = { messages: 0, bytes: 0, late: 0 }));
        }
        ++sum.messages;
        sum.bytes += messageBytes[message]!;
        sum.late += receiverWaits(messageDelay[message]!) ? messageLate[message]! : 0;
        bytes += messageBytes[message]!;
    }
    const pairs = [...sums].map(([key, sum]) => ({ from: Math.floor(key / ranks), to: key % ranks, ...sum })).sort((a, b) => b.bytes - a.bytes || a.from - b.from || a.to - b.to);
    const found = { ranks, pairs, messages: execution.messages, bytes };
    known.set(execution, found);
    return found;
}

export function pairSelection(execution: Execution, cpusOfRank: number, from: number, to: number): Selection {
    return { kind: "pair", index: from * Math.round(execution.threads / cpusOfRank) + to };
}

export function ranksOfPair(execution: Execution, cpusOfRank: number, index: number): readonly [from: number, to: number] {
    const ranks = Math.max(1, Math.round(execution.threads / cpusOfRank));
    return [Math.floor(index / ranks), index % ranks];
}

// Whether a message belongs to a rank's CPU, to a pair of ranks, or is the one.
export function isOf(execution: Execution, cpusOfRank: number, message: number, { kind, index }: Selection): boolean {
    const from = execution.messageFrom[message]!;
    const to = execution.messageTo[message]!;
    switch (kind) {
        case "thread":
            return from === index || to === index;
        case "pair": {
            const [sender, receiver] = ranksOfPair(execution, cpusOfRank, index);
            return Math.floor(from / cpusOfRank) === sender && Math.floor(to / cpusOfRank) === receiver;
        }
        case "message":
            return message === index;
        default:
            return false;
    }
}

// Why it was late: the sentence of src/timeline/message.h.
export function delayText(execution: Execution, message: number): string {
    const text: string = delayTexts[execution.messageDelay[message]!] ?? "";
    return text.replace("{late}", timeText(execution.messageLate[message]!));
}
