// What follows the pointer: the instant, the interval below it, a lane that is moved. On a canvas of its own, so that
// a move of the pointer draws nothing else.

import { none } from "../execution.ts";
import { instantsTo } from "../format.ts";
import { bodyBottom, bodyTop } from "./draw_ground.ts";
import { textOn } from "./inks.ts";
import type { Hit } from "./hit.ts";
import { textSize, type Painter } from "./painter.ts";
import { scaleOf, type Scene } from "./scene.ts";

export interface LaneMove {
    readonly lane: number;
    readonly place: number; // before which of the scrolled lanes it would stand
    readonly y: number;
}

export function drawHover(scene: Scene, hit: Hit | null, move: LaneMove | null, painter: Painter): void {
    const { layout, inks } = scene;
    const { colours } = inks;
    if (move) {
        const y = layout.lanes.top + move.place * layout.laneHeight - scene.scroll;
        painter.rect(0, y - 1, layout.width, 2, colours.focus);
        painter.rect(4, move.y - 10, layout.gutter - 8, 20, colours.selected, 0.95);
        painter.text(scene.names.thread(move.lane), 10, move.y + 4, { colour: colours.text, bold: true, size: textSize + 1 });
        return;
    }
    if (!hit || hit.place === "nothing" || hit.place === "label" || hit.place === "scrollbar" || hit.place === "minimap") {
        return;
    }
    const scale = scaleOf(scene);
    const x = Math.round(layout.gutter + scale.x(hit.time)) + 0.5;
    painter.rect(x - 0.5, layout.axis.top + layout.axis.height, 1, layout.height, colours.text, 0.3);
    const label = instantsTo(scale.end, scale.nsPerPixel)(hit.time);
    const width = painter.measure(label) + 10;
    const left = Math.min(layout.width - width, Math.max(layout.gutter, x - width / 2));
    painter.rect(left, layout.axis.top + 1, width, layout.axis.height - 2, colours.text);
    painter.text(label, left + 5, layout.axis.top + 15, { colour: textOn(colours.text) });
    if (hit.lane && hit.interval !== none) {
        const { execution } = scene;
        const begin = Math.max(0, scale.x(execution.intervalBegin[hit.interval]!));
        const end = Math.min(layout.plot, scale.x(execution.intervalEnd(hit.interval)));
        const band = hit.lane.isPinned ? layout.pinned : layout.lanes;
        painter.clip(layout.gutter, band.top, layout.plot, band.height, () =>
            painter.outline(layout.gutter + begin - 0.5, hit.lane!.top + bodyTop - 0.5, Math.max(2, end - begin) + 1, layout.laneHeight - bodyTop - bodyBottom + 1, colours.text, 1.5),
        );
    }
}
