// What does an execution of a task graph mean? The three sentences of sentences.ts, for tasks under a schedule.

import { Cause, none, type Execution } from "./execution.ts";
import { counted, percentText, shortText, timeText } from "./format.ts";
import { threadLabel, type Overview, type TaskGraphOverview } from "./overview.ts";
import { hasProfile, shareBelowCpus } from "./parallelism.ts";
import { largestLoss } from "./scaling.ts";
import type { Sentence, Verdict } from "./sentence.ts";

const worthASentence = 0.05; // share of the processor time
const worthwhileGain = 0.005; // share of the time that another schedule takes less

export function taskVerdict(execution: Execution, overview: Overview, graph: TaskGraphOverview): Verdict {
    return {
        limits: { text: lossText(execution) },
        where: longestOfPath(execution, overview),
        attempt: attemptAt(execution, overview, graph),
    };
}

function lossText(execution: Execution): string {
    const { cpus } = execution.totals;
    const loss = largestLoss(execution.limits, worthASentence);
    if (!loss) {
        return cpus === 1
            ? "On 1 CPU nothing is lost that more CPUs would not lose too."
            : `On ${counted(cpus, "CPU")} hardly anything is lost: no cause takes more than ${percentText(worthASentence)} of the processor time.`;
    }
    const lead = `On ${counted(cpus, "CPU")} ${percentText(loss.share)} of the processor time`;
    switch (loss.cause) {
        case Cause.noThread:
            return hasProfile(execution)
                ? `${lead} finds no task to run: for ${percentText(shareBelowCpus(execution))} of the time fewer tasks run or are ready than there are CPUs.`
                : `${lead} finds no task to run.`;
        case Cause.ready:
            return `${lead} is idle while tasks are ready: the schedule keeps them for other CPUs.`;
        case Cause.slowed:
            return `${lead} is lost because running tasks delay each other.`;
        default:
            return `${lead} goes to taking tasks from the queue.`;
    }
}

// Of the critical path the task that is on it for longest.
function longestOfPath(execution: Execution, overview: Overview): Sentence {
    let longest = none;
    let most = 0;
    execution.pathThread.forEach((task, piece) => {
        const time = execution.pathEnd[piece]! - execution.pathBegin[piece]!;
        if (time > most && task < execution.threads) {
            most = time;
            longest = task;
        }
    });
    if (longest === none) {
        return { text: "No task takes any time." };
    }
    const share = percentText(most / execution.totals.completion);
    return {
        text: `Of the chain of tasks that decides the time, ${shortText(threadLabel(overview, longest), 60)} takes most: ${timeText(most)}, ${share}.`,
        selection: { kind: "thread", index: longest },
    };
}

function attemptAt(execution: Execution, overview: Overview, { curves }: TaskGraphOverview): Sentence {
    const { cpus, completion } = execution.totals;
    const { span_ns: span } = overview.prediction;
    if (completion <= span * 1.01 && cpus > 1) {
        return { text: "The critical path is all that is left: split its tasks, or start the longest chain earlier." };
    }
    const others = curves.flatMap(({ schedule, predictions }) => predictions.filter((run) => run.cpus === cpus).map((run) => ({ schedule, time: run.time_ns ?? Infinity })));
    const best = others.reduce((least, each) => (each.time < least.time ? each : least), { schedule: "", time: completion });
    if (best.time < completion * (1 - worthwhileGain)) {
        return { text: `The schedule ${best.schedule} takes ${timeText(best.time)} here, ${percentText(1 - best.time / completion)} less.` };
    }
    if (curves.length === 1) {
        return { text: `Only the schedule ${curves[0]!.schedule} was predicted, and none can be compared with it: --schedule all predicts the others.` };
    }
    return cpus < Math.max(...overview.cpus)
        ? { text: "No predicted schedule is faster here: choose more CPUs above." }
        : { text: "No predicted schedule is faster here, and these are the most CPUs that were predicted." };
}

export const taskCauseLabels: Readonly<Record<number, string>> = {
    [Cause.busy]: "working",
    [Cause.slowed]: "delay by what tasks share",
    [Cause.overhead]: "taking tasks",
    [Cause.ready]: "idle beside ready tasks",
    [Cause.noThread]: "no task to run",
};
