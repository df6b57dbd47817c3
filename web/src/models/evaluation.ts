// Where do the numbers of a model's page come from? Formulas from the module in the page; simulations from the server
// that shows it, or from the module in a worker.

import { simulatedIn, type ModelDocument, type Prediction, type Simulated, type Values } from "./model.ts";
import { ModelModule } from "./model_module.ts";
import type { SimulationAnswer, SimulationQuestion } from "./simulation_worker.ts";
import workerScript from "script:./simulation_worker.ts";

export class Evaluation {
    readonly formulas: ModelModule | null;
    readonly refusal: string; // why there are none
    private readonly model: ModelDocument;
    private readonly module: ArrayBuffer | null;

    private constructor(model: ModelDocument, module: ArrayBuffer | null, formulas: ModelModule | null, refusal: string) {
        this.model = model;
        this.module = module;
        this.formulas = formulas;
        this.refusal = refusal;
    }

    static async begin(model: ModelDocument, module: ArrayBuffer | null): Promise<Evaluation> {
        if (module === null) {
            return new Evaluation(model, module, null, model.refusal ?? "");
        }
        try {
            return new Evaluation(model, module, await ModelModule.create(module, model), "");
        } catch (error) {
            const isMissing = typeof WebAssembly === "undefined";
            return new Evaluation(model, null, null, isMissing ? "WebAssembly is switched off in this browser" : error instanceof Error ? error.message : String(error));
        }
    }

    simulate(values: Values, signal: AbortSignal): Promise<Simulated> {
        return this.model.has_server ? this.askServer(values, signal) : this.askWorker(values, signal);
    }

    // The answer of `parcast predict --method simulate --json`.
    private async askServer(values: Values, signal: AbortSignal): Promise<Simulated> {
        const words = new URLSearchParams(this.model.parameters.map(({ name }, i) => [name, String(values[i])]));
        const response = await fetch(`simulated.json?${words}`, { signal });
        if (!response.ok) {
            throw new Error(await response.text());
        }
        const { predictions, notes } = (await response.json()) as Prediction;
        return simulatedIn(predictions[0]!, notes)!;
    }

    private askWorker(values: Values, signal: AbortSignal): Promise<Simulated> {
        const address = URL.createObjectURL(new Blob([workerScript], { type: "text/javascript" }));
        const worker = new Worker(address);
        return new Promise<Simulated>((resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("No longer wanted.")));
            worker.onerror = () => reject(new Error("The simulation does not start in this browser."));
            worker.onmessage = ({ data }: MessageEvent<SimulationAnswer>) => (data.simulated ? resolve(data.simulated) : reject(new Error(data.error)));
            worker.postMessage({ document: this.model, module: this.module!, values } satisfies SimulationQuestion);
        }).finally(() => {
            worker.terminate();
            URL.revokeObjectURL(address);
        });
    }
}
