// What is different where a task graph is shown? Its document (docs/formats/view.schema.json) has groups of tasks where that of
// a recording has threads, objects and sites. It is made here into what the page knows of a recording, with a task for a thread.

import { isMeasuredExecution, overviewOfMeasuredExecution, type MeasuredExecutionDocument } from "./measured_execution.ts";
import { hasMessages, overviewOfMessages, type MessagesDocument } from "./messages.ts";
import type { Overview, ScheduleCurve, SpeedUpBounds, ThreadEntry } from "./overview.ts";
import { TaskGroups, type GroupsDocument } from "./task_groups.ts";

// A row of the prediction.
interface PredictedSchedule {
    readonly schedule: string;
    readonly cpus: number;
    readonly time_ns: number;
    readonly speed_up: number;
    readonly efficiency: number;
    readonly bounds: SpeedUpBounds | null;
}

export interface TaskGraphDocument {
    readonly schema: "parcast.view/2";
    readonly parcast: string;
    readonly title: string;
    readonly prediction: {
        readonly schema: "parcast.predict/2";
        readonly input: { readonly file: string; readonly form: "task_graph"; readonly format: string };
        readonly graph: {
            readonly tasks: number;
            readonly average_parallelism: number;
            readonly maximum_parallelism: number;
        };
        readonly machine: { readonly name: string; readonly contention: string | null };
        readonly work_ns: number;
        readonly span_ns: number;
        readonly time_on_one_cpu_ns: number;
        readonly predictions: readonly PredictedSchedule[];
        readonly assumptions: readonly string[];
    };
    readonly groups: GroupsDocument;
    readonly scaling: readonly { readonly first_cpus_beyond: number | null; readonly scales_to_cpus: number | null; readonly verdict: string }[]; // by schedule
    readonly schedulers: readonly string[];
    readonly scheduler: string;
    readonly cpus: readonly number[];
    readonly max_cpus: number;
    readonly capabilities: Overview["capabilities"];
    readonly complete: boolean;
    readonly notes: readonly string[];
}

function isTaskGraph(document: Overview | TaskGraphDocument): document is TaskGraphDocument {
    return document.prediction.input.form === "task_graph";
}

// Names are made when they are asked for: there can be a million.
class Task implements ThreadEntry {
    readonly parent = null;
    readonly start_site = null;
    readonly created_at = null;
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

function overviewOfTaskGraph(document: TaskGraphDocument): Overview {
    const { prediction } = document;
    const { graph } = prediction;
    const groups = new TaskGroups(document.groups);
    const curves = curvesOf(document);
    const first = curves[0]!;
    const { scales_to_cpus, first_cpus_beyond } = document.scaling[0]!;
    return {
        schema: document.schema,
        parcast: document.parcast,
        title: document.title,
        prediction: {
            schema: prediction.schema,
            input: { file: prediction.input.file, form: prediction.input.form, command: [] },
            recorded: { cpu_time_ns: prediction.work_ns, threads: graph.tasks, pretended_cpus: null, thread_count_word: null },
            machine: { name: prediction.machine.name, scheduler: first.schedule, notes: [] },
            work_ns: prediction.work_ns,
            span_ns: prediction.span_ns,
            span_work_ns: prediction.span_ns,
            time_on_one_cpu_ns: prediction.time_on_one_cpu_ns,
            findings: [],
            predictions: first.predictions,
            scaling: { withheld: false, scales_to_cpus, first_cpus_beyond, verdict: [], next_command: null },
            assumptions: prediction.assumptions,
        },
        measured: [],
        threads: Array.from({ length: groups.tasks }, (_, task) => new Task(groups, task)),
        objects: [],
        sites: [],
        schedulers: document.schedulers,
        scheduler: document.scheduler,
        cpus: document.cpus,
        max_cpus: document.max_cpus,
        capabilities: document.capabilities,
        complete: document.complete,
        notes: document.notes,
        graph: {
            groups,
            curves,
            averageParallelism: graph.average_parallelism,
            mostParallelism: graph.maximum_parallelism,
            contention: prediction.machine.contention,
        },
    };
}

// The rows of each schedule lie together, in the order of document.scaling.
function curvesOf({ prediction, scaling }: TaskGraphDocument): ScheduleCurve[] {
    const schedules = [...new Set(prediction.predictions.map(({ schedule }) => schedule))];
    return schedules.map((schedule, i) => ({
        schedule,
        extent: scaling[i]!.verdict || null,
        timeOnOne: prediction.time_on_one_cpu_ns,
        predictions: prediction.predictions
            .filter((row) => row.schedule === schedule)
            .map(({ cpus, time_ns, speed_up, efficiency, bounds }) => ({ cpus, time_ns, speed_up, efficiency, bounds, bounds_note: null, limits: [] })),
    }));
}

// The document as the page needs it.
export function overviewFrom(document: Overview | TaskGraphDocument | MessagesDocument | MeasuredExecutionDocument): Overview {
    if (isMeasuredExecution(document)) {
        return overviewOfMeasuredExecution(document);
    }
    if (hasMessages(document)) {
        return overviewOfMessages(document);
    }
    return isTaskGraph(document) ? overviewOfTaskGraph(document) : document;
}
