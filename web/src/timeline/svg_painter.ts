// An SVG document as a ground and as a painter: what is seen, as a file. Rectangles of one ink become one path.

import { isInked } from "./canvas_painter.ts";
import type { Ink } from "./inks.ts";
import { fontFamily, textSize, type Ground, type Painter, type TextStyle } from "./painter.ts";

function number(value: number): string {
    return String(Math.round(value * 100) / 100);
}

export function escaped(text: string): string {
    const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
    // What XML has no place for is left out.
    return text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "").replace(/[&<>"]/g, (letter) => names[letter]!);
}

export class SvgPainter implements Ground, Painter {
    private readonly width: number;
    private readonly height: number;
    private readonly measureText: Painter["measure"];
    private readonly paths: { ink: Ink; parts: string[] }[] = [];
    private readonly inks = new Map<number, Ink>();
    private readonly marks: string[] = [];
    private clips = 0;
    private top = -Infinity;
    private bottom = Infinity;

    constructor(width: number, height: number, measure: Painter["measure"]) {
        this.width = width;
        this.height = height;
        this.measureText = measure;
    }

    keepTo(top: number, bottom: number): void {
        this.top = top;
        this.bottom = bottom;
    }

    // Later fills lie above earlier ones, so only a run of one ink shares a path.
    fill(ink: Ink, x: number, y: number, width: number, height: number): void {
        const top = Math.max(this.top, y);
        const size = Math.min(this.bottom, y + height) - top;
        if (width <= 0 || size <= 0) {
            return;
        }
        this.inks.set(ink.id, ink);
        const last = this.paths[this.paths.length - 1];
        const part = `M${x} ${top}h${width}v${size}h${-width}z`;
        if (last?.ink === ink) {
            last.parts.push(part);
        } else {
            this.paths.push({ ink, parts: [part] });
        }
    }
    rect(x: number, y: number, width: number, height: number, colour: string, opacity = 1): void {
        const share = opacity === 1 ? "" : ` fill-opacity="${number(opacity)}"`;
        this.marks.push(`<rect x="${number(x)}" y="${number(y)}" width="${number(Math.max(0, width))}" height="${number(Math.max(0, height))}" fill="${colour}"${share}/>`);
    }
    outline(x: number, y: number, width: number, height: number, colour: string, thickness: number): void {
        this.marks.push(
            `<rect x="${number(x)}" y="${number(y)}" width="${number(Math.max(0, width))}" height="${number(Math.max(0, height))}" fill="none" stroke="${colour}" stroke-width="${thickness}"/>`,
        );
    }
    line(points: readonly number[], colour: string, thickness: number, dash: readonly number[] = []): void {
        const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
        this.marks.push(`<polyline points="${points.map(number).join(" ")}" fill="none" stroke="${colour}" stroke-width="${thickness}"${dashes}/>`);
    }
    polygon(points: readonly number[], fill: string | null, stroke: string | null, thickness = 1): void {
        this.marks.push(`<polygon points="${points.map(number).join(" ")}" ${paint(fill, stroke, thickness)}/>`);
    }
    circle(x: number, y: number, radius: number, fill: string | null, stroke: string | null, thickness = 1): void {
        this.marks.push(`<circle cx="${number(x)}" cy="${number(y)}" r="${number(radius)}" ${paint(fill, stroke, thickness)}/>`);
    }
    text(text: string, x: number, baseline: number, style: TextStyle): void {
        const anchor = style.align === "right" ? ' text-anchor="end"' : style.align === "centre" ? ' text-anchor="middle"' : "";
        const weight = style.bold ? ' font-weight="600"' : "";
        this.marks.push(`<text x="${number(x)}" y="${number(baseline)}" font-size="${style.size ?? textSize}" fill="${style.colour}"${anchor}${weight}>${escaped(text)}</text>`);
    }
    clip(x: number, y: number, width: number, height: number, draw: () => void): void {
        const id = `c${this.clips++}`;
        this.marks.push(
            `<clipPath id="${id}"><rect x="${number(x)}" y="${number(y)}" width="${number(Math.max(0, width))}" height="${number(Math.max(0, height))}"/></clipPath><g clip-path="url(#${id})">`,
        );
        draw();
        this.marks.push("</g>");
    }
    lowered(by: number, draw: () => void): void {
        this.marks.push(`<g transform="translate(0 ${number(by)})">`);
        draw();
        this.marks.push("</g>");
    }
    measure(text: string, size?: number, bold?: boolean): number {
        return this.measureText(text, size, bold);
    }

    document(background: string): string {
        const size = `width="${this.width}" height="${this.height}"`;
        const patterns = [...this.inks.values()].filter((ink) => isPatterned(ink)).map(patternOf);
        const ground = this.paths.map(({ ink, parts }) => `<path fill="${isPatterned(ink) ? `url(#p${ink.id})` : ink.colour}" d="${parts.join("")}"/>`);
        return [
            `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${this.width} ${this.height}" font-family="${escaped(fontFamily)}">`,
            `<defs>${patterns.join("")}</defs>`,
            `<rect ${size} fill="${background}"/>`,
            `<g shape-rendering="crispEdges">${ground.join("\n")}</g>`,
            ...this.marks,
            "</svg>",
            "",
        ].join("\n");
    }
}

function paint(fill: string | null, stroke: string | null, thickness: number): string {
    return `fill="${fill ?? "none"}"` + (stroke ? ` stroke="${stroke}" stroke-width="${thickness}"` : "");
}

function isPatterned(ink: Ink): boolean {
    return ink.pattern !== "none" && ink.pattern !== "solid" && ink.pattern !== "hollow";
}

function patternOf(ink: Ink): string {
    const inked = Array.from({ length: 64 }, (_, i) => [i % 8, Math.floor(i / 8)] as const)
        .filter(([x, y]) => isInked(ink.pattern, x, y))
        .map(([x, y]) => `M${x} ${y}h1v1h-1z`);
    return (
        `<pattern id="p${ink.id}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${ink.colour}"/>` +
        `<path fill="${ink.over}" d="${inked.join("")}"/></pattern>`
    );
}
