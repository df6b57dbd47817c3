// Which sign stands for which kind of event? Small shapes in one ink, told apart by form.

import { Operation } from "../execution.ts";
import type { Painter } from "./painter.ts";

export type Glyph = "take" | "release" | "wait" | "signal" | "barrier" | "create" | "join" | "inputOutput" | "end" | "pause" | "other";

const glyphs: Readonly<Record<number, Glyph>> = {
    [Operation.end]: "end",
    [Operation.create]: "create",
    [Operation.activate]: "create",
    [Operation.join]: "join",
    [Operation.joinAny]: "join",
    [Operation.lock]: "take",
    [Operation.readLock]: "take",
    [Operation.writeLock]: "take",
    [Operation.unlock]: "release",
    [Operation.readWriteUnlock]: "release",
    [Operation.conditionWait]: "wait",
    [Operation.semaphoreWait]: "wait",
    [Operation.conditionSignal]: "signal",
    [Operation.semaphorePost]: "signal",
    [Operation.conditionBarrier]: "barrier",
    [Operation.barrierWait]: "barrier",
    [Operation.inputOutput]: "inputOutput",
    [Operation.accept]: "inputOutput",
    [Operation.delay]: "pause",
    [Operation.yield]: "pause",
};

export const glyphSize = 8; // px

export function glyphOf(kind: number): Glyph {
    return glyphs[kind] ?? "other";
}

// Centred at (x, y). `ink` draws, `ground` is what must be told from.
export function drawGlyph(painter: Painter, glyph: Glyph, x: number, y: number, ink: string, ground: string): void {
    const r = glyphSize / 2;
    switch (glyph) {
        case "take":
            return painter.polygon([x - r, y - r + 1, x + r, y - r + 1, x, y + r], ink, ground);
        case "release":
            return painter.polygon([x - r, y + r - 1, x + r, y + r - 1, x, y - r], ground, ink, 1.4);
        case "wait":
            return painter.polygon([x, y - r, x + r, y, x, y + r, x - r, y], ground, ink, 1.4);
        case "signal":
            return painter.polygon([x, y - r, x + r, y, x, y + r, x - r, y], ink, ground);
        case "barrier":
            painter.rect(x - 3.5, y - r, 7, 2 * r, ground);
            painter.rect(x - 2.5, y - r, 2, 2 * r, ink);
            return painter.rect(x + 0.5, y - r, 2, 2 * r, ink);
        case "create":
            painter.circle(x, y, r, ground, ink, 1.4);
            painter.line([x - 2, y, x + 2, y], ink, 1.4);
            return painter.line([x, y - 2, x, y + 2], ink, 1.4);
        case "join":
            return painter.polygon([x - r + 1, y - r, x + r, y, x - r + 1, y + r], ink, ground);
        case "inputOutput":
            return painter.polygon([x - r + 1, y - r + 1, x + r - 1, y - r + 1, x + r - 1, y + r - 1, x - r + 1, y + r - 1], ink, ground);
        case "end":
            painter.line([x - r + 1, y - r + 1, x + r - 1, y + r - 1], ground, 3.5);
            painter.line([x - r + 1, y + r - 1, x + r - 1, y - r + 1], ground, 3.5);
            painter.line([x - r + 1, y - r + 1, x + r - 1, y + r - 1], ink, 1.6);
            return painter.line([x - r + 1, y + r - 1, x + r - 1, y - r + 1], ink, 1.6);
        case "pause":
            return painter.circle(x, y, r - 1, ground, ink, 1.4);
        case "other":
            return painter.circle(x, y, r - 1.5, ink, ground);
    }
}
