// The simulator beside the page, so that the page never waits for it. Takes {module, program} first, then requests.

import type { SpeedUpAt } from "./measured.ts";
import { Simulator } from "./simulator.ts";
import type { TriedOn } from "./source.ts";

export interface Opening {
    readonly module: ArrayBuffer;
    readonly program: ArrayBuffer;
}
export interface Replay {
    readonly cpus: number;
    readonly scheduler: string;
    readonly withTimeline: boolean;
    readonly scenario: string;
}
export interface MessageReplay {
    readonly network: readonly number[];
    readonly withTimeline: boolean;
}
export type Asked =
    | Replay
    | MessageReplay
    | { readonly points: readonly SpeedUpAt[] }
    | { readonly tried: readonly TriedOn[] }
    | { readonly weightsOn: readonly number[] }
    | { readonly operationWeightsOn: number };
export type Question = { readonly id: number } & Asked;
export interface Answer {
    readonly id: number; // 0: of the opening
    readonly bytes?: ArrayBuffer; // an execution, or weights
    readonly text?: string; // how far it scales, what to change first
    readonly error?: string;
}

let opening: Opening | null = null;
let simulator: Promise<Simulator> | null = null;

function opened(): Promise<Simulator> {
    simulator ??= Simulator.create(opening!.module, new Uint8Array(opening!.program));
    return simulator;
}

// Where WebAssembly is turned off, its name does not exist either.
function ranOutOfMemory(error: unknown): boolean {
    return typeof WebAssembly !== "undefined" && error instanceof WebAssembly.RuntimeError;
}

function sentence(error: unknown): string {
    if (ranOutOfMemory(error)) {
        return "The simulator in this page ran out of memory: choose fewer CPUs or use parcast view.";
    }
    return error instanceof Error ? error.message : String(error);
}

const post = postMessage as (answer: Answer, transfer?: Transferable[]) => void;

function answerOf(simulator: Simulator, asked: Asked): ArrayBuffer | string {
    if ("points" in asked) {
        return simulator.extent(asked.points);
    }
    if ("tried" in asked) {
        return simulator.advice(asked.tried);
    }
    if ("weightsOn" in asked) {
        return simulator.weights(asked.weightsOn);
    }
    if ("operationWeightsOn" in asked) {
        return simulator.operationWeights(asked.operationWeightsOn);
    }
    if ("network" in asked) {
        return simulator.replayMessages(asked.network, asked.withTimeline);
    }
    return simulator.replay(asked.cpus, asked.scheduler, asked.withTimeline, asked.scenario);
}

onmessage = async ({ data }: MessageEvent<Opening | Question>) => {
    const id = "id" in data ? data.id : 0;
    try {
        if (!("id" in data)) {
            opening = data;
            await opened();
            post({ id });
            return;
        }
        const answer = answerOf(await opened(), data);
        typeof answer === "string" ? post({ id, text: answer }) : post({ id, bytes: answer }, [answer]);
    } catch (error) {
        if (ranOutOfMemory(error)) {
            simulator = null; // it ran out of memory: what is left of it is of no use
        }
        post({ id, error: sentence(error) });
    }
};
