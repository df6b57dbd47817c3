// Why did a thread not run then, and for whom did it wait? One sentence about an interval.

import { awaitedThread } from "../awaited.ts";
import { none, State, type Execution } from "../execution.ts";
import { shortText } from "../format.ts";
import { waitReasons } from "../generated.ts";
import { objectLabel, threadLabel, type Overview } from "../overview.ts";

export function reasonOf(execution: Execution, overview: Overview, interval: number): string {
    const object = execution.intervalObject[interval]!;
    const releaser = execution.intervalReleaser[interval]!;
    const name = object === none ? "" : shortText(objectLabel(overview, object));
    const by = releaser === none ? "" : shortText(threadLabel(overview, releaser));
    if (overview.messages) {
        return reasonOfRank(execution.intervalState[interval]!, object, by);
    }
    if (overview.measurement) {
        return measuredReasons[execution.intervalState[interval]!] ?? "";
    }
    switch (execution.intervalState[interval]) {
        case State.running:
            return "It does the program's work.";
        case State.switching:
            return "Its CPU switches to it, or it creates or wakes another thread.";
        case State.spinning:
            return name
                ? `It waits for ${name} without giving up its CPU${by ? `; ${by} ended that` : ""}.`
                : "It waits without giving up its CPU.";
        case State.ready:
            return execution.threads <= execution.totals.cpus
                ? "It is being woken, and is not on a CPU yet."
                : "It could run, but is not on a CPU: it is being woken, or others have them.";
        case State.sleeping:
            return "It sleeps until the clock wakes it.";
        case State.inputAndOutput:
            return name ? `It waits for input or output on ${name}.` : "It waits for input or output.";
        default:
            return name ? `It waits for ${name}${by ? `, which ${by} released` : ""}.` : reasonOfThread(execution, overview, interval);
    }
}

const measuredReasons: Readonly<Record<number, string>> = {
    [State.running]: "It is on a CPU, for its own code or the system's.",
    [State.ready]: "It could run, but is not on a CPU.",
    [State.blocked]: "It waits; the kernel does not tell for what.",
    [State.inputAndOutput]: "It waits without being interruptible, mostly for a device; the kernel does not tell for what.",
};

// The sentences of src/timeline/run_of_messages.h.
function reasonOfRank(state: number, object: number, by: string): string {
    switch (state) {
        case State.running:
            return "It computes.";
        case State.communicating:
            return "It sends or receives a message.";
        default:
            return (waitReasons[object] ?? "It waits.").replace("{peer}", by || "another rank");
    }
}

function reasonOfThread(execution: Execution, overview: Overview, interval: number): string {
    const awaited = awaitedThread(execution, interval);
    return awaited
        ? `It waits for ${shortText(threadLabel(overview, awaited.thread))}${awaited.joins ? " to end" : ""}.`
        : "It waits for another thread.";
}
