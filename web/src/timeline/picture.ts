// What does a saved picture need to be read on its own? Above the timeline a title and the facts of the execution, below
// it what the colours and signs mean.

import { firstAfter, State } from "../execution.ts";
import { instantsTo } from "../format.ts";
import { stateLabel } from "../overview.ts";
import { GroundDrawing, type Placed } from "./draw_ground.ts";
import { drawMarks } from "./draw_marks.ts";
import { drawGlyph, glyphMeanings, glyphOf, type Glyph } from "./glyphs.ts";
import { inkOfState } from "./ink_of.ts";
import type { Ink } from "./inks.ts";
import { statesInLanes } from "./legend.ts";
import { fitted, type Ground, type Painter } from "./painter.ts";
import { colouredBy, type Scene } from "./scene.ts";

export interface Caption {
    readonly title: string;
    readonly facts: string; // on how many CPUs, how fast
    readonly source: string; // of which file, by which version
}

const margin = 12; // px
const titleSize = 15;
const factsSize = 12;
const captionHeight = 62;

const swatchWidth = 16;
const swatchHeight = 10;
const textGap = 6;
const entryGap = 18;
const rowHeight = 18;

// Painted above what is seen, in the full width.
function drawCaption(scene: Scene, caption: Caption, painter: Painter): void {
    const { layout, range, whole } = scene;
    const { text, secondary, hairline } = scene.inks.colours;
    const room = layout.width - 2 * margin;
    const line = (words: string, baseline: number, size: number, colour: string, bold = false) =>
        painter.text(fitted(painter, words, room, size, bold), margin, baseline, { colour, size, bold });
    line(caption.title, 22, titleSize, text, true);
    line(caption.facts, 39, factsSize, text);
    const isWhole = range[0] <= 0 && range[1] >= whole;
    const instant = instantsTo(range[1], (range[1] - range[0]) / layout.plot);
    const seen = isWhole ? "the whole run" : `${instant(range[0])} to ${instant(range[1])}`;
    line(`${caption.source}, ${seen}`, 54, factsSize, secondary);
    painter.rect(0, captionHeight - 1, layout.width, 1, hairline);
}

type Measuring = Pick<Painter, "measure">;

// What is explained: an ink of the lanes, or the sign of an event.
interface Sample {
    readonly words: string;
    readonly ink: Ink | null;
    readonly tall: number; // px, of the ink
    readonly glyph: Glyph | null;
}

interface Entry extends Sample {
    readonly x: number;
    readonly row: number;
}

const ribbon = 3; // px
const mostSigns = 1000; // of a thread: a lane is not wider than that many
const mostNamed = 24; // threads or groups in lanes by CPU; colours repeat long before

function samplesOf(scene: Scene): Sample[] {
    const { inks, execution } = scene;
    const sample = (words: string, ink: Ink, tall = swatchHeight): Sample => ({ words, ink, tall, glyph: null });
    const coloured = colouredBy(scene);
    const runners = () =>
        coloured.count <= mostNamed
            ? Array.from({ length: coloured.count }, (_, i) => sample(coloured.name(i), inkOfState(scene, State.running, coloured.thread(i))))
            : [sample(`a colour for each ${coloured.word}`, inks.threads[0]!)];
    const colours = statesInLanes(execution, scene.byCpu).flatMap((state) =>
        scene.byCpu && state === State.running ? runners() : [sample(stateLabel(scene.overview, state), inkOfState(scene, state, 0))],
    );
    const path = execution.pathThread.length > 0 ? [sample("critical path", inks.path, ribbon)] : [];
    const seen = glyphsSeen(scene);
    const signs = glyphMeanings.filter(([glyph]) => seen.has(glyph)).map(([glyph, words]): Sample => ({ words, ink: null, tall: 0, glyph }));
    return [...colours, ...path, ...signs];
}

// Signs of the events in sight, where they are few enough to be drawn as signs.
function glyphsSeen({ execution, range }: Scene): ReadonlySet<Glyph> {
    const seen = new Set<Glyph>();
    for (let thread = 0; thread < execution.threads; ++thread) {
        const last = execution.eventFirst[thread + 1]!;
        const first = firstAfter(execution.eventTime, range[0], execution.eventFirst[thread]!, last);
        for (let event = first; event < Math.min(last, first + mostSigns) && execution.eventTime[event]! <= range[1]; ++event) {
            seen.add(glyphOf(execution.eventKind[event]!));
        }
    }
    return seen;
}

// Which sample stands where.
function entriesOf(scene: Scene, measuring: Measuring): Entry[] {
    let x = margin;
    let row = 0;
    return samplesOf(scene).map((sample) => {
        const needed = swatchWidth + textGap + measuring.measure(sample.words, factsSize);
        if (x > margin && x + needed > scene.layout.width - margin) {
            x = margin;
            ++row;
        }
        const entry = { ...sample, x, row };
        x += needed + entryGap;
        return entry;
    });
}

function legendHeight(scene: Scene, measuring: Measuring): number {
    const rows = entriesOf(scene, measuring).map(({ row }) => row + 1);
    return Math.max(...rows) * rowHeight + margin;
}

function middleOf({ row }: Entry, top: number): number {
    return top + margin / 2 + (row + 0.5) * rowHeight;
}

function fillLegend(scene: Scene, top: number, density: number, ground: Ground, measuring: Measuring): void {
    const px = (length: number) => Math.round(length * density);
    const { inks, layout } = scene;
    const height = legendHeight(scene, measuring);
    ground.keepTo(px(top), px(top + height));
    ground.fill(inks.background, 0, px(top), px(layout.width), px(height));
    for (const entry of entriesOf(scene, measuring)) {
        if (entry.ink) {
            ground.fill(entry.ink, px(entry.x), px(middleOf(entry, top) - entry.tall / 2), px(swatchWidth), px(entry.tall));
        }
    }
}

function markLegend(scene: Scene, top: number, painter: Painter): void {
    const { inks, layout } = scene;
    painter.rect(0, top, layout.width, 1, inks.colours.hairline);
    for (const entry of entriesOf(scene, painter)) {
        const middle = middleOf(entry, top);
        if (entry.glyph) {
            drawGlyph(painter, entry.glyph, entry.x + swatchWidth / 2, middle, inks.colours.text, inks.colours.surface);
        } else if (entry.tall > ribbon) {
            painter.outline(entry.x + 0.5, middle - swatchHeight / 2 + 0.5, swatchWidth - 1, swatchHeight - 1, inks.outline.colour, 1);
        }
        painter.text(entry.words, entry.x + swatchWidth + textGap, middle + 4, { colour: inks.colours.secondary, size: factsSize });
    }
}

// All that is filled, and what of it is wide enough for marks.
export function fillPicture(scene: Scene, density: number, ground: Ground, measuring: Measuring): readonly Placed[] {
    const above = Math.round(captionHeight * density);
    ground.keepTo(0, above);
    ground.fill(scene.inks.background, 0, 0, Math.round(scene.layout.width * density), above);
    const drawing = new GroundDrawing();
    drawing.draw(scene, new LoweredGround(ground, above), density);
    fillLegend(scene, captionHeight + scene.layout.height, density, ground, measuring);
    return drawing.placed;
}

// What lies above what is filled.
export function markPicture(scene: Scene, caption: Caption, placed: readonly Placed[], painter: Painter): void {
    drawCaption(scene, caption, painter);
    painter.lowered(captionHeight, () => drawMarks(scene, placed, painter));
    markLegend(scene, captionHeight + scene.layout.height, painter);
}

export function pictureSize(scene: Scene, measuring: Measuring): { readonly width: number; readonly height: number } {
    const { width, height } = scene.layout;
    return { width, height: captionHeight + height + legendHeight(scene, measuring) };
}

// A ground whose rows begin further down in another.
class LoweredGround implements Ground {
    private readonly ground: Ground;
    private readonly by: number; // pixels of the device

    constructor(ground: Ground, by: number) {
        this.ground = ground;
        this.by = by;
    }
    keepTo(top: number, bottom: number): void {
        this.ground.keepTo(top + this.by, bottom + this.by);
    }
    fill(ink: Ink, x: number, y: number, width: number, height: number): void {
        this.ground.fill(ink, x, y + this.by, width, height);
    }
}
