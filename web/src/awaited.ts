// Which thread does a thread wait for: for its end, or for its answer?

import { firstAfter, none, State, type Execution } from "./execution.ts";
import { Operation, operationsOnThreads } from "./generated.ts";

export interface Awaited {
    readonly thread: number;
    readonly joins: boolean; // it waits for the end of that thread
}

// Null: for no thread, or it is not known for which one.
export function awaitedThread(execution: Execution, interval: number): Awaited | null {
    if (execution.intervalState[interval] !== State.blocked || execution.intervalObject[interval] !== none) {
        return null;
    }
    const call = callBefore(execution, interval);
    const kind = call === none ? none : execution.eventKind[call]!;
    const releaser = execution.intervalReleaser[interval]!;
    const named = operationsOnThreads.includes(kind) ? execution.eventObject[call]! : none; // after a deadlock nobody released it
    const thread = releaser === none ? named : releaser;
    return thread < execution.threads ? { thread, joins: kind === Operation.join || kind === Operation.joinAny } : null;
}

// The last event of the thread until the interval begins: the call in which it waits. none: events were left out.
function callBefore(execution: Execution, interval: number): number {
    const thread = execution.threadOfInterval(interval);
    const first = execution.eventFirst[thread]!;
    const after = firstAfter(execution.eventTime, execution.intervalBegin[interval]!, first, execution.eventFirst[thread + 1]!);
    return after > first ? after - 1 : none;
}
