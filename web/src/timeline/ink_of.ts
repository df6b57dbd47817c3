// Which ink fills an interval? The one place that chooses it: another way to colour lanes is a change here.

import { State } from "../execution.ts";
import type { Ink } from "./inks.ts";
import type { Scene } from "./scene.ts";

// `isNarrow`: too narrow for a pattern.
export function inkOf(scene: Scene, interval: number, isNarrow = false): Ink {
    const { execution } = scene;
    const thread = scene.byCpu ? execution.threadOfInterval(interval) : 0;
    return inkOfState(scene, execution.intervalState[interval]!, thread, isNarrow);
}

// The same for what stands for several intervals: a column, a sample in a legend. The thread matters by CPU only.
export function inkOfState(scene: Scene, state: number, thread: number, isNarrow = false): Ink {
    if (scene.byCpu && state === State.running) {
        return inkOfThread(scene, thread);
    }
    return (isNarrow ? scene.inks.plain : scene.inks.states)[state]!;
}

// In lanes by CPU: pale beside a selected thread. The tasks of a group share one, so that a loop is seen.
function inkOfThread({ inks, state, overview }: Scene, thread: number): Ink {
    const isPale = state.selection?.kind === "thread" && state.selection.index !== thread;
    const choice = isPale ? inks.threadsPale : inks.threads;
    const { graph } = overview;
    return choice[(graph ? graph.groups.groupOf(thread) : thread) % choice.length]!;
}
