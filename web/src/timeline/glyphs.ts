// Which sign stands for which kind of event? Small shapes in one ink, distinguished by form.

import { Operation } from "../execution.ts";
import type { Painter } from "./painter.ts";

export type Glyph =
    | "lock"
    | "unlock"
    | "conditionWait"
    | "conditionSignal"
    | "semaphoreWait"
    | "semaphorePost"
    | "barrier"
    | "create"
    | "join"
    | "inputOutput"
    | "end"
    | "pause"
    | "other";

// What the legend says of each, in its order.
export const glyphMeanings: readonly (readonly [Glyph, string])[] = [
    ["lock", "takes a lock"],
    ["unlock", "gives it back"],
    ["conditionWait", "waits on a condition"],
    ["conditionSignal", "signals it"],
    ["semaphoreWait", "waits on a semaphore"],
    ["semaphorePost", "posts it"],
    ["barrier", "barrier"],
    ["create", "creates a thread"],
    ["join", "waits for one to end"],
    ["end", "ends"],
    ["inputOutput", "input or output"],
    ["pause", "sleeps or yields"],
    ["other", "another call"],
];

const glyphs: Readonly<Record<number, Glyph>> = {
    [Operation.end]: "end",
    [Operation.create]: "create",
    [Operation.activate]: "create",
    [Operation.join]: "join",
    [Operation.joinAny]: "join",
    [Operation.lock]: "lock",
    [Operation.readLock]: "lock",
    [Operation.writeLock]: "lock",
    [Operation.unlock]: "unlock",
    [Operation.readWriteUnlock]: "unlock",
    [Operation.conditionWait]: "conditionWait",
    [Operation.conditionSignal]: "conditionSignal",
    [Operation.semaphoreWait]: "semaphoreWait",
    [Operation.semaphorePost]: "semaphorePost",
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
        case "lock":
            return painter.polygon([x - r, y - r + 1, x + r, y - r + 1, x, y + r], ink, ground);
        case "unlock":
            return painter.polygon([x - r, y + r - 1, x + r, y + r - 1, x, y - r], ground, ink, 1.4);
        case "conditionWait":
            return painter.polygon([x, y - r, x + r, y, x, y + r, x - r, y], ground, ink, 1.4);
        case "conditionSignal":
            return painter.polygon([x, y - r, x + r, y, x, y + r, x - r, y], ink, ground);
        case "semaphoreWait":
            return painter.polygon(halfDisc(x, y - r + 1.5, 1), ground, ink, 1.4);
        case "semaphorePost":
            return painter.polygon(halfDisc(x, y + r - 1.5, -1), ink, ground);
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

// Flat at y, round below it (down: 1) or above it (-1).
function halfDisc(x: number, y: number, down: 1 | -1): number[] {
    const radius = glyphSize / 2 + 1;
    return Array.from({ length: 9 }, (_, i) => (i * Math.PI) / 8).flatMap((angle) => [x + radius * Math.cos(angle), y + down * radius * Math.sin(angle)]);
}
