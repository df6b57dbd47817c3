// The cursors as things that can be held: a handle each on the time axis, dragged by the gestures of the timeline, moved
// by the arrow keys where it has the focus, and removed by Delete.

import { instantsTo } from "../format.ts";
import type { Scene } from "./scene.ts";
import { scaleOf } from "./scene.ts";
import type { Timeline } from "./timeline.ts";

const largeStep = 20; // px, with Shift

export class CursorHandles {
    readonly element = document.createElement("div");
    private readonly timeline: Timeline;
    private readonly handles: readonly HTMLElement[];

    constructor(timeline: Timeline) {
        this.timeline = timeline;
        this.element.className = "lanes-cursors";
        this.handles = [0, 1].map((index) => this.handle(index));
        this.element.append(...this.handles);
    }

    private handle(index: number): HTMLElement {
        const handle = document.createElement("div");
        handle.className = "lanes-cursor";
        handle.tabIndex = 0;
        handle.hidden = true;
        handle.setAttribute("role", "slider");
        handle.setAttribute("aria-label", `Cursor ${index + 1}`);
        handle.title = "Drag, or move with the arrow keys (Shift: further); Delete removes it";
        handle.addEventListener("keydown", (event) => this.press(event, index));
        return handle;
    }

    private press(event: KeyboardEvent, index: number): void {
        const { timeline } = this;
        const pixels = event.shiftKey ? largeStep : 1;
        switch (event.key) {
            case "ArrowLeft":
            case "ArrowRight":
                moveCursor(timeline, index, timeline.store.get().cursors[index]! + (event.key === "ArrowRight" ? 1 : -1) * pixels * scaleOf(timeline.scene).nsPerPixel);
                break;
            case "Home":
            case "End":
                moveCursor(timeline, index, timeline.range[event.key === "Home" ? 0 : 1]);
                break;
            case "Delete":
            case "Backspace":
                timeline.store.set({ cursors: timeline.store.get().cursors.filter((_, i) => i !== index) });
                break;
            default:
                return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    show(scene: Scene): void {
        const { layout, state, whole } = scene;
        const scale = scaleOf(scene);
        this.handles.forEach((handle, i) => {
            const time = state.cursors[i];
            const x = time === undefined ? -1 : layout.gutter + scale.x(time);
            handle.hidden = time === undefined || x < layout.gutter || x > layout.width;
            if (time === undefined) {
                return;
            }
            handle.style.left = `${x}px`;
            handle.style.top = `${layout.axis.top}px`;
            handle.setAttribute("aria-valuemin", "0");
            handle.setAttribute("aria-valuemax", String(Math.round(whole)));
            handle.setAttribute("aria-valuenow", String(Math.round(time)));
            handle.setAttribute("aria-valuetext", instantsTo(scale.end, scale.nsPerPixel)(time));
        });
    }
}

export function moveCursor(timeline: Timeline, index: number, time: number): void {
    const held = Math.min(timeline.whole, Math.max(0, time));
    timeline.store.set({ cursors: timeline.store.get().cursors.map((each, i) => (i === index ? held : each)) });
}
