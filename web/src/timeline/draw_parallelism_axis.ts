// The numbers of threads beside the parallelism, and the line that is as high as there are processors.

import { countText, counted } from "../format.ts";
import { laneWord } from "../overview.ts";
import { profileMargin } from "./draw_ground.ts";
import { fitted, textSize, type Painter } from "./painter.ts";
import type { Scene } from "./scene.ts";

const tickLength = 3;
const heightOfThreeLines = 56; // px
const heightOfTwoLines = 40;

export function drawParallelismAxis(scene: Scene, painter: Painter): void {
    const { layout, inks, execution, axis } = scene;
    const { colours } = inks;
    const { top, height } = layout.profile;
    const yOf = (threads: number) => top + height - (threads / axis.top) * (height - profileMargin);
    const right = layout.gutter - 3 - tickLength;
    const cpus = Math.max(1, execution.totals.cpus);
    let widest = 0;
    for (const threads of axis.ticks) {
        const text = countText(threads);
        const lowest = threads === 0 ? 1 : 11; // px above the strip's end: beside 0
        const baseline = Math.min(top + height - lowest, Math.max(top + 9, yOf(threads) + 4));
        painter.text(text, right - 2, baseline, { colour: threads === cpus ? colours.text : colours.secondary, align: "right" });
        painter.rect(layout.gutter - 1 - tickLength, Math.min(top + height - 1, Math.round(yOf(threads))), tickLength, 1, colours.secondary);
        widest = Math.max(widest, painter.measure(text));
    }
    const y = Math.round(yOf(cpus)) + 0.5;
    painter.line([layout.gutter, y, layout.width, y], colours.text, 1, [1, 3]);
    drawNames(scene, painter, right - widest - 12);
    if (axis.isCut) {
        drawCutNote(scene, painter);
    }
}

function drawNames(scene: Scene, painter: Painter, room: number): void {
    const { layout, inks, execution } = scene;
    const { top, height } = layout.profile;
    const { colours } = inks;
    painter.text(fitted(painter, `${laneWord(scene.overview)}s`, room, textSize + 1), 8, top + 12, { colour: colours.text, size: textSize + 1 });
    if (height >= heightOfTwoLines) {
        painter.text(fitted(painter, "running, ready, waiting", room), 8, top + 26, { colour: colours.secondary });
    }
    if (height >= heightOfThreeLines) {
        painter.line([8, top + 36.5, 22, top + 36.5], colours.text, 1, [1, 3]);
        painter.text(fitted(painter, counted(execution.totals.cpus, "CPU"), room - 20), 28, top + 40, { colour: colours.secondary });
    }
}

function drawCutNote(scene: Scene, painter: Painter): void {
    const { layout, inks, axis } = scene;
    const { colours } = inks;
    const text = `cut: up to ${countText(axis.most)} ${laneWord(scene.overview)}s ran or were ready`;
    const width = painter.measure(text) + 8;
    painter.rect(layout.gutter + 2, layout.profile.top + 4, width, 14, colours.surface, 0.9);
    painter.text(text, layout.gutter + 6, layout.profile.top + 15, { colour: colours.text });
}
