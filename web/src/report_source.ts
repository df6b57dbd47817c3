// Where do a report's executions come from? From those that lie in it, and from its own simulator in a worker.

import { Execution } from "./execution.ts";
import type { Embedded } from "./embedded.ts";
import type { SpeedUpAt } from "./measured.ts";
import { numbersOf, type MessagesOverview } from "./networks.ts";
import type { Overview } from "./overview.ts";
import type { Answer, Asked, Opening, Question } from "./replay_worker.ts";
import { isRecorded } from "./recorded.ts";
import type { SignatureAnswer } from "./signature/signature.ts";
import { sentencesIn, type AdviceSentence, type Request, type Source, type SourceText, type TriedOn } from "./source.ts";
import { overviewFrom, type TaskGraphDocument } from "./task_graph.ts";
import { WorkStacks } from "./flame/work_stacks.ts";
import { OperationWeights, Weights } from "./weights.ts";
import workerScript from "script:./replay_worker.ts";

export class ReportSource implements Source {
    private readonly data: Embedded;
    private worker: ReplayWorker | null = null;
    private stacks: Promise<WorkStacks> | null = null;
    private messages: MessagesOverview | null = null;
    private sources: Promise<Record<string, SourceText>> | null = null;

    constructor(data: Embedded) {
        this.data = data;
    }

    async overview(): Promise<Overview> {
        const overview = overviewFrom(await this.data.json<Overview | TaskGraphDocument>("overview"));
        this.messages = overview.messages ?? null;
        return overview;
    }

    // Without a simulator that works here, those that were computed when the report was written.
    async offered({ schedulers, cpus: counts, graph, measurement }: Overview): Promise<readonly Request[] | null> {
        try {
            if (!graph && !measurement) {
                await this.simulator();
                return null;
            }
        } catch {
            // What was computed is there all the same.
        }
        return schedulers.flatMap((scheduler) => counts.map((cpus) => ({ scheduler, cpus }))).filter((request) => this.data.has(idOf(request)));
    }

    async execution(request: Request, signal?: AbortSignal): Promise<Execution> {
        const id = idOf(request);
        if (this.data.has(id) && !request.scenario) {
            return new Execution(await this.data.bytes(id));
        }
        if (isRecorded(request)) {
            throw new Error("This report does not hold the recorded execution.");
        }
        const worker = await this.simulator();
        const { cpus, scheduler, totalsOnly, scenario = "" } = request;
        const network = this.messages && numbersOf(this.messages, scheduler);
        if (network) {
            return new Execution((await worker.inTurn({ network, withTimeline: !totalsOnly }, signal)).bytes!);
        }
        return new Execution((await worker.inTurn({ cpus, scheduler, withTimeline: !totalsOnly, scenario }, signal)).bytes!);
    }

    readonly report = null;
    readonly progress = null;
    readonly edit = null;

    // Without a simulator nothing is simulated that needs it.
    async extent(points: readonly SpeedUpAt[]): Promise<string> {
        return (await (await this.simulator()).inTurn({ points })).text!;
    }

    async weights(counts: readonly number[]): Promise<Weights> {
        return new Weights((await (await this.simulator()).inTurn({ weightsOn: counts })).bytes!, counts);
    }

    async operationWeights(cpus: number): Promise<OperationWeights> {
        return new OperationWeights((await (await this.simulator()).inTurn({ operationWeightsOn: cpus })).bytes!, cpus);
    }

    async advice(tried: readonly TriedOn[]): Promise<readonly AdviceSentence[]> {
        return sentencesIn((await (await this.simulator()).inTurn({ tried })).text!);
    }

    signature(): Promise<SignatureAnswer> {
        return this.data.json<SignatureAnswer>("thread-signature");
    }

    functions(): Promise<WorkStacks> {
        this.stacks ??= this.data.bytes("program").then((bytes) => new WorkStacks(bytes));
        return this.stacks;
    }

    async sourceText(site: number): Promise<SourceText | null> {
        if (!this.data.has("sources")) {
            return null;
        }
        this.sources ??= this.data.json<Record<string, SourceText>>("sources");
        return (await this.sources)[String(site)] ?? null;
    }

    private async simulator(): Promise<ReplayWorker> {
        this.worker ??= new ReplayWorker(
            Promise.all([this.data.bytes("module"), this.data.bytes("program")]).then(([module, program]) => ({
                module,
                program,
            })),
        );
        await this.worker.opened();
        return this.worker;
    }
}

// An element's id has letters, digits and hyphens only: of "batch:4" it is "execution-batch-4-8".
function idOf({ scheduler, cpus }: Request): string {
    return `execution-${scheduler.replaceAll(":", "-")}-${cpus}`;
}

const patience = 700; // ms that a replay which nobody waits for any more may still take

// A worker for one replay at a time. A replay that is no longer wanted is left to finish if it does so soon, and ended
// with its worker otherwise: there is no other way to stop it.
class ReplayWorker {
    private readonly opening: Promise<Opening>;
    private running: Promise<Worker> | null = null;
    private last: Promise<unknown> = Promise.resolve();
    private questions = 0;

    constructor(opening: Promise<Opening>) {
        this.opening = opening;
    }

    async opened(): Promise<void> {
        await this.worker();
    }

    inTurn(question: Asked, signal?: AbortSignal): Promise<Answer> {
        const mine = this.last.catch(() => undefined).then(() => this.ask(question, signal));
        this.last = mine;
        return mine;
    }

    private async ask(asked: Asked, signal?: AbortSignal): Promise<Answer> {
        signal?.throwIfAborted();
        const worker = await this.worker();
        const id = ++this.questions;
        return new Promise((resolve, reject) => {
            let timer: ReturnType<typeof setTimeout> | undefined;
            const abandon = () => {
                timer = setTimeout(() => {
                    worker.terminate();
                    this.running = null;
                    finish();
                    reject(new Error("No longer wanted."));
                }, patience);
            };
            const finish = () => {
                clearTimeout(timer);
                signal?.removeEventListener("abort", abandon);
                worker.onmessage = null;
                worker.onerror = null;
            };
            signal?.addEventListener("abort", abandon);
            worker.onmessage = ({ data }: MessageEvent<Answer>) => {
                if (data.id === id) {
                    finish();
                    data.error === undefined ? resolve(data) : reject(new Error(data.error));
                }
            };
            worker.onerror = () => {
                this.running = null;
                finish();
                reject(new Error("The simulator in this page stopped, perhaps for lack of memory."));
            };
            worker.postMessage({ id, ...asked } satisfies Question);
        });
    }

    private worker(): Promise<Worker> {
        this.running ??= this.opening.then(start);
        return this.running;
    }
}

function start(opening: Opening): Promise<Worker> {
    const address = URL.createObjectURL(new Blob([workerScript], { type: "text/javascript" }));
    const worker = new Worker(address);
    return new Promise((resolve, reject) => {
        const fail = (reason: string) => {
            worker.terminate();
            reject(new Error(reason));
        };
        worker.onerror = () => fail("The simulator does not start in this browser.");
        worker.onmessage = ({ data }: MessageEvent<Answer>) => {
            URL.revokeObjectURL(address);
            data.error ? fail(data.error) : resolve(worker);
        };
        worker.postMessage(opening);
    });
}
