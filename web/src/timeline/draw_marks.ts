// The marks on the timeline: names, time axis, events, what is selected or found, arrows, measuring. All in CSS px.

import { awaitedThread } from "../awaited.ts";
import { namesThread, none, noCpu, State, type Execution } from "../execution.ts";
import { percentText, shortText, timeText } from "../format.ts";
import { cpuOfEvent, cpuOfThreadAt, nextRunOf } from "./cpu_events.ts";
import { bodyBottom, bodyTop, eventsEach, ribbonHeight, type Placed } from "./draw_ground.ts";
import { drawParallelismAxis } from "./draw_parallelism_axis.ts";
import type { Flow } from "./flows.ts";
import { drawGlyph, glyphOf, glyphSize } from "./glyphs.ts";
import { inkOf } from "./ink_of.ts";
import { textOn } from "./inks.ts";
import { groupLabel, groupOfLane, groupsOf } from "./lane_groups.ts";
import { topOfLane, visibleLanes, type Band, type LaneAt } from "./layout.ts";
import { cpuLabel } from "../overview.ts";
import { fitted, textSize, type Painter } from "./painter.ts";
import { piecesIn } from "./path.ts";
import { scaleOf, type Scene } from "./scene.ts";
import type { TimeScale } from "./scale.ts";
import { ticksOf } from "./ticks.ts";

const leastTickGap = 112; // px
const mostConnectors = 1500;

export function drawMarks(scene: Scene, placed: readonly Placed[], painter: Painter): void {
    const scale = scaleOf(scene);
    const { layout } = scene;
    const lanes = visibleLanes(layout, scene.order, scene.scroll);
    drawGrid(scene, scale, painter);
    const clipped = (band: Band, isPinned: boolean) =>
        painter.clip(layout.gutter, band.top, layout.plot, band.height, () => {
            const tops = new Set(lanes.filter((lane) => lane.isPinned === isPinned).map((lane) => lane.top));
            for (const each of placed) {
                if (tops.has(each.top)) {
                    drawPlaced(scene, each, painter);
                }
            }
            for (const lane of lanes.filter((each) => each.isPinned === isPinned)) {
                drawEvents(scene, scale, lane, painter);
            }
        });
    clipped(layout.pinned, true);
    clipped(layout.lanes, false);
    painter.clip(layout.gutter, layout.pinned.top, layout.plot, layout.height - layout.pinned.top, () => {
        drawConnectors(scene, scale, painter);
        drawSelection(scene, scale, painter);
        drawFlows(scene, scale, painter);
    });
    drawGutter(scene, lanes, painter);
    drawParallelismAxis(scene, painter);
    drawMark(scene, scale, painter);
    drawAxis(scene, scale, painter);
    drawMinimapWindow(scene, painter);
}

function bodyOf(scene: Scene, top: number): Band {
    return { top: top + bodyTop, height: scene.layout.laneHeight - bodyTop - bodyBottom };
}

function drawGrid(scene: Scene, scale: TimeScale, painter: Painter): void {
    const { layout, inks, execution } = scene;
    const { colours } = inks;
    const end = layout.gutter + scale.x(execution.totals.completion);
    painter.clip(layout.gutter, layout.axis.top, layout.plot, layout.height - layout.axis.top, () => {
        for (const tick of ticksOf(scale, leastTickGap).named) {
            const x = Math.round(layout.gutter + scale.x(tick.time)) + 0.5;
            painter.rect(x - 0.5, layout.axis.top + layout.axis.height, 1, layout.height, colours.text, 0.06);
        }
        if (end < layout.width - 1) {
            painter.line([Math.round(end) + 0.5, layout.profile.top, Math.round(end) + 0.5, layout.height], colours.secondary, 1, [2, 3]);
        }
        if (execution.totals.deadlocked) {
            const x = Math.round(layout.gutter + scale.x(execution.totals.deadlockTime)) + 0.5;
            painter.line([x, layout.profile.top, x, layout.height], colours.warning, 1.5, [5, 3]);
            painter.text("deadlock", x - 4, layout.profile.top + 11, { colour: colours.warning, bold: true, align: "right" });
        }
    });
    painter.rect(0, layout.lanes.top - 1, layout.width, 1, colours.hairline);
    if (layout.pinned.height > 0) {
        painter.rect(0, layout.pinned.top - 2, layout.width, 1, colours.hairline);
    }
}

// Text in an interval, and the border of one that is lit.
function drawPlaced(scene: Scene, each: Placed, painter: Painter): void {
    const { inks, execution, layout } = scene;
    const body = bodyOf(scene, each.top);
    if (each.isLit) {
        painter.outline(each.x + 0.75, body.top + 0.75, each.width - 1.5, body.height - 1.5, inks.colours.focus, 1.5);
    }
    const x = Math.max(each.x, layout.gutter) + 5;
    const room = Math.min(each.x + each.width, layout.width) - x - 4;
    if (room < 30 || body.height < 10) {
        return;
    }
    const text = fitted(painter, intervalText(scene, each.interval), room);
    if (text === "") {
        return;
    }
    const state = execution.intervalState[each.interval]!;
    const ink = inkOf(scene, each.interval);
    const isBare = state === State.sleeping; // it does not fill its lane
    const ground = isBare ? inks.colours.surface : ink.colour;
    if (ink.pattern !== "none" && ink.pattern !== "solid") {
        painter.rect(x - 3, body.top + 1, painter.measure(text) + 6, body.height - 2, ground);
    }
    const colour = state === State.blocked ? inks.colours.text : isBare ? inks.colours.secondary : textOn(ground);
    painter.text(text, x, body.top + body.height / 2 + textSize * 0.36, { colour });
}

function intervalText(scene: Scene, interval: number): string {
    const { execution, names } = scene;
    if (scene.byCpu) {
        return names.thread(execution.threadOfInterval(interval));
    }
    const object = execution.intervalObject[interval]!;
    switch (execution.intervalState[interval]) {
        case State.running: {
            const cpu = execution.intervalCpu[interval]!;
            return cpu === noCpu ? "" : cpuLabel(scene.overview, cpu);
        }
        case State.blocked:
        case State.inputAndOutput:
        case State.spinning:
            return object !== none ? names.object(object) : awaitedText(scene, interval);
        case State.ready:
            return "ready";
        default:
            return "";
    }
}

function awaitedText({ execution, names }: Scene, interval: number): string {
    const awaited = awaitedThread(execution, interval);
    return awaited ? `${awaited.joins ? "joins" : "waits for"} ${names.thread(awaited.thread)}` : "";
}

function drawEvents(scene: Scene, scale: TimeScale, lane: LaneAt, painter: Painter): void {
    const { execution, layout, inks, lit, state } = scene;
    const y = glyphY(scene, lane.top);
    for (const event of eventsEach(scene, lane.id)) {
        const x = layout.gutter + scale.x(execution.eventTime[event]!);
        const isSelected = state.selection?.kind === "event" && state.selection.index === event;
        const kind = execution.eventKind[event]!;
        const isLit = lit.sites.has(execution.eventSite[event]!) || (!namesThread(kind) && lit.objects.has(execution.eventObject[event]!));
        if (isSelected || isLit) {
            painter.circle(x, y, glyphSize / 2 + 3, inks.colours.surface, inks.colours.focus, 1.6);
        }
        drawGlyph(painter, glyphOf(kind), x, y, inks.colours.text, inks.colours.surface);
    }
}

export function glyphY(scene: Scene, laneTop: number): number {
    return laneTop + scene.layout.laneHeight - bodyBottom - glyphSize / 2 - 0.5;
}

// Pieces of the critical path in sight by their lanes and where they begin: those from `first` to `last` - 1.
function piecesInSight({ execution, range, cpuPath }: Scene): { readonly lane: ArrayLike<number>; readonly begin: ArrayLike<number>; readonly first: number; readonly last: number } {
    if (cpuPath) {
        const [first, last] = cpuPath.within(range[0], range[1]);
        return { lane: cpuPath.stays.cpu, begin: cpuPath.stays.begin, first, last };
    }
    const [first, last] = piecesIn(execution, range[0], range[1]);
    return { lane: execution.pathThread, begin: execution.pathBegin, first, last };
}

// The critical path goes on in another lane.
function drawConnectors(scene: Scene, scale: TimeScale, painter: Painter): void {
    const { layout, inks } = scene;
    const { lane, begin, first, last } = piecesInSight(scene);
    if (last - first > mostConnectors) {
        return;
    }
    const topOf = laneTops(scene);
    for (let piece = Math.max(1, first); piece < last; ++piece) {
        const a = topOf(scene.laneOf(lane[piece - 1]!));
        const b = topOf(scene.laneOf(lane[piece]!));
        if (a === undefined || b === undefined || a === b) {
            continue;
        }
        const x = Math.round(layout.gutter + scale.x(begin[piece]!)) + 0.5;
        if (!scene.cpuPath && scene.execution.pathFlight[piece]) {
            const end = Math.round(layout.gutter + scale.x(scene.execution.pathEnd[piece]!)) + 0.5;
            painter.line([x, a + 1 + ribbonHeight / 2, end, b + 1 + ribbonHeight / 2], inks.colours.accent, 1.5);
            continue;
        }
        painter.rect(x - 0.5, Math.min(a, b) + 1, 1, Math.abs(a - b) + ribbonHeight, inks.colours.accent, 0.7);
    }
}

// Tops of lanes by thread (or CPU), seen or not; at a cost of one for each.
function laneTops(scene: Scene): (id: number) => number | undefined {
    const { layout, order, scroll } = scene;
    const tops = new Map<number, number>();
    order.pinned.forEach((id, place) => tops.set(id, layout.pinned.top + place * layout.laneHeight));
    order.others.forEach((id, place) => tops.set(id, Math.max(layout.lanes.top - layout.laneHeight, layout.lanes.top + place * layout.laneHeight - scroll)));
    return (id) => tops.get(id);
}

// The lane in which an interval is drawn.
export function laneOfInterval(scene: Scene, interval: number): number {
    return scene.byCpu ? scene.execution.intervalCpu[interval]! : scene.execution.threadOfInterval(interval);
}

// The lane in which an event is drawn; none where it is in none.
export function laneOfEvent(scene: Scene, event: number): number {
    return scene.byCpu ? cpuOfEvent(scene.execution, event) : scene.execution.threadOfEvent(event);
}

function drawSelection(scene: Scene, scale: TimeScale, painter: Painter): void {
    const { execution, layout, inks, order, scroll, state } = scene;
    const { selection } = state;
    const boxed = (of: number, begin: number, end: number) => {
        const id = scene.laneOf(of);
        const top = topOfLane(layout, order, scroll, id);
        if (top === null || top + layout.laneHeight < layout.pinned.top || (top < layout.lanes.top && !order.pinned.includes(id) && top + layout.laneHeight <= layout.lanes.top)) {
            return;
        }
        const x = layout.gutter + scale.x(begin);
        const width = Math.max(3, scale.x(end) - scale.x(begin));
        painter.outline(x - 0.5, top + 2.5, width + 1, layout.laneHeight - 4, inks.colours.surface, 4);
        painter.outline(x - 0.5, top + 2.5, width + 1, layout.laneHeight - 4, inks.colours.focus, 2);
    };
    if (selection?.kind === "interval" && selection.index < execution.intervals) {
        boxed(laneOfInterval(scene, selection.index), execution.intervalBegin[selection.index]!, execution.intervalEnd(selection.index));
    } else if (selection?.kind === "event" && selection.index < execution.events) {
        const lane = laneOfEvent(scene, selection.index);
        const top = lane === none ? null : topOfLane(layout, order, scroll, scene.laneOf(lane));
        const x = layout.gutter + scale.x(execution.eventTime[selection.index]!);
        painter.rect(Math.round(x), layout.pinned.top, 1, layout.height, inks.colours.focus, 0.5);
        if (top !== null && !eventsEach(scene, lane).includes(selection.index)) {
            painter.circle(x, glyphY(scene, top), glyphSize / 2 + 3, inks.colours.surface, inks.colours.focus, 1.6);
            drawGlyph(painter, glyphOf(execution.eventKind[selection.index]!), x, glyphY(scene, top), inks.colours.text, inks.colours.surface);
        }
    }
}

function laneOfThreadAt(scene: Scene, thread: number, time: number): number | null {
    if (!scene.byCpu) {
        return thread;
    }
    const cpu = cpuOfThreadAt(scene.execution, thread, time);
    return cpu === none ? null : cpu;
}

// Where an arrow points to: in lanes by processor to where the released thread runs next, as it waits on none.
function arrivalOf(scene: Scene, flow: Flow): { readonly lane: number; readonly time: number } | null {
    const time = flow.arrival ?? flow.time;
    if (!scene.byCpu) {
        return { lane: flow.to, time };
    }
    const run = nextRunOf(scene.execution, flow.to, time);
    return run && { lane: run.cpu, time: run.time };
}

// Where an arrow is drawn: from (x, start) to (end, tip). Null: not in sight.
interface FlowLine {
    readonly x: number;
    readonly start: number;
    readonly end: number;
    readonly tip: number;
    readonly down: 1 | -1;
}

function lineOf(scene: Scene, scale: TimeScale, flow: Flow): FlowLine | null {
    const { layout, order, scroll } = scene;
    const from = laneOfThreadAt(scene, flow.from, flow.time);
    const to = arrivalOf(scene, flow);
    const a = from === null ? null : topOfLane(layout, order, scroll, scene.laneOf(from));
    const b = to === null ? null : topOfLane(layout, order, scroll, scene.laneOf(to.lane));
    if (to === null || a === null || b === null || a === b) {
        return null;
    }
    const x = Math.round(layout.gutter + scale.x(flow.time)) + 0.5;
    const end = Math.round(layout.gutter + scale.x(to.time)) + 0.5;
    if (end < layout.gutter - 8 || x > layout.width + 8) {
        return null;
    }
    const down = b > a ? 1 : -1;
    return { x, start: a + layout.laneHeight / 2 + 1, end, tip: b + layout.laneHeight / 2 - down * (layout.laneHeight / 2 - bodyTop) + 1, down };
}

function drawFlows(scene: Scene, scale: TimeScale, painter: Painter): void {
    const { inks, state } = scene;
    for (const flow of scene.flows.drawn) {
        const line = lineOf(scene, scale, flow);
        if (!line) {
            continue;
        }
        const { x, start, end, tip, down } = line;
        const isSelected = flow.message !== undefined && state.selection?.kind === "message";
        const colour = isSelected ? inks.colours.focus : inks.colours.text;
        const head = [end - 4, tip - down * 7, end + 4, tip - down * 7, end, tip];
        painter.line([x, start, end, tip - down * 5], inks.colours.surface, 4);
        painter.line([x, start, end, tip - down * 5], colour, isSelected ? 2.5 : 1.5);
        painter.circle(x, start, 2.5, colour, inks.colours.surface);
        painter.polygon(head, colour, inks.colours.surface);
    }
}

const arrowReach = 4; // px

// The message whose arrow lies at a point; none: of none.
export function messageAt(scene: Scene, atX: number, atY: number): number {
    const scale = scaleOf(scene);
    let best: number = none;
    let nearest = arrowReach;
    for (const flow of scene.flows.drawn) {
        const line = flow.message === undefined ? null : lineOf(scene, scale, flow);
        if (line) {
            const distance = distanceTo(line, atX, atY);
            if (distance <= nearest) {
                nearest = distance;
                best = flow.message!;
            }
        }
    }
    return best;
}

function distanceTo({ x, start, end, tip }: FlowLine, atX: number, atY: number): number {
    const [dx, dy] = [end - x, tip - start];
    const along = Math.max(0, Math.min(1, ((atX - x) * dx + (atY - start) * dy) / Math.max(1, dx * dx + dy * dy)));
    return Math.hypot(x + along * dx - atX, start + along * dy - atY);
}

function drawGutter(scene: Scene, lanes: readonly LaneAt[], painter: Painter): void {
    const { layout, inks } = scene;
    const { colours } = inks;
    for (const band of [layout.pinned, layout.lanes]) {
        painter.clip(0, band.top, layout.gutter, band.height, () => {
            for (const lane of lanes.filter((each) => each.isPinned === (band === layout.pinned))) {
                drawLabel(scene, lane, painter);
            }
        });
    }
    painter.rect(layout.gutter - 1, layout.minimap.top, 1, layout.height, colours.hairline);
}

function drawLabel(scene: Scene, lane: LaneAt, painter: Painter): void {
    const { layout, inks, state, lit, execution, names } = scene;
    const { colours } = inks;
    const isSelected = !scene.byCpu && state.selection?.kind === "thread" && state.selection.index === lane.id;
    if (!scene.byCpu && lit.threads.has(lane.id)) {
        painter.rect(3, lane.top + 2, layout.gutter - 7, layout.laneHeight - 4, colours.selected);
        painter.outline(3.5, lane.top + 2.5, layout.gutter - 8, layout.laneHeight - 5, colours.focus, 1);
    }
    const baseline = lane.top + layout.laneHeight / 2 + textSize * 0.4;
    const group = scene.byCpu ? null : groupOfLane(execution, lane.id);
    const busy = scene.byCpu ? "" : group === null ? percentOf(execution, [lane.id]) : percentOf(execution, groupsOf(execution).members[group]!);
    const showsBusy = busy !== "" && layout.gutter >= 130;
    const room = layout.gutter - 16 - (showsBusy ? 38 : 0);
    const sign = group === null ? "" : state.unfolded.includes(group) ? "▾ " : "▸ ";
    const name = scene.byCpu ? cpuLabel(scene.overview, lane.id) : group === null ? names.thread(lane.id) : `${sign}${shortText(groupLabel(scene.overview, execution, group), 60)}`;
    const indent = scene.isGrouped && group === null && execution.groupOf[lane.id] !== none ? 10 : 0;
    painter.text(fitted(painter, name, room - indent, textSize + 1, isSelected), 8 + indent, baseline, { colour: colours.text, size: textSize + 1, bold: isSelected });
    if (showsBusy) {
        painter.text(busy, layout.gutter - 8, baseline, { colour: colours.secondary, align: "right" });
    }
    if (scene.byCpu) {
        return;
    }
    if (lane.isPinned) {
        painter.rect(0, lane.top + 3, 3, layout.laneHeight - 5, colours.focus);
    }
}

// The share of their lives that threads work.
function percentOf(execution: Execution, threads: readonly number[]): string {
    let life = 0;
    let works = 0;
    for (const thread of threads) {
        life += execution.threadEnded[thread]! - execution.threadCreated[thread]!;
        works += execution.timeInState(thread, State.running);
    }
    return life > 0 ? percentText(works / life) : "";
}

// The marked interval and the cursors, through the whole height.
function drawMark(scene: Scene, scale: TimeScale, painter: Painter): void {
    const { layout, inks, state } = scene;
    const { colours } = inks;
    const xOf = (time: number) => layout.gutter + scale.x(time);
    painter.clip(layout.gutter, layout.axis.top, layout.plot, layout.height - layout.axis.top, () => {
        if (state.mark) {
            const [begin, end] = state.mark;
            const x = xOf(begin);
            const width = xOf(end) - x;
            painter.rect(x, layout.axis.top, width, layout.height, colours.focus, 0.1);
            painter.rect(x - 0.5, layout.axis.top, 1, layout.height, colours.focus);
            painter.rect(x + width - 0.5, layout.axis.top, 1, layout.height, colours.focus);
        }
        const cursors = state.cursors.slice(0, 2);
        for (const time of cursors) {
            const x = Math.round(xOf(time)) + 0.5;
            painter.line([x, layout.axis.top, x, layout.height], colours.focus, 1, [4, 2]);
        }
    });
}

function drawAxis(scene: Scene, scale: TimeScale, painter: Painter): void {
    const { layout, inks, state } = scene;
    const { colours } = inks;
    const { top, height } = layout.axis;
    const ticks = ticksOf(scale, leastTickGap);
    painter.clip(layout.gutter, top, layout.plot, height, () => {
        for (const time of ticks.between) {
            painter.rect(Math.round(layout.gutter + scale.x(time)), top + height - 3, 1, 3, colours.secondary, 0.5);
        }
        for (const tick of ticks.named) {
            const x = Math.round(layout.gutter + scale.x(tick.time));
            painter.rect(x, top + height - 7, 1, 7, colours.secondary);
            if (x + 4 + painter.measure(tick.label) <= layout.width) {
                painter.text(tick.label, x + 4, top + 13, { colour: colours.secondary });
            }
        }
        const spans: [number, number][] = [];
        if (state.mark) {
            spans.push([state.mark[0], state.mark[1]]);
        }
        if (state.cursors.length >= 2) {
            spans.push([Math.min(state.cursors[0]!, state.cursors[1]!), Math.max(state.cursors[0]!, state.cursors[1]!)]);
        }
        for (const [begin, end] of spans) {
            drawSpan(painter, timeText(end - begin), layout.gutter + scale.x(begin), layout.gutter + scale.x(end), scene);
        }
    });
    painter.text(fitted(painter, rangeText(scene), layout.gutter - 12), 8, top + 13, { colour: colours.secondary });
    painter.rect(0, top + height - 1, layout.width, 1, colours.hairline);
}

function rangeText(scene: Scene): string {
    return `${timeText(scene.range[1] - scene.range[0])} shown`;
}

// A length between two instants, named in its middle as far as that is seen.
function drawSpan(painter: Painter, text: string, begin: number, end: number, scene: Scene): void {
    const { layout, inks } = scene;
    const { colours } = inks;
    const y = layout.axis.top + 9;
    const left = Math.max(layout.gutter, begin);
    const right = Math.min(layout.width, end);
    const width = painter.measure(text, textSize, true) + 10;
    const middle = Math.min(layout.width - width / 2, Math.max(layout.gutter + width / 2, (left + right) / 2));
    painter.line([begin, y, end, y], colours.focus, 1.5);
    painter.rect(middle - width / 2, y - 8, width, 16, colours.focus);
    painter.text(text, middle, y + 4, { colour: textOn(colours.focus), bold: true, align: "centre" });
}

function drawMinimapWindow(scene: Scene, painter: Painter): void {
    const { layout, inks, range, whole } = scene;
    const { top, height } = layout.minimap;
    if (height === 0) {
        return;
    }
    const xOf = (time: number) => layout.gutter + (time / Math.max(1, whole)) * layout.plot;
    const begin = xOf(range[0]);
    const end = Math.max(begin + 2, xOf(range[1]));
    painter.rect(layout.gutter, top, begin - layout.gutter, height, inks.colours.background, 0.75);
    painter.rect(end, top, layout.width - end, height, inks.colours.background, 0.75);
    painter.outline(begin + 0.5, top + 1.5, Math.max(1, end - begin - 1), height - 2, inks.colours.line, 1);
    if (end - begin > 12 && (range[0] > 0 || range[1] < whole)) {
        painter.rect(begin - 1, top + 7, 3, height - 13, inks.colours.line);
        painter.rect(end - 2, top + 7, 3, height - 13, inks.colours.line);
    }
    if (scene.state.mark) {
        painter.rect(xOf(scene.state.mark[0]), top, Math.max(1, xOf(scene.state.mark[1]) - xOf(scene.state.mark[0])), height, inks.colours.focus, 0.3);
    }
    painter.text(fitted(painter, "whole run", layout.gutter - 12), 8, top + 17, { colour: inks.colours.secondary });
}

// On the screen only: a picture has nothing to scroll.
export function drawScrollbar(scene: Scene, painter: Painter): void {
    const { layout, inks, scroll } = scene;
    if (layout.contentHeight <= layout.lanes.height) {
        return;
    }
    const [top, height] = scrollThumb(scene.layout, scroll);
    painter.rect(layout.width - 7, top, 5, height, inks.colours.line, 0.65);
}

export function scrollThumb(layout: Scene["layout"], scroll: number): readonly [top: number, height: number] {
    const share = layout.lanes.height / layout.contentHeight;
    const height = Math.max(24, layout.lanes.height * share);
    const room = layout.lanes.height - height;
    return [layout.lanes.top + room * (scroll / Math.max(1, layout.contentHeight - layout.lanes.height)), height];
}
