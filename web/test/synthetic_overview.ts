// The overview of a synthetic program: names, places and predictions for executions that never happened.

import { State, stateCount } from "../src/execution.ts";
import { causeWords } from "../src/generated.ts";
import type { ObjectEntry, Overview, PredictedCount, SiteEntry } from "../src/overview.ts";
import { syntheticExecution, type Shape } from "./synthetic_execution.ts";

export interface OverviewWishes {
    readonly title?: string;
    readonly name?: (thread: number) => string;
    readonly measured?: boolean;
    readonly findings?: boolean;
}

export function syntheticOverview(shape: Shape, counts: readonly number[], wishes: OverviewWishes = {}): Overview {
    const runs = counts.map((cpus) => syntheticExecution(shape, cpus));
    const one = runs[0]!.totals.completion;
    const work = runs[0]!.totals.busy;
    const span = Math.max(...runs[0]!.threadState.filter((_, i) => i % stateCount === State.running));
    const sites: SiteEntry[] = Array.from({ length: 7 }, (_, i) => ({
        name: `${["compress_thread", "write_thread", "get_block", "put_block", "finish", "load_read", "throttle"][i]}, pigz.c:${100 + i * 137}`,
        file: "/build/pigz/pigz.c",
        line: 100 + i * 137,
        function: ["compress_thread", "write_thread", "get_block", "put_block", "finish", "load_read", "throttle"][i]!,
    }));
    const objects: ObjectEntry[] = Array.from({ length: shape.locks + 1 }, (_, i) => ({
        kind: i < shape.locks ? "mutex" : "descriptor",
        name: i < shape.locks ? `${["compress_have", "write_first", "pool", "queue"][i % 4]}${i < 4 ? "" : i}` : "big.tar",
        first_site: i < shape.locks ? i % 5 : 5,
    }));
    const predictions: PredictedCount[] = runs.map((run, i) => {
        const cpus = counts[i]!;
        const speedUp = one / run.totals.completion;
        return {
            cpus,
            time_ns: run.totals.completion,
            speed_up: speedUp,
            efficiency: speedUp / cpus,
            bounds: { lower: speedUp * 0.9, upper: Math.min(cpus, speedUp * 1.08) },
            bounds_note: null,
            limits: run.limits.map((limit) => ({
                cause: causeWords[limit.cause]!,
                object: null,
                site: null,
                share: limit.share,
                processor_time_ns: limit.time,
            })),
        };
    });
    return {
        schema: "parcast.view/2",
        parcast: "0.0.0",
        title: wishes.title ?? "pigz -p 8 -k big.tar",
        prediction: {
            schema: "parcast.predict/2",
            input: { file: "pigz.4711.parcast", form: "recording", command: ["pigz", "-p", "8", "-k", "big.tar"] },
            recorded: { cpu_time_ns: work, threads: shape.threads, pretended_cpus: null, thread_count_word: null },
            machine: { name: "synthetic", scheduler: "linux", notes: [] },
            work_ns: work,
            span_ns: span,
            span_work_ns: span,
            time_on_one_cpu_ns: one,
            findings: wishes.findings
                ? [
                      {
                          kind: "spin_waiting",
                          severity: "warning",
                          message: "thread 3 (spin_wait, queue.c:41) was spinning for 4.1 s; its waiting is counted as work, so the prediction is too slow.",
                          thread: { id: 3, text: "thread 3" },
                          place: null,
                      },
                  ]
                : [],
            predictions,
            scaling: { withheld: false, scales_to_cpus: 8, first_cpus_beyond: 16, verdict: [], next_command: null },
            assumptions: [],
        },
        measured: wishes.measured
            ? predictions
                  .filter((run) => run.cpus <= 4)
                  .map((run) => ({ cpus: run.cpus, ...measuredNear(run.speed_up!), time_ns: run.time_ns! / 0.97, explanation: [] }))
            : [],
        threads: Array.from({ length: shape.threads }, (_, i) => ({
            name: wishes.name?.(i) ?? (i === 0 ? "main" : `compress ${i}`),
            function: i === 0 ? "main" : "compress_thread",
            parent: i === 0 ? null : 0,
            start_site: i === 0 ? null : 4,
            created_at: i === 0 ? null : 0,
        })),
        objects,
        sites,
        schedulers: ["linux", "ideal"],
        scheduler: "linux",
        cpus: counts,
        max_cpus: counts[counts.length - 1]!,
        capabilities: { simulate: true, source_text: true, compare: false, recorded: false, editor: false },
        complete: true,
        notes: [],
    };
}

function measuredNear(speedUp: number) {
    return { speed_up: speedUp * 0.97, low: speedUp * 0.93, high: speedUp * 1.01 };
}
