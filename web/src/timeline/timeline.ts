// The timeline as one thing: what it shows, when it draws, and what gestures and keys ask of it. State that a link
// holds lives in the store; here is what does not: the scroll, the pointer, a range on its way.

import { none, type Execution } from "../execution.ts";
import type { Overview } from "../overview.ts";
import type { Range, Selection, Store } from "../state.ts";
import type { Scheme } from "../theme/palette.ts";
import { CanvasPainter, PixelGround } from "./canvas_painter.ts";
import { GroundDrawing, profileMargin } from "./draw_ground.ts";
import { drawHover, type LaneMove } from "./draw_hover.ts";
import { drawMarks, drawScrollbar, laneOfEvent, laneOfInterval } from "./draw_marks.ts";
import { extentOf } from "./extent.ts";
import { flowsOf, type Flows } from "./flows.ts";
import { hitAt, type Hit } from "./hit.ts";
import { inksOf, type Inks } from "./inks.ts";
import { isActive } from "./lane_pixels.ts";
import { areLanesGrouped, arrangedLanes, groupLabel, groupOfLane, isEmptied } from "./lane_groups.ts";
import { laneOrder, layoutOf, mostScroll, scrollTo, type LaneOrder, type Layout } from "./layout.ts";
import { textSize } from "./painter.ts";
import { fillPicture, markPicture, pictureSize, type Caption } from "./picture.ts";
import { parallelismAxis } from "./parallelism_axis.ts";
import { PathByCpu, PathByThread } from "./path.ts";
import { taskFlowsOf } from "./task_flows.ts";
import { togetherOf } from "./profile_together.ts";
import { litBy, Names, scaleOf, type Scene } from "./scene.ts";
import { asWished, framing, revealing, within } from "./scale.ts";
import { SvgPainter } from "./svg_painter.ts";
import { linesAt, spoken } from "./tooltip.ts";
import type { OperationWeights } from "../weights.ts";

const glideTime = 140; // ms
const restTime = 150; // ms after which a range counts as where the user stays
const mostMeasured = 500; // names

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

interface Position {
    readonly x: number; // px from the left upper corner of the stage
    readonly y: number;
}

export interface Surfaces {
    readonly stage: HTMLElement;
    readonly canvas: HTMLCanvasElement;
    readonly overlay: HTMLCanvasElement;
    readonly tooltip: HTMLElement;
    readonly spoken: HTMLElement;
}

export class Timeline {
    inputs: TimelineInputs;
    scroll = 0;
    hit: Hit | null = null; // what lies under the pointer in what is drawn
    move: LaneMove | null = null;
    onDrawn: (scene: Scene) => void = () => undefined;
    onPointed: () => void = () => undefined;
    onTold: (sentence: string) => void = () => undefined;

    private readonly surfaces: Surfaces;
    private readonly drawing = new GroundDrawing();
    private ground = new PixelGround(1, 1, 1);
    private readonly painter: CanvasPainter;
    private readonly hoverPainter: CanvasPainter;
    private inks: Inks;
    private names: Names;
    private path: PathByThread;
    private cpuPath: PathByCpu | null = null; // made when it is seen first
    private order: LaneOrder = { pinned: [], others: [], hiddenCount: 0, idleCount: 0 };
    private idleRange: Range;
    private rested: Range; // where the user stayed last
    private restTimer: ReturnType<typeof setTimeout> | undefined;
    private wanted: Range | null = null; // for the next frame
    private frame = 0;
    private isStale = true;
    private glide: { readonly from: Range; readonly to: Range; readonly begun: number } | null = null;
    private current: Scene | null = null;
    private unsubscribe: () => void;
    private readonly observer: ResizeObserver;
    private hasDrawn = false;
    private pointer: Position | null = null;
    private isMarkLatest = false; // nothing was selected since

    constructor(surfaces: Surfaces, inputs: TimelineInputs) {
        this.surfaces = surfaces;
        this.inputs = inputs;
        this.painter = new CanvasPainter(surfaces.canvas.getContext("2d", { alpha: false, willReadFrequently: true })!);
        this.hoverPainter = new CanvasPainter(surfaces.overlay.getContext("2d")!);
        this.inks = inksOf(inputs.scheme);
        this.names = new Names(inputs.overview);
        this.path = new PathByThread(inputs.execution);
        this.idleRange = this.range;
        this.rested = this.range;
        this.unsubscribe = this.listen();
        this.observer = new ResizeObserver(() => this.changed());
        this.observer.observe(surfaces.stage);
        this.arrange();
        this.reveal(inputs.store.get().selection);
        this.changed();
    }

    destroy(): void {
        this.unsubscribe();
        this.observer.disconnect();
        cancelAnimationFrame(this.frame);
        clearTimeout(this.restTimer);
    }

    update(inputs: TimelineInputs): void {
        const before = this.inputs;
        this.inputs = inputs;
        if (inputs.scheme !== before.scheme) {
            this.inks = inksOf(inputs.scheme);
            this.ground.forgetInks();
        }
        if (inputs.overview !== before.overview) {
            this.names = new Names(inputs.overview);
        }
        if (inputs.execution !== before.execution) {
            this.path = new PathByThread(inputs.execution);
            this.cpuPath = null;
        }
        if (inputs.store !== before.store) {
            this.unsubscribe();
            this.unsubscribe = this.listen();
        }
        this.rested = this.range;
        this.point(null);
        this.arrange();
        this.changed();
    }

    get store() {
        return this.inputs.store;
    }
    get whole(): number {
        return Math.max(1, this.inputs.whole);
    }
    // What is seen, or will be in the next frame.
    get range(): Range {
        return this.wanted ?? within(this.store.get().range ?? [0, this.whole], this.whole);
    }
    get scene(): Scene {
        return this.current ?? this.buildScene();
    }

    // Steps of a gesture: no more than one a frame reaches the store.
    setRange(range: Range): void {
        this.glide = null;
        this.wanted = range;
        this.request();
    }
    rememberZoom(): void {
        this.store.rememberZoom();
    }
    // A jump: it can be undone, and the eye can follow.
    zoomTo(range: Range): void {
        const from = this.range;
        this.wanted = null;
        if (this.inputs.reducedMotion) {
            this.store.zoomTo(asWished(range, this.whole));
            return;
        }
        this.store.rememberZoom();
        this.glide = { from, to: range, begun: performance.now() };
        this.request();
    }
    undoZoom(): void {
        this.halt();
        this.store.undoZoom();
    }
    redoZoom(): void {
        this.halt();
        this.store.redoZoom();
    }
    private halt(): void {
        this.glide = null;
        this.wanted = null;
    }

    setScroll(scroll: number): void {
        const next = Math.round(Math.max(0, Math.min(mostScroll(this.scene.layout), scroll)));
        if (next !== this.scroll) {
            this.scroll = next;
            this.changed();
        }
    }

    select(selection: Selection | null): void {
        this.store.set({ selection });
    }

    // Where the pointer is; null: elsewhere.
    point(position: Position | null): void {
        this.pointer = position;
        this.hit = position ? hitAt(this.scene, position.x, position.y) : null;
        this.showTooltip();
        this.drawHover();
        this.onPointed();
    }
    showMove(move: LaneMove | null): void {
        this.move = move;
        this.drawHover();
    }

    // Zooms to what was selected or marked last.
    frameLatest(): void {
        const { selection, mark } = this.store.get();
        if (mark && (this.isMarkLatest || !selection)) {
            this.zoomUnlessSeen(framing(mark[0], mark[1], this.whole), "The mark");
        } else {
            this.frameSelection();
        }
    }

    // An event has no length, and is zoomed in on.
    frameSelection(): void {
        const { selection } = this.store.get();
        const extent = selection && extentOf(this.inputs.execution, selection);
        if (!extent) {
            this.onTold(selection ? "The selection does not occur in this execution." : "Nothing is selected or marked.");
            return;
        }
        const [begin, end] = extent;
        const span = (this.range[1] - this.range[0]) / 16;
        this.zoomUnlessSeen(selection.kind === "event" ? within([begin - span, end + span], this.whole) : framing(begin, end, this.whole), "The selection");
        this.reveal(selection.kind === "thread" ? selection : null);
    }

    private zoomUnlessSeen(range: Range, what: string): void {
        if (range[0] === this.range[0] && range[1] === this.range[1]) {
            this.onTold(`${what} already fills the view.`);
        } else {
            this.zoomTo(range);
        }
    }

    // Shows what was selected elsewhere, moving no further than needed.
    private reveal(selection: Selection | null): void {
        const { execution, store } = this.inputs;
        if (!selection || (selection.kind !== "interval" && selection.kind !== "event" && selection.kind !== "thread")) {
            return;
        }
        const counts = { interval: execution.intervals, event: execution.events, thread: execution.threads };
        if (selection.index >= counts[selection.kind]) {
            return;
        }
        let lane = selection.index;
        if (selection.kind !== "thread") {
            const isInterval = selection.kind === "interval";
            const begin = isInterval ? execution.intervalBegin[selection.index]! : execution.eventTime[selection.index]!;
            const end = isInterval ? execution.intervalEnd(selection.index) : begin;
            const range = revealing(this.range, begin, end, this.whole);
            if (range !== this.range && (range[0] !== this.range[0] || range[1] !== this.range[1])) {
                this.glide = null;
                store.set({ range: asWished(range, this.whole) });
            }
            const scene = this.buildScene();
            lane = isInterval ? laneOfInterval(scene, selection.index) : laneOfEvent(scene, selection.index);
        }
        const isLaneKnown = selection.kind !== "thread" || !this.isByCpu;
        if (isLaneKnown) {
            this.scroll = scrollTo(this.layout(), this.order, this.scroll, this.buildScene().laneOf(lane));
        }
    }

    private get isByCpu(): boolean {
        return this.showsCpus(this.inputs);
    }
    private get isGrouped(): boolean {
        return !this.isByCpu && areLanesGrouped(this.inputs.execution, this.store.get().grouping);
    }
    private showsCpus({ execution }: Lanes): boolean {
        return this.store.get().mode === "cpu" && execution.cpus > 0;
    }

    private listen(): () => void {
        return this.store.subscribe((state, previous) => {
            if (state.range !== previous.range) {
                this.surfaces.tooltip.hidden = true; // until the range rests
                clearTimeout(this.restTimer);
                this.restTimer = setTimeout(() => this.rest(), restTime);
            }
            if (
                state.pinned !== previous.pinned ||
                state.hidden !== previous.hidden ||
                state.order !== previous.order ||
                state.grouping !== previous.grouping ||
                state.unfolded !== previous.unfolded ||
                state.sorting !== previous.sorting ||
                (state.selection !== previous.selection && this.isGrouped) ||
                state.mode !== previous.mode ||
                state.hideIdle !== previous.hideIdle
            ) {
                this.arrange();
            }
            if (state.mark !== previous.mark) {
                this.isMarkLatest = state.mark !== null;
            }
            if (state.selection !== previous.selection) {
                this.isMarkLatest = false;
                this.reveal(state.selection);
                this.rested = this.range;
                this.surfaces.spoken.textContent = spoken(this.buildScene(), state.selection);
            }
            this.changed();
        });
    }

    // Lanes do not come and go, and nothing is said, while the range moves.
    private rest(): void {
        this.showTooltip();
        this.rested = this.range;
        if (this.store.get().hideIdle) {
            this.arrange();
        }
        this.changed();
    }

    private arrange(): void {
        const { execution } = this.inputs;
        const state = this.store.get();
        this.idleRange = this.range;
        if (this.isByCpu) {
            this.order = laneOrder(execution.cpus, { pinned: [], hidden: [], order: [] }, () => false);
        } else {
            const [begin, end] = this.idleRange;
            const isIdle = (lane: number) => state.hideIdle && lane < execution.threads && !isActive(execution, lane, begin, end);
            const hidden = new Set(state.hidden);
            const lanes = arrangedLanes(execution, state).filter((lane) => !isEmptied(execution, lane, hidden));
            this.order = laneOrder(lanes, this.isGrouped ? { ...state, order: [] } : state, isIdle, execution.threads);
        }
        this.scroll = Math.min(this.scroll, mostScroll(this.layout()));
    }

    private layout(): Layout {
        const { stage } = this.surfaces;
        return layoutOf(stage.clientWidth, stage.clientHeight, this.order.pinned.length, this.order.others.length, Math.max(0, ...this.together.map((lanes) => this.labelWidth(lanes))));
    }

    private get together(): readonly Lanes[] {
        const { beside } = this.inputs;
        return beside ? [this.inputs, beside] : [this.inputs];
    }

    // Of the widest name; measured once, of as many as can be distinguished by scrolling.
    private labelWidth(lanes: Lanes): number {
        if (this.showsCpus(lanes)) {
            return 0;
        }
        const { overview } = lanes;
        let width = this.widestLabels.get(overview);
        if (width === undefined) {
            const names = new Names(overview);
            const count = Math.min(mostMeasured, lanes.execution.threads);
            const groups = Math.min(mostMeasured, lanes.execution.groups);
            const widths = [
                ...Array.from({ length: count }, (_, id) => this.painter.measure(names.thread(id), textSize + 1, true)),
                ...Array.from({ length: groups }, (_, group) => this.painter.measure(`▸ ${groupLabel(overview, lanes.execution, group)}`, textSize + 1, true)),
            ];
            this.widestLabels.set(overview, (width = Math.max(0, ...widths)));
        }
        return width;
    }
    private readonly widestLabels = new WeakMap<Overview, number>();

    private flows: { readonly selection: Selection | null; readonly of: unknown; readonly within: Range; readonly found: Flows } | null = null;
    private lit: { readonly selection: Selection | null; readonly search: string; readonly of: unknown; readonly found: Scene["lit"] } | null = null;

    private buildScene(): Scene {
        const { execution, overview, store } = this.inputs;
        const state = store.get();
        if (this.flows?.selection !== state.selection || this.flows.of !== execution || this.flows.within !== this.rested) {
            const found = overview.graph ? taskFlowsOf(execution, overview.graph.groups, state.selection) : flowsOf(execution, state.selection, this.rested);
            this.flows = { selection: state.selection, of: execution, within: this.rested, found };
        }
        if (this.lit?.selection !== state.selection || this.lit.search !== state.search || this.lit.of !== overview) {
            this.lit = { selection: state.selection, search: state.search, of: overview, found: litBy(overview, state.search, state.selection) };
        }
        const layout = this.layout();
        return {
            execution,
            overview,
            state,
            inks: this.inks,
            layout,
            order: this.order,
            scroll: Math.min(this.scroll, mostScroll(layout)),
            range: this.range,
            whole: this.whole,
            path: this.path,
            cpuPath: this.isByCpu ? (this.cpuPath ??= new PathByCpu(execution)) : null,
            flows: this.flows.found,
            lit: this.lit.found,
            names: this.names,
            weights: this.isByCpu || execution.totals.eventsLeftOut ? null : (this.inputs.weights ?? null),
            axis: parallelismAxis(Math.max(1, execution.totals.cpus), togetherOf(execution).most, layout.profile.height - profileMargin),
            byCpu: this.isByCpu,
            isGrouped: this.isGrouped,
            laneOf: this.laneOf(),
        };
    }

    // Where a thread is drawn: in its own lane, or in that of its group. By CPU: the lane itself.
    private laneOf(): (lane: number) => number {
        const { execution } = this.inputs;
        if (!this.isGrouped) {
            return (lane) => lane;
        }
        if (this.shownOf !== this.order) {
            this.shownOf = this.order;
            this.shownLanes = new Set([...this.order.pinned, ...this.order.others]);
        }
        const shown = this.shownLanes;
        return (lane) => {
            const group = execution.groupOf[lane] ?? none;
            return shown.has(lane) || group === none ? lane : execution.threads + group;
        };
    }
    private shownOf: LaneOrder | null = null;
    private shownLanes: ReadonlySet<number> = new Set();

    // Folds a group of lanes, or unfolds it.
    toggleGroup(group: number): void {
        const { unfolded } = this.store.get();
        this.store.set({ unfolded: unfolded.includes(group) ? unfolded.filter((each) => each !== group) : [...unfolded, group] });
    }

    changed(): void {
        this.isStale = true;
        this.request();
    }
    private request(): void {
        if (this.frame === 0) {
            this.frame = requestAnimationFrame((now) => this.next(now));
        }
    }

    private next(now: number): void {
        this.frame = 0;
        if (this.glide) {
            this.glideOn(now);
        } else if (this.wanted) {
            const range = asWished(this.wanted, this.whole);
            this.wanted = null;
            this.store.set({ range });
        }
        if (this.isStale) {
            this.draw();
        }
        if (this.glide) {
            this.request();
        } else {
            cancelAnimationFrame(this.frame);
            this.frame = 0;
        }
    }

    private glideOn(now: number): void {
        const { from, to, begun } = this.glide!;
        const share = Math.min(1, Math.max(0, (now - begun) / glideTime));
        const eased = 1 - (1 - share) ** 3;
        // Spans change by factors, so that no part of the way seems faster.
        const span = (from[1] - from[0]) * ((to[1] - to[0]) / (from[1] - from[0])) ** eased;
        const along = Math.abs(to[1] - to[0] - (from[1] - from[0])) < 1e-6 ? eased : (span - (from[1] - from[0])) / (to[1] - to[0] - (from[1] - from[0]));
        const begin = from[0] + (to[0] - from[0]) * along;
        if (share >= 1) {
            this.glide = null;
            this.store.set({ range: asWished(to, this.whole) });
        } else {
            this.store.set({ range: [begin, begin + span] });
        }
        this.isStale = true;
    }

    private draw(): void {
        this.isStale = false;
        const scene = this.buildScene();
        this.current = scene;
        const { layout } = scene;
        const density = devicePixelRatio || 1;
        const width = Math.round(layout.width * density);
        const height = Math.round(layout.height * density);
        if (width < 2 || height < 2) {
            return;
        }
        const { canvas, overlay } = this.surfaces;
        if (canvas.width !== width || canvas.height !== height) {
            for (const each of [canvas, overlay]) {
                each.width = width;
                each.height = height;
            }
            this.ground = new PixelGround(width, height, density);
        }
        this.drawing.draw(scene, this.ground, density);
        const context = canvas.getContext("2d")!;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.putImageData(this.ground.image, 0, 0);
        context.setTransform(density, 0, 0, density, 0, 0);
        drawMarks(scene, this.drawing.placed, this.painter);
        drawScrollbar(scene, this.painter);
        this.hit = this.pointer && hitAt(scene, this.pointer.x, this.pointer.y); // something else may lie under it now
        this.drawHover();
        this.onPointed();
        this.onDrawn(scene);
        if (!this.hasDrawn && scene.execution.intervals > 0) {
            this.hasDrawn = true;
            performance.mark("parcast: timeline drawn");
        }
    }

    private drawHover(): void {
        const { overlay } = this.surfaces;
        const context = overlay.getContext("2d")!;
        const density = devicePixelRatio || 1;
        context.setTransform(density, 0, 0, density, 0, 0);
        context.clearRect(0, 0, overlay.width, overlay.height);
        if (this.current) {
            drawHover(this.current, this.hit, this.move, this.hoverPainter);
        }
    }

    private showTooltip(): void {
        const { tooltip, stage } = this.surfaces;
        const position = this.pointer;
        const scene = this.scene;
        const column = position ? Math.floor((position.x - scene.layout.gutter) * (devicePixelRatio || 1)) : 0;
        const lines = this.hit && position && !this.move ? linesAt(scene, this.hit, this.drawing.profile, column) : [];
        tooltip.hidden = lines.length === 0;
        if (tooltip.hidden || !position) {
            return;
        }
        tooltip.replaceChildren(
            ...lines.map((line, i) => {
                const element = document.createElement(i === 0 ? "b" : "span");
                element.textContent = line;
                return element;
            }),
        );
        const { offsetWidth, offsetHeight } = tooltip;
        const isRight = position.x + 14 + offsetWidth < stage.clientWidth;
        const isBelow = position.y + 18 + offsetHeight < stage.clientHeight;
        tooltip.style.left = `${Math.max(2, isRight ? position.x + 14 : position.x - 10 - offsetWidth)}px`;
        tooltip.style.top = `${Math.max(2, isBelow ? position.y + 18 : position.y - 10 - offsetHeight)}px`;
    }

    toSvg(caption: Caption): string {
        const scene = this.buildScene();
        const { width, height } = pictureSize(scene, this.painter);
        const painter = new SvgPainter(width, height, (text, size, bold) => this.painter.measure(text, size, bold));
        markPicture(scene, caption, fillPicture(scene, 1, painter, painter), painter);
        return painter.document(scene.inks.colours.surface);
    }

    // Twice as fine as the screen is at least, for print.
    toPng(caption: Caption): Promise<Blob> {
        const scene = this.buildScene();
        const density = Math.max(2, devicePixelRatio || 1);
        const { width, height } = pictureSize(scene, this.painter);
        const canvas = document.createElement("canvas");
        canvas.width = Math.round(width * density);
        canvas.height = Math.round(height * density);
        const context = canvas.getContext("2d", { alpha: false })!;
        const ground = new PixelGround(canvas.width, canvas.height, density);
        const placed = fillPicture(scene, density, ground, this.painter);
        context.putImageData(ground.image, 0, 0);
        context.scale(density, density);
        markPicture(scene, caption, placed, new CanvasPainter(context));
        return new Promise((resolve, reject) =>
            canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be drawn."))), "image/png"),
        );
    }

    // The interval or event that was hit, else nothing.
    selectionOf(hit: Hit): Selection | null {
        if (hit.place === "label") {
            return hit.lane && !this.scene.byCpu && groupOfLane(this.inputs.execution, hit.lane.id) === null ? { kind: "thread", index: hit.lane.id } : null;
        }
        if (hit.event !== none) {
            return { kind: "event", index: hit.event };
        }
        return hit.interval === none ? null : { kind: "interval", index: hit.interval };
    }

    timeAtPointer(): number {
        const inPlot = this.hit !== null && this.hit.place !== "label" && this.hit.place !== "nothing";
        return inPlot && this.pointer ? this.timeAt(this.pointer.x) : (this.range[0] + this.range[1]) / 2;
    }
    timeAt(x: number): number {
        const scene = this.scene;
        return scaleOf({ ...scene, range: this.range }).time(x - scene.layout.gutter);
    }
}
