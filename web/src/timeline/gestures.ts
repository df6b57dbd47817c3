// What do pointer, wheel and fingers do? Wheel: zoom at the pointer; with Shift, or sideways: pan; with Alt, or over the
// names: scroll the lanes. Drag: move; on the axis or the parallelism, or with Shift: mark; a cursor: move it. Two fingers: zoom and pan.

import type { Range } from "../state.ts";
import { moveCursor } from "./cursor_handles.ts";
import { hitAt, placeAt, type Hit } from "./hit.ts";
import { groupOfLane } from "./lane_groups.ts";
import { orderAfterMove } from "./layout.ts";
import { panned, within, zoomed } from "./scale.ts";
import type { Timeline } from "./timeline.ts";

const clickReach = 4; // px: a pointer that moved no further clicked
const edgeReach = 5; // px around the edges of the mark and of the minimap's window
const wheelRate = 0.0022; // of the logarithm of the zoom, per px
const panRate = 1;
const linePixels = 18;
const wheelPause = 400; // ms after which turning the wheel is a new zoom to go back to

interface Point {
    readonly x: number;
    readonly y: number;
}

// What a press on a place begins: moves are told from where they began.
interface Drag {
    move(at: Point, from: Point): void;
    end?(at: Point): void;
    readonly cursor: string;
}

export class Gestures {
    private readonly timeline: Timeline;
    private readonly stage: HTMLElement;
    private readonly pointers = new Map<number, Point>();
    private drag: Drag | null = null;
    private begun: Point = { x: 0, y: 0 };
    private pressed: Hit | null = null;
    private hasMoved = false;
    private pinch: { readonly span: number; readonly range: Range; readonly time: number } | null = null;
    private lastWheel = 0;
    isInside = false;

    constructor(timeline: Timeline, stage: HTMLElement) {
        this.timeline = timeline;
        this.stage = stage;
        stage.addEventListener("pointerdown", (event) => this.press(event));
        stage.addEventListener("pointermove", (event) => this.moveTo(event));
        stage.addEventListener("pointerup", (event) => this.release(event));
        stage.addEventListener("pointercancel", (event) => this.cancel(event));
        stage.addEventListener("pointerleave", () => this.leave());
        stage.addEventListener("dblclick", (event) => this.zoomToClicked(event));
        stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        stage.addEventListener("contextmenu", () => this.leave());
    }

    // Lets go of what is being dragged; false: of nothing.
    abort(): boolean {
        const isDragging = this.drag !== null && this.hasMoved;
        this.drag = null;
        this.timeline.showMove(null);
        return isDragging;
    }

    private at(event: MouseEvent): Point {
        const box = this.stage.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    private press(event: PointerEvent): void {
        if (event.target instanceof HTMLElement && event.target.closest("button")) {
            return;
        }
        if (event.pointerType === "mouse" && event.button > 1) {
            return;
        }
        const at = this.at(event);
        this.stage.focus({ preventScroll: true });
        this.stage.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, at);
        if (this.pointers.size === 2) {
            this.beginPinch();
            return;
        }
        this.begun = at;
        this.hasMoved = false;
        this.pressed = hitAt(this.timeline.scene, at.x, at.y);
        this.drag = this.dragFrom(at, event);
        event.preventDefault();
    }

    private moveTo(event: PointerEvent): void {
        const at = this.at(event);
        this.isInside = true;
        if (this.pointers.has(event.pointerId)) {
            this.pointers.set(event.pointerId, at);
        }
        if (this.pinch && this.pointers.size >= 2) {
            this.pinchOn();
            return;
        }
        if (!this.drag) {
            if (event.target instanceof HTMLElement && event.target.closest("button")) {
                return;
            }
            this.timeline.point(at);
            this.stage.style.cursor = this.cursorAt(at, event.shiftKey);
            return;
        }
        if (!this.hasMoved && Math.hypot(at.x - this.begun.x, at.y - this.begun.y) > clickReach) {
            this.hasMoved = true;
            this.stage.style.cursor = this.drag.cursor;
            this.timeline.point(null);
        }
        if (this.hasMoved) {
            this.drag.move(at, this.begun);
        }
    }

    private release(event: PointerEvent): void {
        const at = this.at(event);
        this.pointers.delete(event.pointerId);
        if (this.pinch) {
            this.pinch = null;
            this.drag = null;
            return;
        }
        if (this.drag && this.hasMoved) {
            this.drag.end?.(at);
        } else if (this.drag && this.pressed) {
            this.click(this.pressed);
        }
        this.drag = null;
        this.stage.style.cursor = this.cursorAt(at, event.shiftKey);
        this.timeline.point(event.pointerType === "touch" && this.hasMoved ? null : at);
    }

    private cancel(event: PointerEvent): void {
        this.pointers.delete(event.pointerId);
        this.pinch = null;
        this.abort();
    }

    private leave(): void {
        this.isInside = false;
        if (!this.drag) {
            this.timeline.point(null);
        }
    }

    private click(hit: Hit): void {
        const { timeline } = this;
        const group = hit.lane && !timeline.scene.byCpu ? groupOfLane(timeline.inputs.execution, hit.lane.id) : null;
        if (group !== null) {
            timeline.toggleGroup(group);
        } else if (hit.place === "lanes" || hit.place === "label") {
            this.timeline.select(this.timeline.selectionOf(hit));
        } else if (hit.place === "axis" || hit.place === "profile") {
            this.timeline.store.set({ mark: null });
        }
    }

    private zoomToClicked(event: MouseEvent): void {
        const at = this.at(event);
        const place = placeAt(this.timeline.scene, at.x, at.y);
        if (place === "lanes" || place === "label") {
            this.timeline.frameSelection();
        }
    }

    private cursorAt(at: Point, shift: boolean): string {
        const place = placeAt(this.timeline.scene, at.x, at.y);
        if (this.cursorHeldAt(at) >= 0) {
            return "ew-resize";
        }
        if (this.markEdgeAt(at) >= 0 && (place === "axis" || place === "profile")) {
            return "ew-resize";
        }
        switch (place) {
            case "axis":
            case "profile":
                return "text";
            case "minimap":
                return this.windowEdgeAt(at) === null ? "grab" : "ew-resize";
            case "lanes":
                return shift ? "text" : "default";
            default:
                return "default";
        }
    }

    private dragFrom(at: Point, event: PointerEvent): Drag {
        const { timeline } = this;
        const { scene } = timeline;
        const place = placeAt(scene, at.x, at.y);
        if (place === "minimap") {
            return this.minimapDrag(at);
        }
        if (place === "scrollbar") {
            const scroll = timeline.scroll;
            const perPixel = scene.layout.contentHeight / scene.layout.lanes.height;
            return { cursor: "default", move: (to, from) => timeline.setScroll(scroll + (to.y - from.y) * perPixel) };
        }
        if (place === "label") {
            return this.laneDrag();
        }
        const cursor = this.cursorHeldAt(at);
        if (cursor >= 0) {
            return this.cursorDrag(cursor);
        }
        if (place === "axis" || place === "profile" || (event.shiftKey && event.button === 0)) {
            return this.markDrag(at);
        }
        return this.panDrag();
    }

    private panDrag(): Drag {
        const { timeline } = this;
        const range = timeline.range;
        const scroll = timeline.scroll;
        const nsPerPixel = (range[1] - range[0]) / timeline.scene.layout.plot;
        let isFirst = true;
        return {
            cursor: "grabbing",
            move: (to, from) => {
                if (isFirst) {
                    timeline.rememberZoom();
                    isFirst = false;
                }
                timeline.setRange(panned(range, (from.x - to.x) * nsPerPixel * panRate, timeline.whole));
                timeline.setScroll(scroll + from.y - to.y);
            },
        };
    }

    private cursorDrag(index: number): Drag {
        const { timeline } = this;
        return { cursor: "ew-resize", move: (to) => moveCursor(timeline, index, timeline.timeAt(to.x)) };
    }

    // The cursor that is held there; -1: none.
    private cursorHeldAt(at: Point): number {
        const { cursors } = this.timeline.store.get();
        const place = placeAt(this.timeline.scene, at.x, at.y);
        const isPlot = place === "axis" || place === "profile" || place === "lanes";
        return isPlot ? cursors.findIndex((time) => Math.abs(this.xOf(time) - at.x) <= edgeReach) : -1;
    }

    private xOf(time: number): number {
        const { scene, range } = this.timeline;
        return scene.layout.gutter + ((time - range[0]) / (range[1] - range[0])) * scene.layout.plot;
    }

    private markDrag(at: Point): Drag {
        const { timeline } = this;
        const edge = this.markEdgeAt(at);
        const fixed = edge < 0 ? timeline.timeAt(at.x) : timeline.store.get().mark![1 - edge]!;
        return {
            cursor: edge < 0 ? "text" : "ew-resize",
            move: (to) => {
                const held = (time: number) => Math.min(timeline.whole, Math.max(0, time));
                const time = held(timeline.timeAt(to.x));
                timeline.store.set({ mark: [Math.min(held(fixed), time), Math.max(held(fixed), time)] });
            },
        };
    }

    // 0 or 1: the edge of the marked interval that is held there; -1: none.
    private markEdgeAt(at: Point): number {
        const { mark } = this.timeline.store.get();
        return mark ? mark.findIndex((time) => Math.abs(this.xOf(time) - at.x) <= edgeReach) : -1;
    }

    private windowEdgeAt(at: Point): "begin" | "end" | null {
        const { scene, range, whole } = this.timeline;
        const xOf = (time: number) => scene.layout.gutter + (time / whole) * scene.layout.plot;
        if (xOf(range[1]) - xOf(range[0]) < 3 * edgeReach) {
            return null;
        }
        return Math.abs(xOf(range[0]) - at.x) <= edgeReach ? "begin" : Math.abs(xOf(range[1]) - at.x) <= edgeReach ? "end" : null;
    }

    private minimapDrag(at: Point): Drag {
        const { timeline } = this;
        const { whole } = timeline;
        const { gutter, plot } = timeline.scene.layout;
        const timeOf = (x: number) => ((x - gutter) / plot) * whole;
        const edge = this.windowEdgeAt(at);
        const range = timeline.range;
        timeline.rememberZoom();
        const isInside = timeOf(at.x) >= range[0] && timeOf(at.x) <= range[1];
        const centred = panned(range, timeOf(at.x) - (range[0] + range[1]) / 2, whole);
        if (!isInside) {
            timeline.setRange(centred);
        }
        const from = isInside ? range : centred;
        return {
            cursor: edge ? "ew-resize" : "grabbing",
            move: (to) => {
                if (edge === "begin") {
                    timeline.setRange(within([Math.min(timeOf(to.x), range[1]), range[1]], whole));
                } else if (edge === "end") {
                    timeline.setRange(within([range[0], Math.max(range[0], timeOf(to.x))], whole));
                } else {
                    timeline.setRange(panned(from, timeOf(to.x) - timeOf(at.x), whole));
                }
            },
        };
    }

    // A lane by its name to another place.
    private laneDrag(): Drag {
        const { timeline } = this;
        const { layout, order, byCpu, isGrouped } = timeline.scene;
        const lane = this.pressed?.lane;
        if (!lane || lane.isPinned || byCpu || isGrouped) {
            return { cursor: "default", move: () => undefined };
        }
        let place = lane.place;
        return {
            cursor: "grabbing",
            move: (to) => {
                place = Math.max(0, Math.min(order.others.length, Math.round((to.y - layout.lanes.top + timeline.scroll) / layout.laneHeight)));
                timeline.showMove({ lane: lane.id, place, y: to.y });
            },
            end: () => {
                timeline.showMove(null);
                timeline.store.set({ order: orderAfterMove(order.others, lane.id, place > lane.place ? place - 1 : place) });
            },
        };
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const { timeline } = this;
        const at = this.at(event);
        const unit = event.deltaMode === 1 ? linePixels : event.deltaMode === 2 ? timeline.scene.layout.height : 1;
        const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY * unit, 0] : [event.deltaX * unit, event.deltaY * unit];
        const place = placeAt(timeline.scene, at.x, at.y);
        if (event.altKey || place === "label" || place === "scrollbar") {
            timeline.setScroll(timeline.scroll + dy);
            return;
        }
        const now = event.timeStamp;
        if (now - this.lastWheel > wheelPause) {
            timeline.rememberZoom();
        }
        this.lastWheel = now;
        if (Math.abs(dx) > Math.abs(dy)) {
            const range = timeline.range;
            timeline.setRange(panned(range, (dx / timeline.scene.layout.plot) * (range[1] - range[0]), timeline.whole));
        } else {
            const rate = event.ctrlKey ? wheelRate * 3 : wheelRate;
            const time = place === "minimap" ? (timeline.range[0] + timeline.range[1]) / 2 : timeline.timeAt(at.x);
            timeline.setRange(zoomed(timeline.range, Math.exp(Math.max(-240, Math.min(240, dy)) * rate), time, timeline.whole));
        }
    }

    private beginPinch(): void {
        const [a, b] = [...this.pointers.values()] as [Point, Point];
        this.drag = null;
        this.timeline.point(null);
        this.timeline.rememberZoom();
        this.pinch = { span: Math.max(10, Math.abs(a.x - b.x)), range: this.timeline.range, time: this.timeline.timeAt((a.x + b.x) / 2) };
    }

    private pinchOn(): void {
        const [a, b] = [...this.pointers.values()] as [Point, Point];
        const { span, range, time } = this.pinch!;
        const { gutter, plot } = this.timeline.scene.layout;
        const length = (range[1] - range[0]) * (span / Math.max(10, Math.abs(a.x - b.x)));
        const share = ((a.x + b.x) / 2 - gutter) / plot;
        const begin = time - share * length;
        this.timeline.setRange(within([begin, begin + length], this.timeline.whole));
    }
}
