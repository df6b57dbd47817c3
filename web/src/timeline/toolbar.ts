// What can be clicked beside the lanes: by thread or by CPU, hidden lanes, zooms, the legend.

import { counted } from "../format.ts";
import { laneWord, noLanesByCpu } from "../overview.ts";
import { laneSortings, type LaneSorting, type Mode } from "../state.ts";
import { hideLane, togglePinned } from "./keys.ts";
import type { Legend } from "./legend.ts";
import type { Scene } from "./scene.ts";
import type { Timeline } from "./timeline.ts";

function button(text: string, title: string, act: () => void, kind = "quiet"): HTMLButtonElement {
    const element = document.createElement("button");
    element.type = "button";
    element.className = kind;
    element.textContent = text;
    element.title = title;
    element.addEventListener("click", act);
    return element;
}

const sortingWords: Readonly<Record<LaneSorting, string>> = { creation: "by creation", waiting: "by waiting", path: "by path share" };

function sortingChoice(choose: (sorting: LaneSorting) => void): HTMLSelectElement {
    const element = document.createElement("select");
    element.className = "lanes-sorting";
    element.title = "Order of the lanes: as they were created, or those first that wait most, or that have most of the critical path";
    element.setAttribute("aria-label", "Order of the lanes");
    for (const sorting of laneSortings) {
        element.append(new Option(sortingWords[sorting], sorting));
    }
    element.addEventListener("change", () => choose(element.value as LaneSorting));
    return element;
}

export class Toolbar {
    readonly element = document.createElement("div");
    readonly laneTools = document.createElement("div");
    private readonly timeline: Timeline;
    private readonly modes: readonly (readonly [Mode, HTMLButtonElement])[];
    private readonly idle: HTMLButtonElement;
    private readonly hidden: HTMLButtonElement;
    private readonly groups: HTMLButtonElement;
    private readonly sorting: HTMLSelectElement;
    private readonly pin: HTMLButtonElement;
    private readonly back: HTMLButtonElement;
    private readonly forward: HTMLButtonElement;
    private readonly toSelection: HTMLButtonElement;
    private lane = -1;

    constructor(timeline: Timeline, legend: Legend) {
        this.timeline = timeline;
        const { store } = timeline;
        this.element.className = "lanes-bar";
        this.element.setAttribute("role", "toolbar");
        this.element.setAttribute("aria-label", "Timeline");
        const mode = (which: Mode, text: string) => [which, button(text, `${text}  (C)`, () => store.set({ mode: which }))] as const;
        this.modes = [mode("thread", `By ${laneWord(timeline.inputs.overview)}`), mode("cpu", "By CPU")];
        this.idle = button("Hide idle", "Hide lanes without running or ready threads in the visible range  (I)", () => store.set({ hideIdle: !store.get().hideIdle }));
        this.groups = button("Groups", "One lane for all threads that are alike  (G). A click on it, or E, unfolds it", () => store.set({ grouping: timeline.scene.isGrouped ? "off" : "on" }));
        this.sorting = sortingChoice((sorting) => store.set({ sorting }));
        this.hidden = button("", "Show hidden lanes  (Shift X)", () => store.set({ hidden: [] }), "quiet lanes-hidden");
        this.toSelection = button("To selection", "Zoom to what was selected or marked last  (F)", () => timeline.frameLatest());
        this.back = button("↶", "Back to the previous zoom  (U)", () => timeline.undoZoom());
        this.forward = button("↷", "Forward again, after going back  (Shift U)", () => timeline.redoZoom());
        this.back.setAttribute("aria-label", "Back");
        this.forward.setAttribute("aria-label", "Forward");
        this.element.append(
            ...(timeline.inputs.overview.messages ? [] : this.modes.map(([, element]) => element)),
            this.groups,
            this.sorting,
            this.idle,
            this.hidden,
            button("Whole run", "Whole run  (0)", () => timeline.zoomTo([0, timeline.whole])),
            this.toSelection,
            this.back,
            this.forward,
            legend.line,
            legend.button,
        );
        this.laneTools.className = "lanes-tools";
        this.laneTools.hidden = true;
        this.pin = button("Pin", "Keep this lane on top  (P)", () => togglePinned(timeline, this.lane), "small");
        this.laneTools.append(
            this.pin,
            button("Hide", "Hide this lane  (X)", () => hideLane(timeline, this.lane), "small"),
        );
    }

    show(scene: Scene): void {
        for (const [mode, element] of this.modes) {
            element.setAttribute("aria-pressed", String((mode === "cpu") === scene.byCpu));
            const lacksLanes = mode === "cpu" && scene.execution.cpus === 0;
            element.disabled = lacksLanes;
            if (mode === "cpu") {
                element.title = lacksLanes ? noLanesByCpu(scene.overview) : "By CPU  (C)";
            }
        }
        this.idle.setAttribute("aria-pressed", String(scene.state.hideIdle));
        this.idle.textContent = scene.order.idleCount > 0 ? `${scene.order.idleCount} idle hidden` : "Hide idle";
        this.groups.setAttribute("aria-pressed", String(scene.isGrouped));
        this.groups.disabled = scene.byCpu || scene.execution.groups === 0;
        this.sorting.value = scene.state.sorting;
        this.sorting.disabled = scene.byCpu;
        this.idle.disabled = scene.byCpu;
        this.toSelection.disabled = !scene.state.selection && !scene.state.mark;
        this.back.disabled = !this.timeline.store.canUndoZoom;
        this.forward.disabled = !this.timeline.store.canRedoZoom;
        this.hidden.textContent = `${counted(scene.order.hiddenCount, "lane")} hidden: show`;
        this.hidden.hidden = scene.order.hiddenCount === 0 || scene.byCpu;
    }

    // Pin and hide, on the name that the pointer is on.
    followPointer(): void {
        const { hit, scene, move } = this.timeline;
        const isThread = hit?.lane != null && hit.lane.id < this.timeline.inputs.execution.threads;
        const lane = hit?.place === "label" && isThread && !scene.byCpu && !move ? hit.lane : null;
        this.laneTools.hidden = lane === null;
        if (lane) {
            this.lane = lane.id;
            this.pin.textContent = lane.isPinned ? "Unpin" : "Pin";
            this.laneTools.style.top = `${lane.top + (scene.layout.laneHeight - 20) / 2}px`;
            this.laneTools.style.right = `${scene.layout.width - scene.layout.gutter + 4}px`;
        }
    }
}
