// For which tasks does the one that is selected wait, and which wait for it? Arrows of the precedences of a task graph.

import { none, type Execution } from "../execution.ts";
import type { Selection } from "../state.ts";
import type { TaskGroups } from "../task_groups.ts";
import { mostFlows, noFlows, type Flow, type Flows } from "./flows.ts";

const mostLookedAt = 100_000; // tasks

export function taskFlowsOf(execution: Execution, groups: TaskGroups, selection: Selection | null): Flows {
    const task = taskOf(execution, selection);
    if (task === none) {
        return noFlows;
    }
    const group = groups.groupOf(task);
    // The last ones to end among those that it waits for, the first ones to begin among those that wait for it.
    const before = tasksOf(execution, groups, groups.predecessorsOf(group)).sort((a, b) => endOf(execution, b) - endOf(execution, a));
    const after = tasksOf(execution, groups, groups.successorsOf(group)).sort((a, b) => beginOf(execution, a) - beginOf(execution, b));
    const flow = (from: number, to: number): Flow => ({ from, to, time: endOf(execution, from), arrival: beginOf(execution, to) });
    const drawn = [...before.slice(0, mostFlows).map((from) => flow(from, task)), ...after.slice(0, mostFlows).map((to) => flow(task, to))];
    return { ...noFlows, drawn, found: before.length + after.length, kept: "nearest" };
}

function taskOf(execution: Execution, selection: Selection | null): number {
    if (selection?.kind === "interval" && selection.index < execution.intervals) {
        return execution.threadOfInterval(selection.index);
    }
    return selection?.kind === "thread" && selection.index < execution.threads && hasInterval(execution, selection.index) ? selection.index : none;
}

function tasksOf(execution: Execution, groups: TaskGroups, of: Uint32Array): number[] {
    const tasks: number[] = [];
    for (const group of of) {
        for (let task = groups.firstOf(group); task < groups.endOf(group) && tasks.length < mostLookedAt; ++task) {
            if (hasInterval(execution, task)) {
                tasks.push(task);
            }
        }
    }
    return tasks;
}

// A task without time has none.
function hasInterval(execution: Execution, task: number): boolean {
    return execution.laneFirst[task]! < execution.laneFirst[task + 1]!;
}

function endOf(execution: Execution, task: number): number {
    return execution.laneEnd[task]!;
}

// Its last interval: it runs.
function beginOf(execution: Execution, task: number): number {
    return execution.intervalBegin[execution.laneFirst[task + 1]! - 1]!;
}
