// The simulator beside the page, so that the page never waits for it. Takes {module, program} first, then requests.

import { Simulator } from "./simulator.ts";

export interface Opening {
    readonly module: ArrayBuffer;
    readonly program: ArrayBuffer;
}
export interface Question {
    readonly id: number;
    readonly cpus: number;
    readonly scheduler: number;
    readonly withTimeline: boolean;
}
export interface Answer {
    readonly id: number; // 0: of the opening
    readonly bytes?: ArrayBuffer;
    readonly error?: string;
}

let simulator: Promise<Simulator> | null = null;

const post = postMessage as (answer: Answer, transfer?: Transferable[]) => void;

onmessage = async ({ data }: MessageEvent<Opening | Question>) => {
    const id = "id" in data ? data.id : 0;
    try {
        if (!("id" in data)) {
            simulator = Simulator.create(data.module, new Uint8Array(data.program));
            await simulator;
            post({ id });
            return;
        }
        const bytes = (await simulator!).replay(data.cpus, data.scheduler, data.withTimeline);
        post({ id, bytes }, [bytes]);
    } catch (error) {
        post({ id, error: error instanceof Error ? error.message : String(error) });
    }
};
