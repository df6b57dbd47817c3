// What do the keys do in the timeline? W S A D move as long as they are held; the others act once.

import { isTyping } from "../chrome/shortcuts.ts";
import { firstAfter, none } from "../execution.ts";
import type { Selection } from "../state.ts";
import { intervalsBefore } from "./cpu_pixels.ts";
import { laneOfEvent, laneOfInterval } from "./draw_marks.ts";
import type { Gestures } from "./gestures.ts";
import { arrangedLanes, groupOfLane } from "./lane_groups.ts";
import { laneBeside, laneOrder, orderAfterMove } from "./layout.ts";
import { panned, zoomed } from "./scale.ts";
import type { Timeline } from "./timeline.ts";

const zoomRate = 0.0045; // of the logarithm of the zoom, per ms
const panRate = 0.0011; // of what is shown, per ms
const stepTime = 90; // ms: what a short press is worth

type Moving = "w" | "s" | "a" | "d";

export class Keys {
    private readonly timeline: Timeline;
    private readonly gestures: Gestures;
    private readonly container: HTMLElement;
    private readonly stage: HTMLElement;
    private readonly held = new Set<Moving>();
    private frame = 0;
    private last = 0;
    private readonly down = (event: KeyboardEvent) => this.press(event);
    private readonly up = (event: KeyboardEvent) => this.held.delete(event.key.toLowerCase() as Moving);
    private readonly away = () => this.held.clear();

    constructor(timeline: Timeline, gestures: Gestures, container: HTMLElement, stage: HTMLElement) {
        this.timeline = timeline;
        this.gestures = gestures;
        this.container = container;
        this.stage = stage;
        // Before the page's own keys, which see that an event was acted upon.
        addEventListener("keydown", this.down, { capture: true });
        addEventListener("keyup", this.up, { capture: true });
        addEventListener("blur", this.away);
    }

    destroy(): void {
        removeEventListener("keydown", this.down, { capture: true });
        removeEventListener("keyup", this.up, { capture: true });
        removeEventListener("blur", this.away);
        cancelAnimationFrame(this.frame);
    }

    // Letters act wherever the focus is, but where one types: in the timeline under the pointer, or else the one that has
    // the focus, or else the first. Keys that others use too act only where nothing else has the focus.
    private isMine(event: KeyboardEvent): boolean {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) {
            return false;
        }
        const focus = document.activeElement;
        const pointed = document.querySelector(".timeline:hover");
        const first = document.querySelector(".timeline");
        if (/^[a-z0]$/i.test(event.key)) {
            return this.container === (pointed ?? focus?.closest(".timeline") ?? first);
        }
        const isFree = focus === null || focus === document.body;
        return this.stage === focus || (isFree && this.container === (pointed ?? first));
    }

    private press(event: KeyboardEvent): void {
        if (!this.isMine(event)) {
            return;
        }
        const act = this.actionOf(event);
        if (act && act() !== false) {
            event.preventDefault();
        }
    }

    // An action that returns false did nothing: the page may act.
    private actionOf(event: KeyboardEvent): (() => boolean | void) | null {
        const { timeline } = this;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        switch (key) {
            case "w":
            case "s":
            case "a":
            case "d":
                return () => this.hold(key);
            case "f":
            case "Enter":
                return () => timeline.frameLatest();
            case "0":
            case "Home":
                return () => timeline.zoomTo([0, timeline.whole]);
            case "u":
            case "Backspace":
                return () => (event.shiftKey ? timeline.redoZoom() : timeline.undoZoom());
            case "m":
                return () => this.setCursor();
            case "c":
                return () => timeline.store.set({ mode: timeline.store.get().mode === "cpu" ? "thread" : "cpu" });
            case "i":
                return () => timeline.store.set({ hideIdle: !timeline.store.get().hideIdle });
            case "g":
                return () => timeline.store.set({ grouping: timeline.scene.isGrouped ? "off" : "on" });
            case "e":
                return () => this.toggleGroup();
            case "p":
                return () => this.togglePin();
            case "x":
                return () => (event.shiftKey ? timeline.store.set({ hidden: [] }) : this.hide());
            case "ArrowLeft":
            case "ArrowRight":
                return () => this.selectBeside(key === "ArrowRight" ? 1 : -1);
            case "ArrowUp":
            case "ArrowDown":
                return () => (event.shiftKey ? this.moveLane(key === "ArrowDown" ? 1 : -1) : this.selectLane(key === "ArrowDown" ? 1 : -1));
            case "PageUp":
            case "PageDown":
                return () => timeline.setScroll(timeline.scroll + (key === "PageDown" ? 1 : -1) * timeline.scene.layout.lanes.height * 0.9);
            case "Escape":
                return () => this.leave();
            default:
                return null;
        }
    }

    private hold(key: Moving): void {
        if (this.held.has(key)) {
            return;
        }
        if (this.held.size === 0) {
            this.timeline.rememberZoom();
        }
        this.moveBy(key, stepTime);
        if (this.timeline.inputs.reducedMotion) {
            return;
        }
        this.held.add(key);
        if (this.frame === 0) {
            this.last = performance.now() + stepTime;
            this.frame = requestAnimationFrame((now) => this.moveOn(now));
        }
    }

    private moveOn(now: number): void {
        this.frame = 0;
        if (this.held.size === 0) {
            return;
        }
        const time = Math.min(100, now - this.last);
        if (time > 0) {
            this.held.forEach((key) => this.moveBy(key, time));
            this.last = now;
        }
        this.frame = requestAnimationFrame((next) => this.moveOn(next));
    }

    private moveBy(key: Moving, time: number): void {
        const { timeline } = this;
        const { range, whole } = timeline;
        if (key === "w" || key === "s") {
            const factor = Math.exp((key === "w" ? -1 : 1) * zoomRate * time);
            timeline.setRange(zoomed(range, factor, timeline.timeAtPointer(), whole));
        } else {
            timeline.setRange(panned(range, (key === "a" ? -1 : 1) * panRate * time * (range[1] - range[0]), whole));
        }
    }

    // The first sets where to measure from, the second to where, the third begins anew.
    private setCursor(): void {
        const { timeline } = this;
        const { cursors } = timeline.store.get();
        const time = Math.max(0, Math.min(timeline.whole, timeline.timeAtPointer()));
        timeline.store.set({ cursors: cursors.length === 1 ? [cursors[0]!, time] : [time] });
    }

    private leave(): boolean {
        const { store } = this.timeline;
        if (this.gestures.abort()) {
            return true;
        }
        const { mark, cursors } = store.get();
        store.set({ mark: null, cursors: [] });
        return mark !== null || cursors.length > 0;
    }

    // The lane that keys act on: that of the selection, or else the one under the pointer.
    private lane(): number {
        const { scene, hit, store, inputs } = this.timeline;
        const { selection } = store.get();
        const { execution } = inputs;
        if (selection?.kind === "thread" && !scene.byCpu && selection.index < execution.threads) {
            return selection.index;
        }
        if (selection?.kind === "interval" && selection.index < execution.intervals) {
            return laneOfInterval(scene, selection.index);
        }
        if (selection?.kind === "event" && selection.index < execution.events) {
            return laneOfEvent(scene, selection.index);
        }
        const lane = hit?.lane?.id ?? none;
        return scene.byCpu || lane < execution.threads ? lane : none;
    }

    // The one whose name is under the pointer, or else lane().
    private pointedLane(): number {
        const { hit, inputs } = this.timeline;
        const pointed = hit?.place === "label" ? hit.lane!.id : none;
        return pointed < inputs.execution.threads ? pointed : this.lane();
    }

    // The group of the lane under the pointer, or else of the selection.
    private toggleGroup(): void {
        const { timeline } = this;
        const { execution } = timeline.inputs;
        const pointed = timeline.hit?.lane?.id ?? none;
        const lane = this.lane();
        const group = groupOfLane(execution, pointed) ?? (lane === none ? none : execution.groupOf[lane]!);
        if (timeline.scene.isGrouped && group !== none) {
            timeline.toggleGroup(group);
        }
    }

    private togglePin(): void {
        const lane = this.pointedLane();
        if (lane !== none && !this.timeline.scene.byCpu) {
            togglePinned(this.timeline, lane);
        }
    }

    private hide(): void {
        const lane = this.pointedLane();
        if (lane !== none && !this.timeline.scene.byCpu) {
            hideLane(this.timeline, lane);
        }
    }

    private moveLane(by: 1 | -1): void {
        const { order, byCpu, isGrouped } = this.timeline.scene;
        const lane = isGrouped ? none : this.lane();
        const place = order.others.indexOf(lane);
        if (!byCpu && place >= 0 && order.others[place + by] !== undefined) {
            this.timeline.store.set({ order: orderAfterMove(order.others, lane, place + by) });
        }
    }

    private selectLane(by: 1 | -1): void {
        const { scene, store } = this.timeline;
        const { threads } = this.timeline.inputs.execution;
        const shown = [...scene.order.pinned, ...scene.order.others].filter((lane) => scene.byCpu || lane < threads);
        const next = laneBeside(this.allLanes(), shown, this.lane(), by);
        if (next === undefined) {
            return;
        }
        const { selection } = store.get();
        const time = this.timeOfSelection(selection);
        const interval = time === null && !scene.byCpu ? none : this.intervalIn(next, time ?? scene.range[0]);
        if (interval !== none) {
            this.timeline.select({ kind: "interval", index: interval });
        } else if (!scene.byCpu) {
            this.timeline.select({ kind: "thread", index: next });
        }
    }

    // Those that are hidden too, where they would stand.
    private allLanes(): readonly number[] {
        const { scene, inputs } = this.timeline;
        const { execution } = inputs;
        const choice = scene.byCpu ? { pinned: [], hidden: [], order: [] } : { ...scene.state, hidden: [], order: scene.isGrouped ? [] : scene.state.order };
        const lanes = scene.byCpu ? execution.cpus : arrangedLanes(execution, scene.state).filter((lane) => lane < execution.threads);
        const { pinned, others } = laneOrder(lanes, choice, () => false, execution.threads);
        return [...pinned, ...others];
    }

    private timeOfSelection(selection: Selection | null): number | null {
        const { execution } = this.timeline.inputs;
        const { range } = this.timeline.scene;
        if (selection?.kind === "event" && selection.index < execution.events) {
            return execution.eventTime[selection.index]!;
        }
        if (selection?.kind !== "interval" || selection.index >= execution.intervals) {
            return null;
        }
        const begin = Math.max(range[0], execution.intervalBegin[selection.index]!);
        const end = Math.min(range[1], execution.intervalEnd(selection.index));
        return (begin + end) / 2;
    }

    private intervalIn(lane: number, time: number): number {
        const { execution } = this.timeline.inputs;
        if (!this.timeline.scene.byCpu) {
            return execution.intervalAt(lane, time);
        }
        const before = intervalsBefore(execution, lane, time);
        const first = execution.cpuFirst[lane]!;
        const place = first + Math.max(0, before - 1);
        return place < execution.cpuFirst[lane + 1]! ? execution.cpuInterval[place]! : none;
    }

    private selectBeside(by: 1 | -1): void {
        const { timeline } = this;
        const { scene, inputs } = timeline;
        const { execution } = inputs;
        const { selection } = timeline.store.get();
        if (selection?.kind === "interval" && selection.index < execution.intervals) {
            const next = this.beside(selection.index, by);
            if (next !== none) {
                timeline.select({ kind: "interval", index: next });
            }
            return;
        }
        const lane = this.lane() === none ? (scene.order.pinned[0] ?? scene.order.others[0]) : this.lane();
        const time = this.timeOfSelection(selection) ?? (by === 1 ? scene.range[0] : scene.range[1]);
        if (lane === undefined) {
            return;
        }
        let interval = this.intervalIn(lane, time);
        if (interval === none && !scene.byCpu) {
            const first = execution.laneFirst[lane]!;
            const last = execution.laneFirst[lane + 1]!;
            const after = firstAfter(execution.intervalBegin, time, first, last);
            interval = first === last ? none : Math.min(last - 1, after);
        }
        if (interval !== none) {
            timeline.select({ kind: "interval", index: interval });
        }
    }

    private beside(interval: number, by: 1 | -1): number {
        const { scene, inputs } = this.timeline;
        const { execution } = inputs;
        if (scene.byCpu) {
            const cpu = execution.intervalCpu[interval]!;
            if (cpu >= execution.cpus) {
                return none;
            }
            const first = execution.cpuFirst[cpu]!;
            const place = first + intervalsBefore(execution, cpu, execution.intervalBegin[interval]!) - 1 + by;
            return place >= first && place < execution.cpuFirst[cpu + 1]! ? execution.cpuInterval[place]! : none;
        }
        const thread = execution.threadOfInterval(interval);
        const next = interval + by;
        return next >= execution.laneFirst[thread]! && next < execution.laneFirst[thread + 1]! ? next : none;
    }
}

export function togglePinned(timeline: Timeline, lane: number): void {
    const { pinned } = timeline.store.get();
    timeline.store.set({ pinned: pinned.includes(lane) ? pinned.filter((id) => id !== lane) : [...pinned, lane] });
}

export function hideLane(timeline: Timeline, lane: number): void {
    const { pinned, hidden } = timeline.store.get();
    timeline.store.set({ hidden: [...hidden.filter((id) => id !== lane), lane], pinned: pinned.filter((id) => id !== lane) });
}
