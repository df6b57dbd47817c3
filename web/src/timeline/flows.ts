// Who released whom? The arrows that belong to what is selected: of an interval or an event those into it and out of it,
// of a thread, an object or a place those that end in what is shown. The longest waits, where there are too many.

import { countText } from "../format.ts";
import { firstAfter, none, type Execution } from "../execution.ts";
import type { Range, Selection } from "../state.ts";

export interface Flow {
    readonly from: number; // thread
    readonly to: number;
    readonly time: number; // of the release
    readonly arrival?: number; // where the arrow points to, if it is later
    readonly message?: number; // that it stands for
}

export interface Flows {
    readonly drawn: readonly Flow[]; // by time
    readonly found: number;
    readonly kept: "longest" | "nearest" | "latest"; // of those that were found: the longest waits, those nearest in time, or the latest messages
    readonly isSearched: boolean; // false: there are too many intervals to look for arrows
}

export const mostFlows = 64; // of each kind
const mostLookedAt = 2_000_000; // intervals

export const noFlows: Flows = { drawn: [], found: 0, kept: "longest", isSearched: true };

export function flowsOf(execution: Execution, selection: Selection | null, shown: Range): Flows {
    const { kind, index } = selection ?? { kind: null, index: none };
    const { intervalReleaser, intervalObject, intervalSite } = execution;
    switch (kind) {
        case "interval":
            return index < execution.intervals ? flowsOfInterval(execution, index) : noFlows;
        case "event":
            return index < execution.events ? flowsOfEvent(execution, index) : noFlows;
        case "thread":
            return releasesIn(execution, shown, (wait, thread) => thread === index || intervalReleaser[wait] === index);
        case "object":
            return releasesIn(execution, shown, (wait) => intervalObject[wait] === index);
        case "site":
            return releasesIn(execution, shown, (wait) => intervalSite[wait] === index);
        default:
            return noFlows;
    }
}

// What is to be said beside arrows that are not all there; else empty.
export function flowsNote({ drawn, found, kept, isSearched }: Flows): string {
    if (!isSearched) {
        return `Arrows are drawn for at most ${countText(mostLookedAt)} visible intervals: zoom in.`;
    }
    if (found <= drawn.length) {
        return "";
    }
    if (kept === "latest") {
        return drawn.length === 0
            ? `${countText(found)} messages in sight: zoom in, or select a rank, a pair of ranks or a message to see arrows.`
            : `Arrows: of ${countText(found)} messages in sight the ${drawn.length} that kept a rank waiting longest. Zoom in for the others.`;
    }
    return kept === "longest"
        ? `Arrows: the ${drawn.length} longest of ${countText(found)} waits that another thread ended; an operation can wait several times. Zoom in for the others.`
        : `Arrows: the ${drawn.length} nearest in time of ${countText(found)} precedences.`;
}

function flowsOfInterval(execution: Execution, interval: number): Flows {
    const thread = execution.threadOfInterval(interval);
    const lasts: Range = [execution.intervalBegin[interval]!, execution.intervalEnd(interval)];
    return together(flowInto(execution, thread, interval), releasesIn(execution, lasts, (wait) => execution.intervalReleaser[wait] === thread));
}

// An event releases until the next of its thread; one that waits is released at the end of its wait.
function flowsOfEvent(execution: Execution, event: number): Flows {
    const thread = execution.threadOfEvent(event);
    const time = execution.eventTime[event]!;
    const next = event + 1 < execution.eventFirst[thread + 1]! ? execution.eventTime[event + 1]! : Infinity;
    const object = execution.eventObject[event]!;
    const out = releasesIn(execution, [time, next], (wait) => {
        const waitsFor = execution.intervalObject[wait];
        return execution.intervalReleaser[wait] === thread && (waitsFor === object || waitsFor === none);
    });
    const interval = execution.intervalAt(thread, time);
    return interval === none ? out : together(flowInto(execution, thread, interval), out);
}

function flowInto(execution: Execution, thread: number, interval: number): Flow[] {
    const from = execution.intervalReleaser[interval]!;
    return from < execution.threads && from !== thread ? [{ from, to: thread, time: execution.intervalEnd(interval) }] : [];
}

function together(into: readonly Flow[], out: Flows): Flows {
    return { ...out, drawn: [...into, ...out.drawn], found: into.length + out.found };
}

// The waits of all threads that another thread ended in [begin, end], as far as they are wanted.
// Cost: the intervals that end there.
function releasesIn(execution: Execution, [begin, end]: Range, isWanted: (wait: number, thread: number) => boolean): Flows {
    const { intervalBegin, intervalReleaser, laneFirst, threads } = execution;
    const from = (thread: number) => Math.max(laneFirst[thread]!, firstAfter(intervalBegin, begin, laneFirst[thread]!, laneFirst[thread + 1]!) - 2);
    const to = (thread: number) => firstAfter(intervalBegin, end, laneFirst[thread]!, laneFirst[thread + 1]!);
    let count = 0;
    for (let thread = 0; thread < threads; ++thread) {
        count += to(thread) - from(thread);
    }
    if (count > mostLookedAt) {
        return { ...noFlows, isSearched: false };
    }
    const longest = new LongestWaits();
    for (let thread = 0; thread < threads; ++thread) {
        const last = to(thread);
        for (let wait = from(thread); wait < last; ++wait) {
            const releaser = intervalReleaser[wait]!;
            if (releaser >= threads || releaser === thread || !isWanted(wait, thread)) {
                continue;
            }
            const time = wait + 1 < laneFirst[thread + 1]! ? intervalBegin[wait + 1]! : execution.laneEnd[thread]!;
            if (time >= begin && time <= end) {
                longest.add({ from: releaser, to: thread, time }, time - intervalBegin[wait]!);
            }
        }
    }
    return { ...noFlows, drawn: longest.flows(), found: longest.found };
}

class LongestWaits {
    found = 0;
    private readonly kept: { readonly flow: Flow; readonly wait: number }[] = []; // by falling wait

    add(flow: Flow, wait: number): void {
        ++this.found;
        const { kept } = this;
        if (kept.length === mostFlows) {
            if (wait <= kept[mostFlows - 1]!.wait) {
                return;
            }
            kept.pop();
        }
        const place = kept.findIndex((each) => each.wait < wait);
        kept.splice(place < 0 ? kept.length : place, 0, { flow, wait });
    }

    flows(): Flow[] {
        return this.kept.map(({ flow }) => flow).sort((a, b) => a.time - b.time);
    }
}
