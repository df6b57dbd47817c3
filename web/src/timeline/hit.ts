// What lies under the pointer? All pure.

import { firstAfter, none, type Execution } from "../execution.ts";
import { cpuIntervalNear } from "./cpu_pixels.ts";
import { eventsSeen } from "./draw_ground.ts";
import { glyphY } from "./draw_marks.ts";
import { glyphSize } from "./glyphs.ts";
import { intervalNear } from "./lane_pixels.ts";
import { laneAt, scrollbarWidth, type LaneAt } from "./layout.ts";
import { scaleOf, type Scene } from "./scene.ts";

export type Place = "minimap" | "axis" | "profile" | "lanes" | "label" | "scrollbar" | "nothing";

export interface Hit {
    readonly place: Place;
    readonly time: number; // under the pointer
    readonly lane: LaneAt | null;
    readonly interval: number; // none: of none
    readonly event: number;
}

const edgeReach = 1.5; // px: how far a pointer may miss an interval
const glyphReach = glyphSize / 2 + 2;

function inBand(y: number, band: { readonly top: number; readonly height: number }): boolean {
    return y >= band.top && y < band.top + band.height;
}

export function placeAt(scene: Scene, x: number, y: number): Place {
    const { layout } = scene;
    if (x < 0 || y < 0 || x >= layout.width || y >= layout.height) {
        return "nothing";
    }
    if (x < layout.gutter) {
        return y >= layout.pinned.top ? "label" : "nothing";
    }
    if (inBand(y, layout.minimap)) {
        return "minimap";
    }
    if (inBand(y, layout.axis)) {
        return "axis";
    }
    if (y < layout.pinned.top) {
        return "profile";
    }
    const hasScrollbar = layout.contentHeight > layout.lanes.height && y >= layout.lanes.top;
    return hasScrollbar && x >= layout.width - scrollbarWidth ? "scrollbar" : "lanes";
}

export function hitAt(scene: Scene, x: number, y: number): Hit {
    const place = placeAt(scene, x, y);
    const scale = scaleOf(scene);
    const time = scale.time(x - scene.layout.gutter);
    const lane = place === "lanes" || place === "label" ? laneAt(scene.layout, scene.order, scene.scroll, y) : null;
    if (place !== "lanes" || lane === null) {
        return { place, time, lane, interval: none, event: none };
    }
    const reach = edgeReach * scale.nsPerPixel;
    return { place, time, lane, interval: intervalOf(scene, lane.id, time, reach), event: eventAt(scene, lane, time, y) };
}

function intervalOf(scene: Scene, lane: number, time: number, reach: number): number {
    return scene.byCpu ? cpuIntervalNear(scene.execution, lane, time, reach) : intervalNear(scene.execution, lane, time, reach);
}

function eventAt(scene: Scene, lane: LaneAt, time: number, y: number): number {
    if (scene.byCpu || Math.abs(y - glyphY(scene, lane.top)) > glyphReach || eventsSeen(scene, lane.id) !== "each") {
        return none;
    }
    const event = nearestEvent(scene.execution, lane.id, time);
    const distance = event === none ? Infinity : Math.abs(scene.execution.eventTime[event]! - time) * scaleOf(scene).pixelsPerNs;
    return distance <= glyphReach ? event : none;
}

export function nearestEvent(execution: Execution, thread: number, time: number): number {
    const first = execution.eventFirst[thread]!;
    const last = execution.eventFirst[thread + 1]!;
    const after = firstAfter(execution.eventTime, time, first, last);
    if (first === last) {
        return none;
    }
    if (after === first || after === last) {
        return after === first ? first : last - 1;
    }
    return execution.eventTime[after]! - time < time - execution.eventTime[after - 1]! ? after : after - 1;
}
