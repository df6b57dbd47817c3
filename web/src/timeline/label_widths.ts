// How much room do the names of the lanes take?

import type { Execution } from "../execution.ts";
import type { Overview } from "../overview.ts";
import type { CanvasPainter } from "./canvas_painter.ts";
import { groupLabel } from "./lane_groups.ts";
import { textSize } from "./painter.ts";
import { Names } from "./scene.ts";

const mostMeasured = 500; // names

export class LabelWidths {
    private readonly painter: CanvasPainter;
    private readonly known = new WeakMap<Overview, number>();

    constructor(painter: CanvasPainter) {
        this.painter = painter;
    }

    // Width of the widest name; measured once, for as many as can be told apart by scrolling.
    widest(execution: Execution, overview: Overview): number {
        let width = this.known.get(overview);
        if (width === undefined) {
            const names = new Names(overview);
            const threads = Math.min(mostMeasured, execution.threads);
            const groups = Math.min(mostMeasured, execution.groups);
            const widths = [
                ...Array.from({ length: threads }, (_, id) => this.painter.measure(names.thread(id), textSize + 1, true)),
                ...Array.from({ length: groups }, (_, group) => this.painter.measure(`▸ ${groupLabel(overview, execution, group)}`, textSize + 1, true)),
            ];
            this.known.set(overview, (width = Math.max(0, ...widths)));
        }
        return width;
    }
}
