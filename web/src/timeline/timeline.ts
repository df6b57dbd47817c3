// The timeline as one thing: what it shows, when it draws, and what gestures and keys ask of it. State that a link
// holds lives in the store; here is what does not: the scroll, the pointer, a range on its way.

import { none } from "../execution.ts";
import type { Range, Selection } from "../state.ts";
import { CanvasPainter, PixelGround } from "./canvas_painter.ts";
import { GroundDrawing, profileMargin } from "./draw_ground.ts";
import { drawHover, type LaneMove } from "./draw_hover.ts";
import { drawMarks, drawScrollbar, laneOfEvent, laneOfInterval } from "./draw_marks.ts";
import { extentOf } from "./extent.ts";
import { glidedRange, type Glide } from "./glide.ts";
import { Highlights } from "./highlights.ts";
import { hitAt, type Hit } from "./hit.ts";
import { inksOf, type Inks } from "./inks.ts";
import { LabelWidths } from "./label_widths.ts";
import { areLanesGrouped, groupOfLane } from "./lane_groups.ts";
import { laneOrder, layoutOf, mostScroll, scrollTo, type LaneOrder, type Layout } from "./layout.ts";
import type { Caption } from "./picture.ts";
import { pngOf, svgOf } from "./picture_files.ts";
import { parallelismAxis, type ParallelismAxis } from "./parallelism_axis.ts";
import { PathByCpu, PathByThread } from "./path.ts";
import { togetherOf } from "./profile_together.ts";
import { Names, scaleOf, type Scene } from "./scene.ts";
import { asWished, framing, revealing, within } from "./scale.ts";
import { ShownLanes, threadOrder } from "./shown_lanes.ts";
import { linesAt, spoken } from "./tooltip.ts";
import type { Lanes, Surfaces, TimelineInputs } from "./timeline_inputs.ts";
import { fillTooltip, type Position } from "./tooltip_box.ts";

const restTime = 150; // ms after which a range counts as where the user stays

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
    private readonly labels: LabelWidths;
    private readonly highlights = new Highlights();
    private readonly lanes = new ShownLanes();
    private inks: Inks;
    private names: Names;
    private path: PathByThread;
    private cpuPath: PathByCpu | null = null; // made when it is seen first
    private order: LaneOrder = { pinned: [], others: [], hiddenCount: 0, idleCount: 0 };
    private rested: Range; // where the user stayed last
    private restTimer: ReturnType<typeof setTimeout> | undefined;
    private wanted: Range | null = null; // for the next frame
    private frame = 0;
    private isStale = true;
    private glide: Glide | null = null;
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
        this.labels = new LabelWidths(this.painter);
        this.inks = inksOf(inputs.scheme);
        this.names = new Names(inputs.overview);
        this.path = new PathByThread(inputs.execution);
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
        const extent = selection && extentOf(this.inputs.execution, this.inputs.overview.messages?.cpusOfRank ?? 1, selection);
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
        const { execution } = this.inputs;
        if (selection?.kind === "message" && selection.index < execution.messages) {
            this.revealMessage(selection.index);
            return;
        }
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
            this.showAlso(begin, end);
            const scene = this.buildScene();
            lane = isInterval ? laneOfInterval(scene, selection.index) : laneOfEvent(scene, selection.index);
        }
        const isLaneKnown = selection.kind !== "thread" || !this.isByCpu;
        if (isLaneKnown) {
            this.scroll = scrollTo(this.layout(), this.order, this.scroll, this.buildScene().laneOf(lane));
        }
    }

    private revealMessage(message: number): void {
        const { execution } = this.inputs;
        this.showAlso(execution.messageSent[message]!, execution.messageReceived[message]!);
        for (const lane of [execution.messageFrom[message]!, execution.messageTo[message]!]) {
            this.scroll = scrollTo(this.layout(), this.order, this.scroll, this.buildScene().laneOf(lane));
        }
    }

    private showAlso(begin: number, end: number): void {
        const range = revealing(this.range, begin, end, this.whole);
        if (range !== this.range && (range[0] !== this.range[0] || range[1] !== this.range[1])) {
            this.glide = null;
            this.inputs.store.set({ range: asWished(range, this.whole) });
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
        this.order = this.isByCpu
            ? laneOrder(execution.cpus, { pinned: [], hidden: [], order: [] }, () => false)
            : threadOrder(execution, this.store.get(), this.range, this.isGrouped);
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

    private labelWidth(lanes: Lanes): number {
        return this.showsCpus(lanes) ? 0 : this.labels.widest(lanes.execution, lanes.overview);
    }

    private buildScene(): Scene {
        const { execution, overview, store } = this.inputs;
        const state = store.get();
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
            flows: this.highlights.flows(execution, overview, state.selection, this.rested),
            lit: this.highlights.lit(overview, state.search, state.selection),
            names: this.names,
            weights: this.isByCpu || execution.totals.eventsLeftOut ? null : (this.inputs.weights ?? null),
            axis: this.axisOf(execution, layout.profile.height - profileMargin),
            byCpu: this.isByCpu,
            isGrouped: this.isGrouped,
            laneOf: this.isGrouped ? this.lanes.finder(execution, this.order) : (lane) => lane,
        };
    }

    private axisOf(execution: Scene["execution"], height: number): ParallelismAxis {
        const { most, mostWithWaiting } = togetherOf(execution);
        return parallelismAxis(Math.max(1, execution.totals.cpus), most, mostWithWaiting, height);
    }

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
        const { range, isOver } = glidedRange(this.glide!, now);
        if (isOver) {
            this.glide = null;
        }
        this.store.set({ range: isOver ? asWished(range, this.whole) : range });
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
        tooltip.hidden = true;
        if (position && lines.length > 0) {
            fillTooltip(tooltip, stage, position, lines);
        }
    }

    toSvg(caption: Caption): string {
        return svgOf(this.buildScene(), caption, this.painter);
    }
    toPng(caption: Caption): Promise<Blob> {
        return pngOf(this.buildScene(), caption, this.painter);
    }

    // The interval or event that was hit, else nothing.
    selectionOf(hit: Hit): Selection | null {
        if (hit.place === "label") {
            return hit.lane && !this.scene.byCpu && groupOfLane(this.inputs.execution, hit.lane.id) === null ? { kind: "thread", index: hit.lane.id } : null;
        }
        if (hit.event !== none) {
            return { kind: "event", index: hit.event };
        }
        if (hit.message !== none) {
            return { kind: "message", index: hit.message };
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
