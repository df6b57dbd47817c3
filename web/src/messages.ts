// What is different where a program that sends messages is shown? Its threads are ranks, its schedulers networks, and its
// document (docs/formats/view.schema.json) has no speed-ups. It is made here into what the page knows of a recording.

import type { Efficiency, NetworkChoice } from "./networks.ts";
import type { ObjectEntry, Overview, PredictionAnswer, ThreadEntry } from "./overview.ts";

interface MessagesRow {
    readonly method: string;
    readonly time_ns: number | null;
    readonly efficiency?: Efficiency;
}

export interface MessagesDocument extends Omit<Overview, "prediction" | "messages" | "graph"> {
    readonly prediction: {
        readonly schema: string;
        readonly input: PredictionAnswer["input"] & { readonly form: "steps" | "messages" };
        readonly network: { readonly source: string };
        readonly work_ns: number;
        readonly predictions: readonly MessagesRow[];
        readonly notes: readonly string[];
        readonly assumptions: readonly string[];
    };
    readonly messages: { readonly cpus_of_rank: number; readonly networks: readonly NetworkChoice[] };
    readonly threads: readonly ThreadEntry[];
    readonly objects: readonly ObjectEntry[];
}

export function hasMessages(document: object): document is MessagesDocument {
    return "messages" in document && document.messages !== undefined;
}

export function overviewOfMessages(document: MessagesDocument): Overview {
    const { prediction, messages } = document;
    const shown = prediction.predictions[prediction.predictions.length - 1]!; // of steps, the row in which they overlap
    const lanes = document.threads.length;
    const isSteps = prediction.input.form === "steps";
    return {
        ...document,
        prediction: {
            schema: prediction.schema,
            input: prediction.input,
            machine: { name: prediction.network.source, scheduler: document.scheduler, notes: [] },
            work_ns: prediction.work_ns,
            span_ns: 0,
            span_work_ns: 0,
            time_on_one_cpu_ns: null,
            findings: [],
            predictions: [{ cpus: lanes, time_ns: shown.time_ns, speed_up: null, efficiency: null, bounds: null, bounds_note: null, limits: [] }],
            scaling: { withheld: false, scales_to_cpus: null, first_cpus_beyond: null, verdict: [], next_command: null },
            assumptions: prediction.assumptions,
        },
        cpus: [lanes],
        max_cpus: lanes,
        notes: [...document.notes, ...(isSteps ? [overlapNote] : []), ...prediction.notes],
        messages: { cpusOfRank: messages.cpus_of_rank, isSteps, networks: messages.networks, efficiency: shown.efficiency ?? null },
    };
}

export const overlapNote = "The lanes show the steps as they would overlap: a rank computes on as soon as it has its own messages. The paper's two algorithms have no lanes.";
