// What does an execution mean, in three sentences: what limits it, where, what to try? The wording is that of
// src/report/verdict.cpp, at whatever number of CPUs is looked at.

import { Cause, Execution, none, State } from "./execution.ts";
import { counted, percentText, shortText, speedUpText, timeText } from "./format.ts";
import { objectLabel, siteLabel, threadLabel, type Overview } from "./overview.ts";
import { hasProfile, longestAlone, mostAtOnce, shareBelowCpus } from "./parallelism.ts";
import { busiestThread, largestLoss, largestPart, scaling, type SpeedUpAt } from "./scaling.ts";
import type { Sentence, Verdict } from "./sentence.ts";
import type { Selection } from "./state.ts";
import { taskCauseLabels, taskVerdict } from "./task_sentences.ts";
import { mainSiteOf, mostAwaited } from "./waits.ts";

const worthASentence = 0.05; // share of the processor time
const worthSplitting = 0.1; // of the run: a serial part
const nearlyAlways = 0.9; // a thread that runs longer than this is what the rest waits for

export function verdict(execution: Execution, overview: Overview, speedUp: number | null): Verdict {
    if (overview.graph) {
        return taskVerdict(execution, overview, overview.graph);
    }
    const loss = largestLoss(execution.limits, worthASentence);
    if (!loss) {
        return nothingLost(execution, overview);
    }
    return {
        limits: { text: lossText(loss.cause, loss.share, loss.object, execution, overview), ...selecting("object", loss.object) },
        where: whereOf(loss.cause, loss.object, execution, overview),
        attempt: attemptAt(loss.cause, execution, overview, speedUp),
    };
}

function nothingLost(execution: Execution, overview: Overview): Verdict {
    const { cpus } = execution.totals;
    return {
        limits: {
            text:
                cpus === 1
                    ? "On 1 CPU nothing is lost that more CPUs would not lose too."
                    : `On ${cpusText(cpus)} hardly anything is lost: no cause takes more than ${percentText(worthASentence)} of the processor time.`,
        },
        where: busiestWhere(execution, overview),
        attempt: nextStep(execution, overview),
    };
}

// Where no CPU is lost: more of them, unless a thread that always runs would not be faster for it.
function nextStep(execution: Execution, overview: Overview): Sentence {
    const { cpus } = execution.totals;
    const next = overview.cpus.find((each) => each > cpus);
    const { recorded, input } = overview.prediction;
    if (cpus > 1 && (busiestThread(execution)?.share ?? 0) >= nearlyAlways) {
        const shown = next ?? 2 * cpus;
        return (recorded.pretended_cpus ?? 1) < shown
            ? {
                  text: "More CPUs need more threads, with less to do for each. If it makes a thread for each CPU that it sees, show it more:",
                  command: `parcast record --pretend-cpus ${shown} -- ${commandLine(input.command)}`,
              }
            : { text: "Try: more threads, with less to do for each.", panel: "threads" };
    }
    return next === undefined
        ? { text: "These are the most that were predicted. Whether real CPUs do as well:", command: `parcast scale --measure -- ${commandLine(input.command)}` }
        : { text: "Try: choose more CPUs above: on some number of them something begins to limit it." };
}

function cpusText(cpus: number): string {
    return counted(cpus, "CPU");
}

function selecting(kind: Selection["kind"], index: number): { selection: Selection } | object {
    return index === none ? {} : { selection: { kind, index } };
}

const thread = (overview: Overview, id: number) => shortText(threadLabel(overview, id));
const object = (overview: Overview, id: number) => shortText(objectLabel(overview, id));
const site = (overview: Overview, id: number) => shortText(siteLabel(overview, id));

function lossText(cause: number, share: number, id: number, execution: Execution, overview: Overview): string {
    const name = id === none ? "" : object(overview, id);
    const lead = `On ${cpusText(execution.totals.cpus)} ${percentText(share)} of the processor time`;
    const waitingFor = (many: string) => `${lead} is lost to waiting for ${name || many}.`;
    switch (cause) {
        case Cause.lock:
            return waitingFor("locks, none of which stands out");
        case Cause.condition:
            return waitingFor("conditions, semaphores and barriers, none of which stands out");
        case Cause.inputOutput:
            return waitingFor("input and output");
        case Cause.joining:
            return waitingFor("threads to end");
        case Cause.sleeping:
            return `${lead} is lost to sleeping.`;
        case Cause.noThread:
            return `${lead} finds no thread to run.`;
        case Cause.ready:
            return `${lead} is lost while threads are ready but not yet on a CPU: wake-ups, placement, affinity.`;
        case Cause.slowed:
            return `${lead} is lost because busy CPUs slow each other down: the machine's rates.`;
        case Cause.spinning:
            return `${lead} is spun away while threads wait for ${name || "each other"}.`;
        default:
            return `${lead} goes to switching, waking and creating threads.`;
    }
}

function whereOf(cause: number, id: number, execution: Execution, overview: Overview): Sentence {
    switch (cause) {
        case Cause.lock:
        case Cause.condition:
        case Cause.inputOutput:
        case Cause.spinning:
            return id === none ? largestOf(cause, execution, overview) : placeOf(id, execution, overview);
        case Cause.joining:
            return awaitedThread(execution, overview);
        case Cause.ready:
            return longestIn(State.ready, "is ready but not on a CPU", execution, overview);
        case Cause.sleeping:
            return longestIn(State.sleeping, "sleeps", execution, overview);
        case Cause.overhead:
            return {
                text: `${counted(execution.totals.contextSwitches, "switch").replace("switchs", "switches")} between threads, ${counted(execution.totals.migrations, "move")} to another CPU.`,
                panel: "threads",
            };
        case Cause.noThread:
            return aloneWhere(execution, overview);
        default:
            return busiestWhere(execution, overview);
    }
}

// While one thread runs alone, all other CPUs find none.
function aloneWhere(execution: Execution, overview: Overview): Sentence {
    const alone = longestAlone(execution);
    const isBusiest = (busiestThread(execution)?.share ?? 0) >= nearlyAlways;
    return alone && alone.share > worthSplitting && !isBusiest
        ? { text: `${thread(overview, alone.thread)} runs alone for ${percentText(alone.share)} of the time.`, selection: { kind: "thread", index: alone.thread } }
        : busiestWhere(execution, overview);
}

function placeOf(id: number, execution: Execution, overview: Overview): Sentence {
    const main = mainSiteOf(execution, id);
    const first = overview.objects[id]?.first_site;
    const selection: Selection = { kind: "object", index: id };
    if (main) {
        return {
            text: `${percentText(main.share)} of the waiting for ${object(overview, id)} begins at ${site(overview, main.site)}.`,
            selection: { kind: "site", index: main.site },
        };
    }
    return first == null
        ? { text: `Where ${object(overview, id)} is used is not known.`, selection }
        : { text: `${object(overview, id)} is first used at ${site(overview, first)}.`, selection };
}

function largestOf(cause: number, execution: Execution, overview: Overview): Sentence {
    const part = largestPart(execution.limits.filter((limit) => limit.cause === cause));
    return part
        ? {
              text: `The largest part, ${percentText(part.share)}, is ${object(overview, part.object)}.`,
              selection: { kind: "object", index: part.object },
          }
        : { text: "See the objects by the time that is waited for them.", panel: "objects" };
}

function awaitedThread(execution: Execution, overview: Overview): Sentence {
    const awaited = mostAwaited(execution);
    return awaited
        ? {
              text: `${thread(overview, awaited.thread)} is waited for longest: ${timeText(awaited.time)}.`,
              selection: { kind: "thread", index: awaited.thread },
          }
        : busiestWhere(execution, overview);
}

function longestIn(state: number, does: string, execution: Execution, overview: Overview): Sentence {
    let most = 0;
    let which = none;
    for (let id = 0; id < execution.threads; ++id) {
        if (execution.timeInState(id, state) > most) {
            most = execution.timeInState(id, state);
            which = id;
        }
    }
    return which === none
        ? busiestWhere(execution, overview)
        : { text: `${thread(overview, which)} ${does} longest: ${timeText(most)}.`, selection: { kind: "thread", index: which } };
}

function busiestWhere(execution: Execution, overview: Overview): Sentence {
    const busiest = busiestThread(execution);
    if (!busiest) {
        return { text: "No thread runs in it.", panel: "threads" };
    }
    const name = thread(overview, busiest.thread);
    const share = percentText(busiest.share);
    return {
        text:
            busiest.share >= nearlyAlways
                ? `There ${name} runs ${share} of the time: no number of CPUs makes the program faster than it.`
                : `${name} runs longest: ${share} of the time.`,
        selection: { kind: "thread", index: busiest.thread },
    };
}

function attemptAt(cause: number, execution: Execution, overview: Overview, speedUp: number | null): Sentence {
    switch (cause) {
        case Cause.lock:
            return { text: "Try: hold it for less time, or put several locks in its place.", panel: "objects" };
        case Cause.condition:
        case Cause.joining:
            return { text: "Try: give the threads that are waited for less to do at a time.", panel: "threads" };
        case Cause.inputOutput:
            return { text: "Try: read ahead, or spread the input and output over more threads.", panel: "objects" };
        case Cause.noThread:
            return attemptForMoreThreads(execution, overview, speedUp);
        case Cause.slowed:
            return { text: "Try: touch less memory for each step of the work, if memory limits it." };
        case Cause.spinning:
        case Cause.overhead:
            return { text: "Try: larger pieces of work, or fewer threads.", panel: "threads" };
        case Cause.ready:
            return { text: "Try: fewer hand-overs between threads, or none bound to one CPU.", panel: "threads" };
        case Cause.sleeping:
            return { text: "Who sleeps, and how long, is in the table of threads.", panel: "threads" };
        default:
            return { text: "What each thread does is in the table of threads.", panel: "threads" };
    }
}

function attemptForMoreThreads(execution: Execution, overview: Overview, speedUp: number | null): Sentence {
    const { threads } = execution;
    const { cpus } = execution.totals;
    if (threads > cpus) {
        return attemptForIdleThreads(execution, overview);
    }
    const isNearlyAlwaysBusy = (busiestThread(execution)?.share ?? 0) >= nearlyAlways;
    if (threads > 1 && isNearlyAlwaysBusy && (speedUp ?? 1) < 1 / nearlyAlways) {
        return { text: "One thread does nearly all of the work: others would not relieve it.", panel: "threads" };
    }
    const { recorded, input } = overview.prediction;
    if ((recorded.pretended_cpus ?? 1) < cpus) {
        return {
            text:
                threads === 1
                    ? "It has one thread. If it makes one for each CPU that it sees, show it more:"
                    : "If the program makes a thread for each CPU that it sees, show it more:",
            command: `parcast record --pretend-cpus ${cpus} -- ${commandLine(input.command)}`,
        };
    }
    return {
        text:
            threads === 1
                ? "The process has one thread: no number of CPUs helps it."
                : "Try: record the program with more threads.",
    };
}

// There are more threads than CPUs, and CPUs that find none of them.
function attemptForIdleThreads(execution: Execution, overview: Overview): Sentence {
    const { threads } = execution;
    const { cpus } = execution.totals;
    const most = mostAtOnce(execution);
    if (!hasProfile(execution)) {
        return { text: `It makes ${threads} threads, but not all of them are there all the time: the table says when each begins and ends.`, panel: "threads" };
    }
    if (most < cpus) {
        return { text: `It makes ${threads} threads, but at most ${counted(most, "thread")} at a time can run: the table says when each begins and ends.`, panel: "threads" };
    }
    const alone = longestAlone(execution);
    if (alone && alone.share > worthSplitting) {
        return {
            text: `Try: split what ${thread(overview, alone.thread)} does alone: no number of CPUs shortens that ${percentText(alone.share)} of the time.`,
            selection: { kind: "thread", index: alone.thread },
        };
    }
    return { text: `For ${percentText(shareBelowCpus(execution))} of the time fewer than ${cpusText(cpus)} have a thread to run: see when.`, panel: "parallelism" };
}

// As a shell takes it.
export function commandLine(words: readonly string[]): string {
    return words
        .map((word) => (/^[\w\-+=./:,@%^]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
        .join(" ");
}

// How far it scales, of all counts that are known.
export function extentText(points: readonly SpeedUpAt[]): string | null {
    const last = points[points.length - 1];
    if (!last || last.cpus <= 1) {
        return null;
    }
    const { scalesTo, firstBeyond } = scaling(points);
    if (firstBeyond === null) {
        return `Scales to ${cpusText(scalesTo)}, the most that was predicted: each CPU added returned at least half of its time.`;
    }
    if (scalesTo === 1) {
        const point = points.find((each) => each.cpus === firstBeyond)!;
        const gain = `${cpusText(firstBeyond)} are ${speedUpText(point.speedUp)} times as fast as one`;
        return firstBeyond === 2
            ? `Does not scale: ${gain}.`
            : `${gain}: on average, each returns ${percentText(point.speedUp / firstBeyond)} of its time.`;
    }
    const average = firstBeyond > 2 * scalesTo ? "on average " : "";
    return `Scales to ${cpusText(scalesTo)}: of the CPUs added beyond, up to ${firstBeyond}, each returns ${average}less than half of its time.`;
}

export function deadlockLead(execution: Execution): string {
    const { cpus, pairing, deadlockTime } = execution.totals;
    return `On ${cpusText(cpus)} the ${pairing} model deadlocks after ${timeText(deadlockTime)}; ${counted(execution.stuckThread.length, "thread")} cannot go on.`;
}

export function stuckText(execution: Execution, overview: Overview, row: number): string {
    const waitsFor = execution.stuckObject[row]!;
    const awaited = execution.stuckAwaited[row]!;
    const holder = execution.stuckHolder[row]!;
    const at = execution.stuckSite[row]!;
    const name =
        waitsFor !== none
            ? object(overview, waitsFor)
            : awaited !== none
              ? thread(overview, awaited)
              : "any thread to end";
    return (
        `${thread(overview, execution.stuckThread[row]!)} waits for ${name}` +
        (holder === none ? "" : `, held by ${thread(overview, holder)}`) +
        (at === none ? "" : `, at ${site(overview, at)}`)
    );
}

const causeLabels: Readonly<Record<number, string>> = {
    [Cause.busy]: "busy",
    [Cause.slowed]: "busy CPUs slowing each other",
    [Cause.spinning]: "other spinning",
    [Cause.overhead]: "switching and waking threads",
    [Cause.ready]: "ready, not yet on a CPU",
    [Cause.lock]: "other locks",
    [Cause.condition]: "other conditions",
    [Cause.inputOutput]: "other I/O",
    [Cause.sleeping]: "sleeping",
    [Cause.joining]: "waiting for threads to end",
    [Cause.noThread]: "no thread to run",
};

export function causeLabel(cause: number, id: number, overview: Overview): string {
    if (id === none) {
        return (overview.graph && taskCauseLabels[cause]) ?? causeLabels[cause] ?? overview.causes[cause] ?? "another cause";
    }
    const name = object(overview, id);
    return cause === Cause.spinning ? `spinning: ${name}` : name;
}
