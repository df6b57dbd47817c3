// When did each thread run, and what did it wait for? The timeline of an execution.

import { laneWord, type Overview } from "../overview.ts";
import type { Execution } from "../execution.ts";
import { counted, timeText } from "../format.ts";
import { CursorHandles } from "./cursor_handles.ts";
import { flowsNote } from "./flows.ts";
import { Gestures } from "./gestures.ts";
import { Keys } from "./keys.ts";
import { Legend } from "./legend.ts";
import { Note } from "./note.ts";
import type { Caption } from "./picture.ts";
import { Timeline } from "./timeline.ts";
import type { TimelineInputs } from "./timeline_inputs.ts";
import { Toolbar } from "./toolbar.ts";
import "./timeline.css";

export interface TimelineHandle {
    update(inputs: TimelineInputs): void; // another execution, scheme or scale
    destroy(): void;
    toSvg(caption: Caption): string;
    toPng(caption: Caption): Promise<Blob>;
}

const help =
    "Lanes of threads over time. W and S zoom, A and D move, arrow keys select, F zooms to what was selected or marked last. The tables below have the same as text.";

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string): HTMLElementTagNameMap[K] {
    const made = document.createElement(name);
    made.className = className;
    return made;
}

export function mountTimeline(container: HTMLElement, inputs: TimelineInputs): TimelineHandle {
    const view = element("div", "lanes-view");
    const stage = element("div", "lanes-stage");
    const canvas = element("canvas", "lanes-canvas");
    const overlay = element("canvas", "lanes-canvas");
    const tooltip = element("div", "lanes-tooltip");
    const spoken = element("div", "lanes-spoken");
    const message = element("p", "lanes-message");
    const deadlock = element("p", "lanes-deadlock");
    const note = new Note(element("p", "lanes-note"));
    stage.tabIndex = 0;
    stage.setAttribute("role", "application");
    stage.setAttribute("aria-label", help);
    tooltip.hidden = true;
    spoken.setAttribute("aria-live", "polite");
    stage.append(canvas, overlay, message, deadlock, note.element, tooltip);
    // Sizes are known once the stage lies in the page.
    view.append(stage, spoken);
    container.replaceChildren(view);

    const timeline = new Timeline({ stage, canvas, overlay, tooltip, spoken }, inputs);
    const legend = new Legend();
    const toolbar = new Toolbar(timeline, legend);
    view.prepend(toolbar.element);
    view.append(legend.window);
    const cursors = new CursorHandles(timeline);
    stage.append(toolbar.laneTools, cursors.element);
    const gestures = new Gestures(timeline, stage);
    const keys = new Keys(timeline, gestures, container, stage);
    timeline.onDrawn = (scene) => {
        toolbar.show(scene);
        legend.show(scene);
        cursors.show(scene);
        message.textContent = messageOf(scene.execution);
        message.hidden = message.textContent === "";
        deadlock.hidden = !scene.execution.totals.deadlocked;
        deadlock.textContent = deadlock.hidden ? "" : deadlockOf(scene.execution, scene.overview);
        note.show(flowsNote(scene.flows), scene.layout.gutter);
        stage.dataset["gutter"] = String(scene.layout.gutter);
    };
    timeline.onTold = (sentence) => note.tell(sentence);
    timeline.onPointed = () => toolbar.followPointer();
    return {
        update: (next) => timeline.update(next),
        destroy: () => {
            keys.destroy();
            legend.destroy();
            note.destroy();
            timeline.destroy();
            container.replaceChildren();
        },
        toSvg: (caption) => timeline.toSvg(caption),
        toPng: (caption) => timeline.toPng(caption),
    };
}

function deadlockOf({ totals, stuckThread }: Execution, overview: Overview): string {
    return `The replay deadlocks here, after ${timeText(totals.deadlockTime)}: ${counted(stuckThread.length, laneWord(overview))} cannot go on, and nothing follows.`;
}

function messageOf(execution: Execution): string {
    if (execution.intervals > 0) {
        return "";
    }
    return execution.totals.intervalsLeftOut
        ? "This execution has too many intervals to draw. Totals and tables cover all of them."
        : "There are no intervals in this execution.";
}
