// What is different where a run is shown that was measured? Its document (docs/formats/measured-execution.schema.json) has threads
// and CPUs, and nothing that could be replayed. It is made here into what the page knows of a prediction, without the prediction.

import type { Overview, ThreadEntry } from "./overview.ts";

export interface MeasuredExecutionDocument {
    readonly schema: "parcast.measured-execution/1";
    readonly parcast: string;
    readonly title: string;
    readonly file: string;
    readonly command: readonly string[];
    readonly cpus: number;
    readonly cpu_numbers: readonly number[];
    readonly threads: readonly Pick<ThreadEntry, "name" | "function" | "parent">[];
}

// Stands where the name of a scheduler stands.
export const measured = "measured";

export function isMeasuredExecution(document: { readonly schema: string }): document is MeasuredExecutionDocument {
    return document.schema.startsWith("parcast.measured-execution/");
}

export function overviewOfMeasuredExecution(document: MeasuredExecutionDocument): Overview {
    const { parcast, title, file, command, cpus, cpu_numbers, threads } = document;
    return {
        schema: "parcast.view/2",
        parcast,
        title,
        prediction: {
            schema: document.schema,
            input: { file, form: "recording", command },
            machine: { name: "", scheduler: measured, notes: [] },
            work_ns: 0,
            span_ns: 0,
            span_work_ns: 0,
            time_on_one_cpu_ns: null,
            findings: [],
            predictions: [],
            scaling: { withheld: false, scales_to_cpus: null, first_cpus_beyond: null, verdict: [], next_command: null },
            assumptions: [],
        },
        measured: [],
        threads: threads.map((thread) => ({ ...thread, start_site: null, created_at: null })),
        objects: [],
        sites: [],
        schedulers: [measured],
        scheduler: measured,
        cpus: [cpus],
        max_cpus: cpus,
        capabilities: { simulate: false, source_text: false, compare: false, recorded: false, editor: false },
        complete: true,
        notes: [],
        measurement: { cpuNumbers: cpu_numbers },
    };
}
