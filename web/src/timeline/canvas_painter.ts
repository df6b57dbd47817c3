// The canvas as a ground and as a painter. Rectangles of the ground are written as pixels: some ten thousand of them a
// frame are too many for calls of the canvas, and nothing in an array.

import type { Pattern } from "../theme/palette.ts";
import type { Ink } from "./inks.ts";
import { fontOf, textSize, type Ground, type Painter, type TextStyle } from "./painter.ts";

const period = 4; // px between the lines of a pattern

// Does the pattern ink the pixel?
export function isInked(pattern: Pattern, x: number, y: number): boolean {
    switch (pattern) {
        case "dots":
            return x % period === 0 && y % period === 0;
        case "rising":
            return (x + y) % period === 0;
        case "falling":
            return (x - y + 1024 * period) % period === 0;
        case "cross":
            return (x + y) % (2 * period) === 0 || (x - y + 1024 * period) % (2 * period) === 0;
        case "horizontal":
            return y % period === 0;
        default:
            return false;
    }
}

function pixelOf(colour: string): number {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return ((255 << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;
}

interface Tile {
    readonly base: number;
    readonly size: number; // 0: all base
    readonly pixels: Uint32Array;
}

export class PixelGround implements Ground {
    readonly width: number;
    readonly height: number;
    readonly image: ImageData;
    private readonly pixels: Uint32Array;
    private readonly density: number;
    private tiles: Tile[] = [];
    private top = 0;
    private bottom: number;

    constructor(width: number, height: number, density: number) {
        this.width = width;
        this.height = height;
        this.bottom = height;
        this.density = Math.max(1, Math.round(density));
        this.image = new ImageData(width, height);
        this.pixels = new Uint32Array(this.image.data.buffer);
    }

    // Other inks may have the same ids.
    forgetInks(): void {
        this.tiles = [];
    }

    keepTo(top: number, bottom: number): void {
        this.top = Math.max(0, top);
        this.bottom = Math.min(this.height, bottom);
    }

    fill(ink: Ink, x: number, y: number, width: number, height: number): void {
        const left = x < 0 ? 0 : x;
        const right = x + width > this.width ? this.width : x + width;
        const top = y < this.top ? this.top : y;
        const bottom = y + height > this.bottom ? this.bottom : y + height;
        if (right <= left || bottom <= top) {
            return;
        }
        const tile = (this.tiles[ink.id] ??= this.tileOf(ink));
        if (tile.size > 0) {
            this.fillTile(tile, left, right, top, bottom);
        } else if (right - left < 4) {
            this.fillNarrow(tile.base, left, right, top, bottom);
        } else {
            for (let row = top; row < bottom; ++row) {
                this.pixels.fill(tile.base, row * this.width + left, row * this.width + right);
            }
        }
    }

    // Most rectangles are a pixel wide: a call for each of their rows would cost more than its pixels.
    private fillNarrow(base: number, left: number, right: number, top: number, bottom: number): void {
        const { pixels, width } = this;
        for (let at = top * width + left, end = bottom * width, span = right - left; at < end; at += width) {
            for (let i = 0; i < span; ++i) {
                pixels[at + i] = base;
            }
        }
    }

    private fillTile(tile: Tile, left: number, right: number, top: number, bottom: number): void {
        for (let row = top; row < bottom; ++row) {
            const at = row * this.width;
            const from = (row % tile.size) * tile.size;
            for (let column = left; column < right; ++column) {
                this.pixels[at + column] = tile.pixels[from + (column % tile.size)]!;
            }
        }
    }

    private tileOf(ink: Ink): Tile {
        const base = pixelOf(ink.colour);
        if (ink.pattern === "none" || ink.pattern === "solid" || ink.pattern === "hollow") {
            return { base, size: 0, pixels: new Uint32Array(0) };
        }
        const size = 2 * period * this.density;
        const over = pixelOf(ink.over);
        const pixels = Uint32Array.from({ length: size * size }, (_, i) =>
            isInked(ink.pattern, Math.floor((i % size) / this.density), Math.floor(Math.floor(i / size) / this.density)) ? over : base,
        );
        return { base, size, pixels };
    }
}

export class CanvasPainter implements Painter {
    private readonly context: CanvasRenderingContext2D;
    private readonly widths = new Map<string, number>();

    constructor(context: CanvasRenderingContext2D) {
        this.context = context;
    }
    rect(x: number, y: number, width: number, height: number, colour: string, opacity = 1): void {
        this.context.globalAlpha = opacity;
        this.context.fillStyle = colour;
        this.context.fillRect(x, y, width, height);
        this.context.globalAlpha = 1;
    }
    outline(x: number, y: number, width: number, height: number, colour: string, thickness: number): void {
        this.context.strokeStyle = colour;
        this.context.lineWidth = thickness;
        this.context.setLineDash([]);
        this.context.strokeRect(x, y, width, height);
    }
    line(points: readonly number[], colour: string, thickness: number, dash: readonly number[] = []): void {
        this.trace(points);
        this.context.strokeStyle = colour;
        this.context.lineWidth = thickness;
        this.context.setLineDash([...dash]);
        this.context.stroke();
    }
    polygon(points: readonly number[], fill: string | null, stroke: string | null, thickness = 1): void {
        this.trace(points);
        this.context.closePath();
        this.finish(fill, stroke, thickness);
    }
    circle(x: number, y: number, radius: number, fill: string | null, stroke: string | null, thickness = 1): void {
        this.context.beginPath();
        this.context.arc(x, y, radius, 0, 2 * Math.PI);
        this.finish(fill, stroke, thickness);
    }
    text(text: string, x: number, baseline: number, style: TextStyle): void {
        this.context.font = fontOf(style.size ?? textSize, style.bold ?? false);
        this.context.fillStyle = style.colour;
        this.context.textAlign = style.align === "centre" ? "center" : (style.align ?? "left");
        this.context.fillText(text, x, baseline);
    }
    clip(x: number, y: number, width: number, height: number, draw: () => void): void {
        this.context.save();
        this.context.beginPath();
        this.context.rect(x, y, width, height);
        this.context.clip();
        draw();
        this.context.restore();
    }
    lowered(by: number, draw: () => void): void {
        this.context.save();
        this.context.translate(0, by);
        draw();
        this.context.restore();
    }
    measure(text: string, size = textSize, bold = false): number {
        const key = `${size}${bold ? "b" : ""}${text}`;
        let width = this.widths.get(key);
        if (width === undefined) {
            if (this.widths.size > 20_000) {
                this.widths.clear();
            }
            this.context.font = fontOf(size, bold);
            width = this.context.measureText(text).width;
            this.widths.set(key, width);
        }
        return width;
    }
    private trace(points: readonly number[]): void {
        this.context.beginPath();
        for (let i = 0; i + 1 < points.length; i += 2) {
            if (i === 0) {
                this.context.moveTo(points[0]!, points[1]!);
            } else {
                this.context.lineTo(points[i]!, points[i + 1]!);
            }
        }
    }
    private finish(fill: string | null, stroke: string | null, thickness: number): void {
        if (fill) {
            this.context.fillStyle = fill;
            this.context.fill();
        }
        if (stroke) {
            this.context.strokeStyle = stroke;
            this.context.lineWidth = thickness;
            this.context.setLineDash([]);
            this.context.stroke();
        }
    }
}
