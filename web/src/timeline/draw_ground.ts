// The ground of the timeline: lanes, parallelism, minimap and the ribbon of the critical path, as rectangles of whole
// pixels. What is wide enough for text or is lit up is handed on to those who draw the marks.

import { firstAfter, State, stateCount, type Execution } from "../execution.ts";
import { eventsOnCpu } from "./cpu_events.ts";
import { CpuPixels } from "./cpu_pixels.ts";
import { bucketWidth, densityOfCpu, densityOfThread } from "./event_density.ts";
import { GroupPixels } from "./group_pixels.ts";
import { inkOf, inkOfState } from "./ink_of.ts";
import type { Ink, Inks } from "./inks.ts";
import { groupOfLane, groupsOf } from "./lane_groups.ts";
import { LanePixels } from "./lane_pixels.ts";
import { visibleLanes, type LaneAt } from "./layout.ts";
import type { Ground } from "./painter.ts";
import { piecesIn } from "./path.ts";
import { ProfilePixels } from "./profile_pixels.ts";
import type { Scene } from "./scene.ts";
import { TimeScale } from "./scale.ts";

// An interval wide enough to be told from others, in CSS px.
export interface Placed {
    readonly interval: number;
    readonly x: number;
    readonly width: number;
    readonly top: number; // of its lane
    readonly isLit: boolean;
}

export const ribbonHeight = 3;
export const bodyTop = 5; // px below the top of a lane
export const bodyBottom = 3; // px above its bottom
export const profileMargin = 2; // px above the parallelism
const leastTextWidth = 46;
const leastPatternWidth = 7; // px: a pattern needs room to be one
const mostPlaced = 4000;
const leastNarrow = 0.35; // of the lane's height: what is narrower than a pixel, alone in what is not, is seen

const groupStates = [State.running, State.ready, State.blocked]; // of the counts of a group
const mostPiecesOfGroup = 20_000; // of the critical path, at every frame

// From the bottom of a column to its top.
const stacking = [
    State.running,
    State.switching,
    State.spinning,
    State.inputAndOutput,
    State.communicating,
    State.ready,
    State.blocked,
    State.sleeping,
];

export class GroundDrawing {
    readonly lanePixels = new LanePixels();
    readonly profile = new ProfilePixels();
    readonly overall = new ProfilePixels(); // of the minimap
    placed: Placed[] = [];
    visited = 0;
    private readonly cpuPixels = new CpuPixels();
    private readonly groupPixels = new GroupPixels();
    private overallOf: Execution | null = null;
    private overallWidth = 0;
    private overallWhole = 0;

    draw(scene: Scene, ground: Ground, density: number): void {
        const { layout, inks } = scene;
        this.placed = [];
        this.visited = 0;
        const px = (length: number) => Math.round(length * density);
        ground.keepTo(0, px(layout.height));
        ground.fill(inks.background, 0, 0, px(layout.width), px(layout.height));
        const scale = new TimeScale(scene.range, px(layout.width) - px(layout.gutter));
        for (const lane of visibleLanes(layout, scene.order, scene.scroll)) {
            const band = lane.isPinned ? layout.pinned : layout.lanes;
            ground.keepTo(px(band.top), px(band.top + band.height));
            this.drawLane(scene, lane, scale, ground, density);
        }
        ground.keepTo(0, px(layout.height));
        this.drawProfile(scene, scale, ground, density);
        this.drawMinimap(scene, ground, density);
    }

    private drawLane(scene: Scene, lane: LaneAt, scale: TimeScale, ground: Ground, density: number): void {
        const { layout, inks, state } = scene;
        const px = (length: number) => Math.round(length * density);
        const top = px(lane.top + bodyTop);
        const height = px(lane.top + layout.laneHeight - bodyBottom) - top;
        const left = px(layout.gutter);
        const isLit = !scene.byCpu && state.selection?.kind === "thread" && state.selection.index === lane.id;
        if (isLit) {
            ground.fill(inks.lit, 0, px(lane.top), px(layout.width), px(lane.top + layout.laneHeight) - px(lane.top));
        }
        if (scene.byCpu) {
            ground.fill(inks.lane, left, top, Math.ceil(scale.width), height);
            this.drawCpu(scene, lane, scale, ground, left, top, height, density);
        } else if (groupOfLane(scene.execution, lane.id) !== null) {
            this.drawGroup(scene, lane, scale, ground, left, top, height, density);
            return;
        } else {
            this.drawThread(scene, lane, scale, ground, left, top, height, density);
        }
        (scene.cpuPath ?? scene.path).runs(lane.id, scale, (begin, end, isNarrow) =>
            ground.fill(isNarrow ? inks.pathPale : inks.path, left + begin, px(lane.top + 1), end - begin, px(ribbonHeight)),
        );
        this.drawEventDensity(scene, lane, ground, density);
    }

    private drawThread(scene: Scene, lane: LaneAt, scale: TimeScale, ground: Ground, left: number, top: number, height: number, density: number): void {
        const { execution, inks } = scene;
        const pixels = this.lanePixels;
        pixels.measure(execution, lane.id, scale);
        this.visited += pixels.visited;
        const line = Math.max(1, Math.round(density));
        let before = -1;
        let beforeEnd = -1;
        for (let i = 0; i < pixels.wideCount; ++i) {
            const interval = pixels.wideInterval[i]!;
            const begin = pixels.wideBegin[i]!;
            const width = pixels.wideEnd[i]! - begin;
            const state = execution.intervalState[interval]!;
            if (scene.weights && state === State.running) {
                for (let column = begin; column < begin + width; ++column) {
                    drawWeighted(ground, inks, weightIn(scene, lane.id, scale, column), left + column, top, height);
                }
            } else {
                drawWide(ground, inks, inkOf(scene, interval, width < leastPatternWidth * density), state, left + begin, top, width, height, line);
            }
            if (state === before && begin === beforeEnd && width > 2 * line) {
                ground.fill(inks.background, left + begin, top, line, height);
            }
            before = state;
            beforeEnd = begin + width;
            this.place(scene, interval, begin / density, width / density, lane.top);
        }
        const width = pixels.narrow.length;
        for (let column = 0; column < width; ++column) {
            if (pixels.narrow[column] === 1) {
                drawColumn(ground, scene, pixels, column, left + column, top, height, scene.weights ? weightIn(scene, lane.id, scale, column) : null);
            }
        }
    }

    // From the bottom: threads that run, are ready, wait; the whole height is as many as there are at once.
    private drawGroup(scene: Scene, lane: LaneAt, scale: TimeScale, ground: Ground, left: number, top: number, height: number, density: number): void {
        const { execution, inks } = scene;
        const group = groupOfLane(execution, lane.id)!;
        const pixels = this.groupPixels;
        pixels.measure(execution, group, scale);
        this.visited += pixels.visited;
        const most = groupsOf(execution).most[group]!;
        ground.fill(inks.lane, left, top, Math.ceil(scale.width), height);
        const line = Math.max(1, Math.round(density));
        for (let column = 0; column < pixels.running.length; ++column) {
            const counts = [pixels.running[column]!, pixels.ready[column]!, pixels.waiting[column]!];
            let bottom = top + height;
            let sum = 0;
            counts.forEach((count, i) => {
                sum += count;
                // What is there at all is seen.
                const end = Math.min(count > 0.02 ? bottom - line : bottom, top + height - Math.round((sum / most) * height));
                if (bottom > end && count > 0) {
                    ground.fill(inkOfState(scene, groupStates[i]!, 0, true), left + column, Math.max(top, end), 1, bottom - Math.max(top, end));
                    bottom = Math.max(top, end);
                }
            });
        }
        const [first, last] = piecesIn(execution, scene.range[0], scene.range[1]);
        const ribbon = Math.round((lane.top + 1) * density);
        if (last - first <= mostPiecesOfGroup) {
            for (let piece = first; piece < last; ++piece) {
                if (scene.laneOf(execution.pathThread[piece]!) === lane.id) {
                    const x0 = Math.max(0, Math.floor(scale.x(execution.pathBegin[piece]!)));
                    const x1 = Math.min(Math.ceil(scale.width), Math.max(x0 + 1, Math.round(scale.x(execution.pathEnd[piece]!))));
                    ground.fill(inks.path, left + x0, ribbon, x1 - x0, Math.round(ribbonHeight * density));
                }
            }
        }
    }

    private drawCpu(scene: Scene, lane: LaneAt, scale: TimeScale, ground: Ground, left: number, top: number, height: number, density: number): void {
        const { execution, inks } = scene;
        const pixels = this.cpuPixels;
        pixels.measure(execution, lane.id, scale);
        this.visited += pixels.visited;
        const line = Math.max(1, Math.round(density));
        let beforeEnd = -1;
        for (let i = 0; i < pixels.wideCount; ++i) {
            const interval = pixels.wideInterval[i]!;
            const begin = pixels.wideBegin[i]!;
            const width = pixels.wideEnd[i]! - begin;
            ground.fill(inkOf(scene, interval), left + begin, top, width, height);
            if (begin === beforeEnd && width > 2 * line) {
                ground.fill(inks.background, left + begin, top, line, height);
            }
            beforeEnd = begin + width;
            this.place(scene, interval, begin / density, width / density, lane.top);
        }
        for (let column = 0; column < pixels.busy.length; ++column) {
            const busy = Math.min(1, pixels.busy[column]!);
            if (busy > 0) {
                const size = Math.max(line, Math.round(busy * height));
                ground.fill(inkOfState(scene, State.running, pixels.thread[column]!), left + column, top + height - size, 1, size);
            }
        }
    }

    private place(scene: Scene, interval: number, x: number, width: number, top: number): void {
        const { execution, lit, layout } = scene;
        const isLit = lit.objects.has(execution.intervalObject[interval]!) || lit.sites.has(execution.intervalSite[interval]!);
        if ((width >= leastTextWidth || (isLit && width >= 2)) && this.placed.length < mostPlaced) {
            this.placed.push({ interval, x: layout.gutter + x, width, top, isLit });
        }
    }

    // A strip below the lane: how many events there are where there are too many to draw each.
    private drawEventDensity(scene: Scene, lane: LaneAt, ground: Ground, density: number): void {
        const { execution, layout, inks } = scene;
        if (!areDense(scene, lane.id)) {
            return;
        }
        const scale = new TimeScale(scene.range, layout.plot);
        const top = Math.round((lane.top + layout.laneHeight - bodyBottom + 1) * density);
        const height = Math.max(1, Math.round(1.5 * density));
        const counts = scene.byCpu ? densityOfCpu(execution, lane.id, scale) : densityOfThread(execution, lane.id, scale);
        counts.forEach((count, bucket) => {
            if (count > 0) {
                const level = Math.min(inks.density.length - 1, Math.floor(Math.log2(count) / 2));
                const left = Math.round((layout.gutter + bucket * bucketWidth) * density);
                ground.fill(inks.density[level]!, left, top, Math.round((layout.gutter + (bucket + 1) * bucketWidth) * density) - left, height);
            }
        });
    }

    private drawProfile(scene: Scene, scale: TimeScale, ground: Ground, density: number): void {
        const { layout, inks } = scene;
        this.profile.measure(scene.execution, scale);
        this.visited += this.profile.visited;
        const top = Math.round((layout.profile.top + profileMargin) * density);
        const bottom = Math.round((layout.profile.top + layout.profile.height) * density);
        drawCurve(ground, inks, this.profile, Math.round(layout.gutter * density), top, bottom, scene.axis.top, Math.max(1, Math.round(density)));
    }

    private drawMinimap(scene: Scene, ground: Ground, density: number): void {
        const { layout, inks } = scene;
        if (layout.minimap.height === 0) {
            return;
        }
        const overall = this.overallOn(scene, Math.round(layout.plot * density));
        const top = Math.round((layout.minimap.top + 3) * density);
        const bottom = Math.round((layout.minimap.top + layout.minimap.height - 1) * density);
        const left = Math.round(layout.gutter * density);
        const most = Math.max(1, scene.execution.totals.cpus);
        for (let column = 0; column < overall.width; ++column) {
            const size = Math.min(bottom - top, Math.round((overall.running.mean[column]! / most) * (bottom - top)));
            ground.fill(inks.minimap, left + column, bottom - size, 1, size);
        }
    }

    // Parallelism over the whole run; the same for every range.
    private overallOn(scene: Scene, width: number): ProfilePixels {
        if (this.overallOf !== scene.execution || this.overallWidth !== width || this.overallWhole !== scene.whole) {
            this.overall.measure(scene.execution, new TimeScale([0, Math.max(1, scene.whole)], width));
            this.overallOf = scene.execution;
            this.overallWidth = width;
            this.overallWhole = scene.whole;
        }
        return this.overall;
    }
}

function drawWide(ground: Ground, inks: Inks, ink: Ink, state: number, x: number, top: number, width: number, height: number, line: number): void {
    if (state === State.sleeping) {
        const size = Math.max(line, Math.round(height / 3));
        ground.fill(ink, x, top + height - size, width, size);
        return;
    }
    ground.fill(ink, x, top, width, height);
    if (state === State.blocked) {
        ground.fill(inks.outline, x, top, width, line);
        ground.fill(inks.outline, x, top + height - line, width, line);
        if (width > 3 * line) {
            ground.fill(inks.outline, x, top, line, height);
            ground.fill(inks.outline, x + width - line, top, line, height);
        }
    }
}

// Mean weight of the work in a column of a thread's lane: of the operations that end it there, and of the next one.
function weightIn({ execution, weights }: Scene, thread: number, scale: TimeScale, column: number): number {
    const first = execution.eventFirst[thread]!;
    const last = execution.eventFirst[thread + 1]!;
    const from = firstAfter(execution.eventTime, scale.time(column), first, last);
    const to = firstAfter(execution.eventTime, scale.time(column + 1), from, last);
    const operation = weights!.first[thread]! - first;
    return weights!.mean(operation + Math.min(from, last - 1), operation + Math.min(to, last - 1) + 1);
}

// Running, pale, and from the bottom up as much of it as its work decides the time.
function drawWeighted(ground: Ground, inks: Inks, weight: number, x: number, top: number, height: number): void {
    const size = Math.round(Math.min(1, Math.abs(weight)) * height);
    ground.fill(inks.runningBand, x, top, 1, height - size);
    if (size > 0) {
        ground.fill(weight < 0 ? inks.negative : weight > 1.01 ? inks.runningMean : inks.running, x, top + height - size, 1, size);
    }
}

// A column of intervals that are narrower than it: how much each state has of it, from the bottom up. Within a wide
// interval it stands for what interrupts that.
function drawColumn(ground: Ground, scene: Scene, pixels: LanePixels, column: number, x: number, top: number, height: number, weight: number | null): void {
    let sum = 0;
    for (let state = 0; state < stateCount; ++state) {
        sum += pixels.shares[column * stateCount + state]!;
    }
    const isAlone = pixels.covered[column] === 0;
    const size = isAlone ? height : Math.max(Math.round(Math.min(1, sum) * height), Math.round(leastNarrow * height));
    let bottom = top + height;
    let filled = 0;
    for (let i = 0; i < stacking.length && bottom > top; ++i) {
        const share = pixels.shares[column * stateCount + stacking[i]!]!;
        if (share > 0) {
            filled += share;
            const end = top + height - Math.round((filled / sum) * size);
            if (bottom > end) {
                if (weight !== null && stacking[i] === State.running) {
                    drawWeighted(ground, scene.inks, weight, x, end, bottom - end);
                } else {
                    ground.fill(inkOfState(scene, stacking[i]!, 0, true), x, end, 1, bottom - end);
                }
                bottom = end;
            }
        }
    }
}

// Running from the bottom: the least whole, up to the most pale, the mean a line. On top of the mean what is ready: its
// mean, and pale up to the most that ran or were ready together. What does not fit is cut off under a line. Above that
// what waits, its mean.
function drawCurve(ground: Ground, inks: Inks, pixels: ProfilePixels, left: number, top: number, bottom: number, most: number, line: number): void {
    const height = bottom - top;
    const { running, ready, waiting } = pixels;
    const up = (threads: number) => Math.min(height, Math.round((threads / most) * height));
    const column = (ink: Ink, x: number, from: number, to: number) => {
        if (to > from) {
            ground.fill(ink, left + x, bottom - to, 1, to - from);
        }
    };
    for (let x = 0; x < pixels.width; ++x) {
        const [min, max, mean] = [running.min[x]!, running.max[x]!, running.mean[x]!];
        if (max < min) {
            continue;
        }
        const base = up(mean);
        const runnable = up(mean + ready.mean[x]!);
        column(inks.waiting, x, runnable, up(mean + ready.mean[x]! + waiting.mean[x]!));
        column(inks.readyBand, x, base, up(pixels.togetherMax[x]!));
        column(inks.ready, x, base, runnable);
        column(inks.runningBand, x, up(min), up(max));
        column(inks.running, x, 0, up(min));
        if (max > min) {
            column(inks.runningMean, x, Math.max(0, base - line), Math.max(line, base));
        }
        if (pixels.togetherMax[x]! > most) {
            column(inks.cut, x, height - 2 * line, height);
        }
    }
}

const leastGapOfGlyphs = 13; // px, on average
const mostIntervalsOfCpu = 300; // in which events are looked for at every frame

// The events that are drawn each on a lane, of a thread or a processor; empty where they are too many.
export function eventsEach(scene: Scene, lane: number): readonly number[] {
    if (!scene.byCpu && lane >= scene.execution.threads) {
        return []; // the lane of a group
    }
    if (scene.byCpu) {
        return eventsOfCpu(scene, lane) ?? [];
    }
    const [from, to] = eventsOfThread(scene, lane);
    return areTooMany(scene, to - from) ? [] : Array.from({ length: to - from }, (_, i) => from + i);
}

// There are events in the lane, and too many to draw each.
function areDense(scene: Scene, lane: number): boolean {
    if (scene.byCpu) {
        return scene.execution.events > 0 && eventsOfCpu(scene, lane) === null;
    }
    const [from, to] = eventsOfThread(scene, lane);
    return areTooMany(scene, to - from);
}

function areTooMany({ layout }: Scene, events: number): boolean {
    return events * leastGapOfGlyphs > layout.plot;
}

// Null: too many to draw each.
function eventsOfCpu({ execution, range, layout }: Scene, cpu: number): readonly number[] | null {
    return eventsOnCpu(execution, cpu, range[0], range[1], Math.floor(layout.plot / leastGapOfGlyphs), mostIntervalsOfCpu);
}

// Those in sight: [first, last).
function eventsOfThread({ execution, range }: Scene, thread: number): readonly [first: number, last: number] {
    const last = execution.eventFirst[thread + 1]!;
    const from = firstAfter(execution.eventTime, range[0], execution.eventFirst[thread]!, last);
    return [from, firstAfter(execution.eventTime, range[1], from, last)];
}
