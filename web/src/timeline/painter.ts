// What can the timeline be drawn on? One drawing, two grounds: the canvas and an SVG document. The ground (lanes, curves:
// many small rectangles on whole pixels) is filled first, the marks (text, lines, shapes) come on top.

import type { Ink } from "./inks.ts";

export interface Ground {
    // Pixels of the device; what lies outside the rows [top, bottom) of the last `keepTo` is cut off.
    fill(ink: Ink, x: number, y: number, width: number, height: number): void;
    keepTo(top: number, bottom: number): void;
}

export interface TextStyle {
    readonly colour: string;
    readonly size?: number; // px
    readonly bold?: boolean;
    readonly align?: "left" | "right" | "centre";
}

export interface Painter {
    rect(x: number, y: number, width: number, height: number, colour: string, opacity?: number): void;
    outline(x: number, y: number, width: number, height: number, colour: string, thickness: number): void;
    line(points: readonly number[], colour: string, thickness: number, dash?: readonly number[]): void;
    polygon(points: readonly number[], fill: string | null, stroke: string | null, thickness?: number): void;
    circle(x: number, y: number, radius: number, fill: string | null, stroke: string | null, thickness?: number): void;
    text(text: string, x: number, baseline: number, style: TextStyle): void;
    clip(x: number, y: number, width: number, height: number, draw: () => void): void;
    lowered(by: number, draw: () => void): void; // what `draw` draws lies further down, px
    measure(text: string, size?: number, bold?: boolean): number; // px
}

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
export const textSize = 11;

export function fontOf(size: number, bold: boolean): string {
    return `${bold ? "600 " : ""}${size}px ${fontFamily}`;
}

// The text, or as much of its beginning as fits, with "…"; nothing where not even two letters fit.
export function fitted(painter: Painter, text: string, width: number, size = textSize, bold = false): string {
    if (painter.measure(text, size, bold) <= width) {
        return text;
    }
    let low = 0;
    let high = text.length;
    while (low + 1 < high) {
        const middle = (low + high) >> 1;
        if (painter.measure(text.slice(0, middle) + "…", size, bold) <= width) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low < 2 ? "" : text.slice(0, low).trimEnd() + "…";
}
