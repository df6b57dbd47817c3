// What does an execution mean? Its sentences come with it, written by src/answer/run_sentences.cpp; here they get the names.

import { Cause, none, type Execution } from "./execution.ts";
import { shortText } from "./format.ts";
import { causeWords } from "./generated.ts";
import { objectLabel, siteLabel, threadLabel, type Overview } from "./overview.ts";
import type { Panel, Selection } from "./state.ts";

export interface Sentence {
    readonly text: string;
    readonly selection: Selection | null; // what it speaks of: the last thing that it names
    readonly panel: Panel | null; // where there is more about it
    readonly command: string; // to type; empty: none
}

export interface StuckThread {
    readonly text: string;
    readonly thread: Selection;
}

export interface Verdict {
    readonly limits: Sentence | null; // of a deadlock: that it is one
    readonly where: Sentence | null;
    readonly attempt: Sentence | null;
    readonly stuck: readonly StuckThread[]; // the threads of a deadlock, the first of them
}

// Lines of part, table, text and command, as docs/formats/execution.md has them.
export function verdict(execution: Execution, overview: Overview): Verdict {
    const { scaling } = overview.prediction;
    if (scaling.withheld && execution.sentences && !execution.totals.deadlocked) {
        return { limits: { text: scaling.verdict[0] ?? "", selection: null, panel: null, command: "" }, where: null, attempt: null, stuck: [] };
    }
    const lines = execution.sentences.split("\n").map((line) => line.split("\t"));
    const sentence = (part: string): Sentence | null => {
        const line = lines.find(([each]) => each === part);
        return line ? sentenceOf(line, overview) : null;
    };
    const stuck = lines
        .filter(([part]) => part === "stuck")
        .map(([, , text = ""], row) => ({ text: withNames(text, overview), thread: { kind: "thread" as const, index: execution.stuckThread[row]! } }));
    return { limits: sentence("limits"), where: sentence("where"), attempt: sentence("attempt"), stuck };
}

function sentenceOf([, panel, text = "", command = ""]: readonly string[], overview: Overview): Sentence {
    return {
        text: withNames(text, overview),
        selection: selectionOf(text),
        panel: panel ? (panel as Panel) : null,
        command: withNames(command, overview),
    };
}

const reference = /\{(\w+)(?: (\d+))?\}/g;

function withNames(text: string, overview: Overview): string {
    return text.replace(reference, (_, kind: string, id: string) => {
        switch (kind) {
            case "thread":
                return shortText(threadLabel(overview, Number(id)));
            case "object":
                return shortText(objectLabel(overview, Number(id)));
            case "site":
                return shortText(siteLabel(overview, Number(id)));
            default:
                return commandReference(kind, id, overview);
        }
    });
}

// "{command}", "{command 8}", "{scaled}", "{argument}"
function commandReference(kind: string, count: string | undefined, { prediction }: Overview): string {
    const command = prediction.input.command ?? [];
    const index = prediction.recorded?.thread_count_word ?? null;
    const word = index === null ? undefined : command[index];
    if (index === null || word === undefined) {
        return kind === "argument" ? "" : commandLine(command);
    }
    if (kind === "argument") {
        const before = command[index - 1] ?? "";
        return /^\d+$/.test(word) && index > 1 && before.startsWith("-") ? `${before} ${word}` : word;
    }
    const number = kind === "scaled" ? "{cpus}" : count;
    return commandLine(number === undefined ? command : command.map((each, i) => (i === index ? word.replace(/\d+$/, number) : each)));
}

function selectionOf(text: string): Selection | null {
    const named = [...text.matchAll(reference)].filter(([, , id]) => id !== undefined);
    const [, kind, id] = named[named.length - 1] ?? [];
    return kind === undefined ? null : { kind: kind as Selection["kind"], index: Number(id) };
}

// As a shell takes it.
export function commandLine(words: readonly string[]): string {
    return words
        .map((word) => (/^[\w\-+=./:,@%^]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
        .join(" ");
}

// In a task graph they are called otherwise.
const taskCauseLabels: Readonly<Record<number, string>> = {
    [Cause.busy]: "working",
    [Cause.slowed]: "delay by what tasks share",
    [Cause.overhead]: "taking tasks",
    [Cause.ready]: "idle beside ready tasks",
    [Cause.noThread]: "no task to run",
};

// Of a run that was measured: the kernel tells no more.
const measuredCauseLabels: Readonly<Record<number, string>> = {
    [Cause.busy]: "own code and system",
    [Cause.ready]: "ready, not on a CPU",
    [Cause.condition]: "waiting",
    [Cause.inputOutput]: "waiting, uninterruptible",
};

// Of ranks.
const messageCauseLabels: Readonly<Record<number, string>> = {
    [Cause.busy]: "computing",
    [Cause.noThread]: "ended before the last rank",
};

export function causeLabel(cause: number, object: number, overview: Overview): string {
    if (object === none) {
        return (overview.graph && taskCauseLabels[cause]) ?? (overview.messages && messageCauseLabels[cause]) ?? (overview.measurement && measuredCauseLabels[cause]) ?? causeWords[cause] ?? "another cause";
    }
    const name = shortText(objectLabel(overview, object));
    return cause === Cause.spinning ? `spinning: ${name}` : name;
}
