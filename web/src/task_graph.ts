// What is different where a task graph is shown? Its overview is a document of its own (docs/formats/view-taskgraph.schema.json),
// made here into what the page knows of a recording, with a task where that has a thread.

import type { Overview, ScheduleCurve, ThreadEntry } from "./overview.ts";
import { TaskGroups, type GroupsDocument } from "./task_groups.ts";

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
    readonly groups: GroupsDocument;
    readonly scaling: readonly { readonly first_cpus_beyond: number | null; readonly scales_to_cpus: number; readonly verdict: string }[]; // by schedule
    readonly schedules: readonly string[];
    readonly cpus: readonly number[];
    readonly max_cpus: number;
    readonly capabilities: { readonly simulate: boolean; readonly compare: boolean };
    readonly notes: readonly string[];
}

export function isTaskGraph(document: { readonly schema: string }): document is TaskGraphDocument {
    return document.schema === "parcast.view-taskgraph/1";
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

export function overviewOfTaskGraph(document: TaskGraphDocument): Overview {
    const { prediction } = document;
    const { graph } = prediction;
    const groups = new TaskGroups(document.groups);
    const curves = prediction.schedules.map((each, i) => curveOf(each, document.scaling[i]!.verdict));
    const first = curves[0]!;
    const { scales_to_cpus, first_cpus_beyond } = document.scaling[0]!;
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
            scaling: { scales_to_cpus, first_cpus_beyond, verdict: [], next_command: null },
            assumptions: prediction.assumptions,
        },
        measured: [],
        threads: Array.from({ length: groups.tasks }, (_, task) => new Task(groups, task)),
        objects: [],
        sites: [],
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

function curveOf({ schedule, runs }: TaskGraphDocument["prediction"]["schedules"][number], extent: string): ScheduleCurve {
    return {
        schedule,
        extent: extent || null,
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

// Either document as the page needs it.
export function overviewFrom(document: Overview | TaskGraphDocument): Overview {
    return isTaskGraph(document) ? overviewOfTaskGraph(document) : document;
}
