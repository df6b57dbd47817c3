// When did each thread run, and what did it wait for? The timeline of an execution.

import type { Execution } from "../execution.ts";
import type { Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import type { Scheme } from "../theme/palette.ts";

export interface TimelineInputs {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly scheme: Scheme;
    readonly whole: number; // ns: end of the common scale; the longer of two executions that are compared
    readonly reducedMotion: boolean;
}

export interface TimelineHandle {
    update(inputs: TimelineInputs): void; // another execution, scheme or scale
    destroy(): void;
    toSvg(): string;
    toPng(): Promise<Blob>;
}

export function mountTimeline(container: HTMLElement, _inputs: TimelineInputs): TimelineHandle {
    container.textContent = "";
    return {
        update: () => undefined,
        destroy: () => undefined,
        toSvg: () => "",
        toPng: () => Promise.resolve(new Blob()),
    };
}
