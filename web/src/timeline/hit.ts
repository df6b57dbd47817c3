// What lies under the pointer? All pure.

import { none } from "../execution.ts";
import { cpuIntervalNear } from "./cpu_pixels.ts";
import { eventsEach } from "./draw_ground.ts";
import { glyphY, messageAt } from "./draw_marks.ts";
import { glyphSize } from "./glyphs.ts";
import { groupOfLane } from "./lane_groups.ts";
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
    readonly message: number; // whose arrow it is
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
        return { place, time, lane, interval: none, event: none, message: none };
    }
    const reach = edgeReach * scale.nsPerPixel;
    return { place, time, lane, interval: intervalOf(scene, lane.id, time, reach), event: eventAt(scene, lane, time, y), message: messageAt(scene, x, y) };
}

function intervalOf(scene: Scene, lane: number, time: number, reach: number): number {
    if (!scene.byCpu && groupOfLane(scene.execution, lane) !== null) {
        return none;
    }
    return scene.byCpu ? cpuIntervalNear(scene.execution, lane, time, reach) : intervalNear(scene.execution, lane, time, reach);
}

function eventAt(scene: Scene, lane: LaneAt, time: number, y: number): number {
    if (Math.abs(y - glyphY(scene, lane.top)) > glyphReach) {
        return none;
    }
    const { eventTime } = scene.execution;
    const distance = (event: number) => Math.abs(eventTime[event]! - time);
    const nearest = eventsEach(scene, lane.id).reduce((best, event) => (best === none || distance(event) < distance(best) ? event : best), none);
    return nearest !== none && distance(nearest) * scaleOf(scene).pixelsPerNs <= glyphReach ? nearest : none;
}
