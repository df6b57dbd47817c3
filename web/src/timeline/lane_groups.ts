// Lanes that are alike, folded into one: which lanes are there, in which order, and where is a thread drawn whose group
// is folded? The lane of a group has the number of threads, plus that of the group.

import { none, State, type Execution } from "../execution.ts";
import { countText } from "../format.ts";
import { threadLabel, type Overview } from "../overview.ts";
import type { Grouping, LaneSorting, Selection } from "../state.ts";

const mostFlatLanes = 64; // more open folded

export interface LaneGroups {
    readonly members: readonly (readonly number[])[]; // threads, by group
    readonly most: readonly number[]; // threads that there are at once, by group
    readonly pathTime: Float64Array; // ns on the critical path, by thread
}

const known = new WeakMap<Execution, LaneGroups>();

// Cost: O(threads + pieces of the path), the first time.
export function groupsOf(execution: Execution): LaneGroups {
    let groups = known.get(execution);
    if (!groups) {
        const members: number[][] = Array.from({ length: execution.groups }, () => []);
        for (let thread = 0; thread < execution.threads; ++thread) {
            members[execution.groupOf[thread]!]?.push(thread);
        }
        const pathTime = new Float64Array(execution.threads);
        execution.pathThread.forEach((thread, piece) => {
            pathTime[thread]! += execution.pathEnd[piece]! - execution.pathBegin[piece]!;
        });
        const most = members.map((_, group) => mostAtOnce(execution, group));
        known.set(execution, (groups = { members, most, pathTime }));
    }
    return groups;
}

function mostAtOnce({ groupStepFirst, groupRunning, groupReady, groupWaiting }: Execution, group: number): number {
    let most = 1;
    for (let step = groupStepFirst[group]!; step < groupStepFirst[group + 1]!; ++step) {
        most = Math.max(most, groupRunning[step]! + groupReady[step]! + groupWaiting[step]!);
    }
    return most;
}

export function areLanesGrouped(execution: Execution, grouping: Grouping): boolean {
    return execution.groups > 0 && (grouping === "on" || (grouping === "auto" && execution.threads > mostFlatLanes));
}

export interface Arrangement {
    readonly grouping: Grouping;
    readonly unfolded: readonly number[]; // groups
    readonly sorting: LaneSorting;
    readonly selection: Selection | null;
}

// Threads and groups in their order. A group's threads follow it where it is unfolded; where it is folded, only the one
// that is selected.
export function arrangedLanes(execution: Execution, choice: Arrangement): number[] {
    const { threads } = execution;
    const all = sorted(Array.from({ length: threads }, (_, thread) => thread), (thread) => weightOf(execution, thread, choice.sorting), choice.sorting);
    if (!areLanesGrouped(execution, choice.grouping)) {
        return all;
    }
    const unfolded = new Set(choice.unfolded);
    const selected = threadOf(execution, choice.selection);
    const inGroup = Array.from({ length: execution.groups }, () => [] as number[]);
    const tops: number[] = [];
    for (const thread of all) {
        const group = execution.groupOf[thread]!;
        if (group === none) {
            tops.push(thread);
            continue;
        }
        if (inGroup[group]!.length === 0) {
            tops.push(threads + group);
        }
        inGroup[group]!.push(thread);
    }
    const weightOfTop = (lane: number) =>
        lane < threads ? weightOf(execution, lane, choice.sorting) : inGroup[lane - threads]!.reduce((sum, thread) => sum + weightOf(execution, thread, choice.sorting), 0);
    return sorted(tops, weightOfTop, choice.sorting).flatMap((lane) => {
        if (lane < threads) {
            return [lane];
        }
        const group = lane - threads;
        return [lane, ...inGroup[group]!.filter((thread) => unfolded.has(group) || thread === selected)];
    });
}

// The most first; of equal ones, and by creation, the first thread.
function sorted(lanes: readonly number[], weight: (lane: number) => number, sorting: LaneSorting): number[] {
    if (sorting === "creation") {
        return [...lanes];
    }
    const weights = new Map(lanes.map((lane) => [lane, weight(lane)]));
    return [...lanes].sort((a, b) => weights.get(b)! - weights.get(a)!);
}

function weightOf(execution: Execution, thread: number, sorting: LaneSorting): number {
    switch (sorting) {
        case "waiting":
            return execution.timeInState(thread, State.blocked) + execution.timeInState(thread, State.inputAndOutput) + execution.timeInState(thread, State.spinning);
        case "path":
            return groupsOf(execution).pathTime[thread]!;
        default:
            return 0;
    }
}

function threadOf(execution: Execution, selection: Selection | null): number {
    switch (selection?.kind) {
        case "thread":
            return selection.index;
        case "interval":
            return selection.index < execution.intervals ? execution.threadOfInterval(selection.index) : none;
        case "event":
            return selection.index < execution.events ? execution.threadOfEvent(selection.index) : none;
        default:
            return none;
    }
}

// A group all of whose threads are hidden.
export function isEmptied(execution: Execution, lane: number, hidden: ReadonlySet<number>): boolean {
    return hidden.size > 0 && lane >= execution.threads && groupsOf(execution).members[lane - execution.threads]!.every((thread) => hidden.has(thread));
}

// Null: the lane of a thread.
export function groupOfLane(execution: Execution, lane: number): number | null {
    return lane >= execution.threads && lane < execution.threads + execution.groups ? lane - execution.threads : null;
}

// "16 × worker #": what their names have in common.
export function groupLabel(overview: Overview, execution: Execution, group: number): string {
    const members = groupsOf(execution).members[group] ?? [];
    return `${countText(members.length)} × ${commonName(overview, members)}`;
}

function commonName(overview: Overview, members: readonly number[]): string {
    const [first = 0] = members;
    const { graph } = overview;
    if (graph) {
        const groups = graph.groups;
        const last = members[members.length - 1] ?? first;
        const name = groups.nameOf(groups.groupOf(first));
        return groups.groupOf(last) === groups.groupOf(first) ? name : name.replace(/\d+/g, "#");
    }
    const label = threadLabel(overview, first);
    const [, origin] = /^thread \d+ \((.*)\)$/.exec(label) ?? [];
    return origin ?? label.replace(/\d+/g, "#");
}
