// Where do executions come from? From the server of `parcast view`, or from the report's own data and simulator.

import { Execution } from "./execution.ts";
import type { SpeedUpAt } from "./measured.ts";
import { givenNetwork, numbersOf, type MessagesOverview } from "./networks.ts";
import type { Overview } from "./overview.ts";
import type { SignatureAnswer } from "./signature/signature.ts";
import { overviewFrom, type TaskGraphDocument } from "./task_graph.ts";
import { WorkStacks } from "./flame/work_stacks.ts";
import { OperationWeights, Weights } from "./weights.ts";

export interface Request {
    readonly cpus: number;
    readonly scheduler: string;
    readonly totalsOnly?: boolean; // no lanes: what a point of the chart needs
    readonly scenario?: string; // a change of the program, as `predict --what-if` takes it; none: as it is
}

// What replays take on a number of CPUs, ns: as it is, and with half of the work of some owners; null: a deadlock.
export interface TriedOn {
    readonly cpus: number;
    readonly time: number | null;
    readonly halves: readonly { readonly owner: number; readonly time: number | null }[];
}

// As src/view/work_weights.h takes it.
export function triedNumbers(tried: readonly TriedOn[]): number[] {
    return tried.flatMap(({ cpus, time, halves }) => [cpus, time ?? -1, halves.length, ...halves.flatMap((each) => [each.owner, each.time ?? -1])]);
}

export interface SourceText {
    readonly file: string;
    readonly first_line: number;
    readonly lines: readonly string[];
}

// How far the runs are that the overview waits for (docs/formats/view-progress.schema.json).
export interface Progress {
    readonly complete: boolean;
    readonly known: boolean; // there is an overview, without the runs
    readonly paused: boolean;
    readonly error: string | null;
    readonly cpus: readonly number[];
    readonly running: readonly number[];
    readonly points: readonly { readonly cpus: number; readonly time_ns: number | null }[];
    readonly range_replays: { readonly begun: number; readonly all: number } | null; // they come last
}

export type Command = "" | "pause" | "go_on";

export interface Source {
    // What is known by now.
    overview(): Promise<Overview>;
    // null: the overview was complete from the beginning
    readonly progress: ((command: Command) => Promise<Progress>) | null;
    // Rejects with an Error that has a sentence for the user, or with anything once the signal is aborted.
    execution(request: Request, signal?: AbortSignal): Promise<Execution>;
    sourceText(site: number): Promise<SourceText | null>;
    // Opens the place in an editor on the machine that serves the page; null: none was given.
    readonly edit: ((site: number) => Promise<void>) | null;
    // How far a program with these speed-ups scales, in rising order: a sentence, empty if nothing can be said.
    extent(points: readonly SpeedUpAt[]): Promise<string>;
    // What decides the time on each of the counts, in rising order; and of each operation, on one.
    weights(counts: readonly number[]): Promise<Weights>;
    operationWeights(cpus: number): Promise<OperationWeights>;
    // Which functions did the work.
    functions(): Promise<WorkStacks>;
    // Its threads by the events/threads model, replayed with a CPU for each.
    signature(): Promise<SignatureAnswer>;
    // What to change first on which of the counts: the sentences of `parcast advise`.
    advice(tried: readonly TriedOn[]): Promise<readonly AdviceSentence[]>;
    // A file that shows `view`, the part of the address behind '#'; null: the page is one.
    readonly report: ((view: string) => Promise<Blob>) | null;
    // Which executions there are: null means any that is asked for.
    offered(overview: Overview): Promise<readonly Request[] | null>;
}

// What to change first on some numbers of CPUs.
export interface AdviceSentence {
    readonly lastCpus: number; // of them
    readonly text: string;
}

export function sentencesIn(text: string): readonly AdviceSentence[] {
    return text === "" ? [] : text.split("\n").map((line) => ({ lastCpus: parseInt(line, 10), text: line.slice(line.indexOf("\t") + 1) }));
}

// The page is served at /TOKEN/, the data beside it; the second of two that are compared in b/.
export class ServerSource implements Source {
    private readonly base: string;
    private stacks: Promise<WorkStacks> | null = null;
    private messages: MessagesOverview | null = null;

    constructor(base: string) {
        this.base = base;
    }

    // The server takes the numbers of a network.
    private networkOf(scheduler: string): string {
        const numbers = scheduler === givenNetwork ? null : this.messages && numbersOf(this.messages, scheduler);
        return numbers?.join(",") ?? scheduler;
    }

    async overview(): Promise<Overview> {
        const overview = overviewFrom((await (await this.get("overview.json?now=1")).json()) as Overview | TaskGraphDocument);
        this.messages = overview.messages ?? null;
        this.edit = overview.capabilities.editor
            ? async (site) => {
                  await this.get(`edit?site=${site}`);
              }
            : null;
        return overview;
    }

    async execution(request: Request, signal?: AbortSignal): Promise<Execution> {
        const { cpus, scheduler, totalsOnly, scenario } = request;
        const query = `execution?cpus=${cpus}&scheduler=${encodeURIComponent(this.networkOf(scheduler))}${totalsOnly ? "&timeline=0" : ""}${scenario ? `&what-if=${encodeURIComponent(scenario)}` : ""}`;
        const answer = await this.get(query, signal);
        if (answer.headers.get("Content-Type")?.startsWith("text/plain")) {
            throw new Error(await answer.text()); // the change is wrong
        }
        return new Execution(await answer.arrayBuffer());
    }

    async extent(points: readonly SpeedUpAt[]): Promise<string> {
        return (await this.get(`extent?points=${points.map(({ cpus, speedUp }) => `${cpus}:${speedUp}`).join(",")}`)).text();
    }

    // Set once it is known whether there is an editor.
    edit: ((site: number) => Promise<void>) | null = null;

    readonly progress = async (command: Command): Promise<Progress> =>
        (await (await this.get(`progress.json${command === "" ? "" : `?${command}=1`}`)).json()) as Progress;

    async weights(counts: readonly number[]): Promise<Weights> {
        return new Weights(await (await this.get(`weights?cpus=${counts.join(",")}`)).arrayBuffer(), counts);
    }

    async operationWeights(cpus: number): Promise<OperationWeights> {
        return new OperationWeights(await (await this.get(`operation-weights?cpus=${cpus}`)).arrayBuffer(), cpus);
    }

    async advice(tried: readonly TriedOn[]): Promise<readonly AdviceSentence[]> {
        return sentencesIn(await (await this.get(`advice?tried=${triedNumbers(tried).join(",")}`)).text());
    }

    async signature(): Promise<SignatureAnswer> {
        return (await (await this.get("signature.json")).json()) as SignatureAnswer;
    }

    functions(): Promise<WorkStacks> {
        this.stacks ??= this.get("functions").then(async (answer) => new WorkStacks(await answer.arrayBuffer()));
        return this.stacks;
    }

    readonly report = async (view: string): Promise<Blob> => (await this.get(`report.html?view=${encodeURIComponent(view)}`)).blob();

    offered(): Promise<null> {
        return Promise.resolve(null);
    }

    async sourceText(site: number): Promise<SourceText | null> {
        const answer = await fetch(`${this.base}source?site=${site}`);
        return answer.ok ? ((await answer.json()) as SourceText) : null;
    }

    private async get(path: string, signal?: AbortSignal): Promise<Response> {
        let answer: Response;
        try {
            answer = await fetch(this.base + path, signal ? { signal } : {});
        } catch (error) {
            if (signal?.aborted) {
                throw error;
            }
            throw new Error("parcast view no longer answers. Start it again and reload this page.");
        }
        if (!answer.ok) {
            throw new Error((await answer.text()).slice(0, 1000) || `parcast view answered ${answer.status}.`);
        }
        return answer;
    }
}
