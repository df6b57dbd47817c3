// The visible timeline as a file: SVG, or PNG.

import { CanvasPainter, PixelGround } from "./canvas_painter.ts";
import { fillPicture, markPicture, pictureSize, type Caption } from "./picture.ts";
import type { Scene } from "./scene.ts";
import { SvgPainter } from "./svg_painter.ts";

// `painter` measures texts.
export function svgOf(scene: Scene, caption: Caption, painter: CanvasPainter): string {
    const { width, height } = pictureSize(scene, painter);
    const svg = new SvgPainter(width, height, (text, size, bold) => painter.measure(text, size, bold));
    markPicture(scene, caption, fillPicture(scene, 1, svg, svg), svg);
    return svg.document(scene.inks.colours.surface);
}

// Twice as fine as the screen is at least, for print.
export function pngOf(scene: Scene, caption: Caption, painter: CanvasPainter): Promise<Blob> {
    const density = Math.max(2, devicePixelRatio || 1);
    const { width, height } = pictureSize(scene, painter);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    const context = canvas.getContext("2d", { alpha: false })!;
    const ground = new PixelGround(canvas.width, canvas.height, density);
    const placed = fillPicture(scene, density, ground, painter);
    context.putImageData(ground.image, 0, 0);
    context.scale(density, density);
    markPicture(scene, caption, placed, new CanvasPainter(context));
    return new Promise((resolve, reject) =>
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be drawn."))), "image/png"),
    );
}
