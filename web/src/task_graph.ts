// What is different where a task graph is shown? Its overview is a document of its own (docs/formats/view-taskgraph.schema.json),
// made here into what the page knows of a recording, with a task where that has a thread.

import type { Overview, PredictedCount, ThreadEntry } from "./overview.ts";
import { scaling } from "./scaling.ts";

interface RunDocument {
    readonly cpus: number;
    readonly time_ns: number;
    readonly speed_up: number;
    readonly efficiency: number;
    readonly bounds: { readonly lower: number; readonly upper: number } | null;
}

export interface TaskGraphDocument {
    readonly schema: "parcast.view-taskgraph/1";
    readonly parcast: string;
    readonly title: string;
    readonly prediction: {
        readonly input: { readonly file: string; readonly format: string };
        readonly graph: {
            readonly tasks: number;
            readonly work_ns: number;
            readonly span_ns: number;
            readonly average_parallelism: number;
            readonly maximum_parallelism: number;
        };
        readonly model: { readonly contention: string | null };
        readonly schedules: readonly { readonly schedule: string; readonly runs: readonly RunDocument[] }[];
        readonly assumptions: readonly string[];
    };
    readonly groups: {
        readonly first_task: readonly number[];
        readonly names: readonly string[];
        readonly first_successor: readonly number[];
        readonly successors: readonly number[];
    };
    readonly schedules: readonly string[];
    readonly cpus: readonly number[];
    readonly max_cpus: number;
    readonly capabilities: { readonly simulate: boolean; readonly compare: boolean };
    readonly notes: readonly string[];
}

export function isTaskGraph(document: { readonly schema: string }): document is TaskGraphDocument {
    return document.schema === "parcast.view-taskgraph/1";
}

// Each task of a group waits for all tasks of every group before it.
export class TaskGroups {
    readonly count: number;
    private readonly firstTask: Uint32Array;
    private readonly names: readonly string[];
    private readonly after: Lists;
    private readonly before: Lists;

    constructor({ first_task, names, first_successor, successors }: TaskGraphDocument["groups"]) {
        this.firstTask = Uint32Array.from(first_task);
        this.count = this.firstTask.length - 1;
        this.names = names;
        this.after = new Lists(Uint32Array.from(first_successor), Uint32Array.from(successors));
        this.before = this.after.reversed();
    }

    get tasks(): number {
        return this.firstTask[this.count]!;
    }
    firstOf(group: number): number {
        return this.firstTask[group]!;
    }
    endOf(group: number): number {
        return this.firstTask[group + 1]!;
    }
    sizeOf(group: number): number {
        return this.endOf(group) - this.firstOf(group);
    }
    successorsOf(group: number): Uint32Array {
        return this.after.of(group);
    }
    predecessorsOf(group: number): Uint32Array {
        return this.before.of(group);
    }

    groupOf(task: number): number {
        let low = 0;
        let high = this.count;
        while (low + 1 < high) {
            const middle = (low + high) >>> 1;
            if (this.firstTask[middle]! <= task) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    nameOf(group: number): string {
        const first = this.firstOf(group);
        return this.names[group] || (this.sizeOf(group) === 1 ? `task ${first}` : `tasks ${first} to ${this.endOf(group) - 1}`);
    }

    // As `parcast export` names it: "roots 3" is the third task of the group.
    nameOfTask(task: number): string {
        const group = this.groupOf(task);
        if (!this.names[group]) {
            return `task ${task}`;
        }
        return this.sizeOf(group) === 1 ? this.names[group]! : `${this.names[group]} ${task - this.firstOf(group) + 1}`;
    }
}

class Lists {
    constructor(
        private readonly first: Uint32Array,
        private readonly items: Uint32Array,
    ) {}

    of(list: number): Uint32Array {
        return this.items.subarray(this.first[list]!, this.first[list + 1]!);
    }

    reversed(): Lists {
        const first = new Uint32Array(this.first.length);
        for (const item of this.items) {
            ++first[item + 1]!;
        }
        for (let list = 1; list < first.length; ++list) {
            first[list]! += first[list - 1]!;
        }
        const next = first.slice();
        const items = new Uint32Array(this.items.length);
        for (let list = 0; list + 1 < this.first.length; ++list) {
            for (const item of this.of(list)) {
                items[next[item]!++] = list;
            }
        }
        return new Lists(first, items);
    }
}

// Names are made when they are asked for: there can be a million.
class Task implements ThreadEntry {
    readonly parent = null;
    readonly start_site = null;
    constructor(
        private readonly groups: TaskGroups,
        private readonly task: number,
    ) {}

    get name(): string {
        return this.groups.nameOfTask(this.task);
    }
    get function(): string {
        return this.groups.nameOf(this.groups.groupOf(this.task));
    }
}

export interface ScheduleCurve {
    readonly schedule: string;
    readonly timeOnOne: number | null;
    readonly predictions: readonly PredictedCount[];
}

// What an Overview has beside, if it is that of a task graph.
export interface TaskGraphOverview {
    readonly groups: TaskGroups;
    readonly curves: readonly ScheduleCurve[]; // of the schedules that were predicted
    readonly averageParallelism: number;
    readonly mostParallelism: number;
    readonly contention: string | null;
}

export function overviewOfTaskGraph(document: TaskGraphDocument): Overview {
    const { prediction } = document;
    const { graph } = prediction;
    const groups = new TaskGroups(document.groups);
    const curves = prediction.schedules.map(curveOf);
    const first = curves[0]!;
    const points = first.predictions.map(({ cpus, speed_up }) => ({ cpus, speedUp: speed_up ?? 1 }));
    const { scalesTo, firstBeyond } = scaling(points);
    return {
        schema: "parcast.view/1",
        parcast: document.parcast,
        title: document.title,
        prediction: {
            schema: "parcast.predict-taskgraph/1",
            input: { file: prediction.input.file, command: [] },
            recorded: { cpu_time_ns: graph.work_ns, threads: graph.tasks, pretended_cpus: null },
            model: "direct",
            machine: { name: "", scheduler: first.schedule, notes: [] },
            work_ns: graph.work_ns,
            span_ns: graph.span_ns,
            span_work_ns: graph.span_ns,
            time_on_one_cpu_ns: first.timeOnOne,
            findings: [],
            predictions: first.predictions,
            scaling: { scales_to_cpus: scalesTo, first_cpus_beyond: firstBeyond, verdict: [], next_command: null },
            assumptions: prediction.assumptions,
        },
        measured: [],
        threads: Array.from({ length: groups.tasks }, (_, task) => new Task(groups, task)),
        objects: [],
        sites: [],
        states: [],
        operations: [],
        causes: [],
        schedulers: document.schedules,
        scheduler: first.schedule,
        cpus: document.cpus,
        max_cpus: document.max_cpus,
        capabilities: { ...document.capabilities, source_text: false, recorded: false },
        notes: document.notes,
        graph: {
            groups,
            curves,
            averageParallelism: graph.average_parallelism,
            mostParallelism: graph.maximum_parallelism,
            contention: prediction.model.contention,
        },
    };
}

function curveOf({ schedule, runs }: TaskGraphDocument["prediction"]["schedules"][number]): ScheduleCurve {
    return {
        schedule,
        timeOnOne: runs[0] ? runs[0].speed_up * runs[0].time_ns : null,
        predictions: runs.map((run) => ({
            cpus: run.cpus,
            time_ns: run.time_ns,
            speed_up: run.speed_up,
            efficiency: run.efficiency,
            speed_up_bounds: run.bounds && [run.bounds.lower, run.bounds.upper],
            bounds_note: null,
            limits: [],
        })),
    };
}

// What was predicted under a scheduler, or the schedule of a task graph; none: nothing.
export function curveUnder(overview: Overview, scheduler: string): ScheduleCurve | null {
    if (overview.graph) {
        return overview.graph.curves.find(({ schedule }) => schedule === scheduler) ?? null;
    }
    const { prediction } = overview;
    return scheduler === overview.scheduler ? { schedule: scheduler, timeOnOne: prediction.time_on_one_cpu_ns, predictions: prediction.predictions } : null;
}
