// A program of any size that never ran, for the benchmark, the demonstration and the tests: not part of the page.

import type { Execution } from "../src/execution.ts";
import type { Overview } from "../src/overview.ts";
import type { Request, Source, SourceText } from "../src/source.ts";
import { syntheticExecution, type Shape } from "./synthetic_execution.ts";
import { syntheticOverview, type OverviewWishes } from "./synthetic_overview.ts";

export { syntheticBytes, syntheticExecution, withIntervals, type Shape } from "./synthetic_execution.ts";
export { syntheticOverview, type OverviewWishes } from "./synthetic_overview.ts";

export class SyntheticSource implements Source {
    private readonly shape: Shape;
    private readonly view: Overview;

    constructor(shape: Shape, counts: readonly number[], wishes: OverviewWishes = {}) {
        this.shape = shape;
        this.view = syntheticOverview(shape, counts, wishes);
    }
    overview(): Promise<Overview> {
        return Promise.resolve(this.view);
    }
    offered(): Promise<null> {
        return Promise.resolve(null);
    }
    execution(request: Request): Promise<Execution> {
        return Promise.resolve(syntheticExecution(this.shape, request.cpus));
    }
    readonly progress = null;
    readonly edit = null;
    readonly report = null;
    extent(): Promise<string> {
        return Promise.resolve("");
    }
    weights(): Promise<never> {
        return Promise.reject(new Error("It has no weights."));
    }
    operationWeights(): Promise<never> {
        return this.weights();
    }
    signature(): Promise<never> {
        return Promise.reject(new Error("It has no signature."));
    }
    functions(): Promise<never> {
        return Promise.reject(new Error("Its functions are not known."));
    }
    advice(): Promise<never> {
        return this.weights();
    }
    sourceText(site: number): Promise<SourceText | null> {
        const entry = this.view.sites[site];
        return Promise.resolve(
            entry
                ? {
                      file: entry.file,
                      first_line: entry.line - 3,
                      lines: Array.from({ length: 7 }, (_, i) => `    line ${entry.line - 3 + i} of <b>${entry.function}</b>;`),
                  }
                : null,
        );
    }
}
