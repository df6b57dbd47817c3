// The simulation of a model beside the page, so that the page never waits for it. Takes the document, the module and the
// values of a point; answers once.

import type { ModelDocument, Simulated, Values } from "./model.ts";
import { ModelModule } from "./model_module.ts";

export interface SimulationQuestion {
    readonly document: ModelDocument;
    readonly module: ArrayBuffer;
    readonly values: Values;
}
export interface SimulationAnswer {
    readonly simulated?: Simulated;
    readonly error?: string;
}

const post = postMessage as (answer: SimulationAnswer) => void;

onmessage = async ({ data }: MessageEvent<SimulationQuestion>) => {
    try {
        post({ simulated: (await ModelModule.create(data.module, data.document)).simulate(data.values) });
    } catch (error) {
        const ranOut = typeof WebAssembly !== "undefined" && error instanceof WebAssembly.RuntimeError;
        post({ error: ranOut ? "The simulation ran out of memory." : error instanceof Error ? error.message : String(error) });
    }
};
