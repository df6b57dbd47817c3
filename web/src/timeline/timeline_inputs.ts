// What is a timeline drawn of, and onto what?

import type { Execution } from "../execution.ts";
import type { Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import type { Scheme } from "../theme/palette.ts";
import type { OperationWeights } from "../weights.ts";

export interface Lanes {
    readonly execution: Execution;
    readonly overview: Overview;
}

export interface TimelineInputs extends Lanes {
    readonly store: Store;
    readonly scheme: Scheme;
    readonly whole: number; // ns: end of the common scale; the longer of two executions that are compared
    readonly beside: Lanes | null; // the other one of two: times lie below each other, so names get the same room
    readonly reducedMotion: boolean;
    readonly weights?: OperationWeights | null; // of its operations, where they are to be seen
}

export interface Surfaces {
    readonly stage: HTMLElement;
    readonly canvas: HTMLCanvasElement;
    readonly overlay: HTMLCanvasElement;
    readonly tooltip: HTMLElement;
    readonly spoken: HTMLElement;
}
