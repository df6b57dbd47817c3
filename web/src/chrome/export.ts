// How does what is seen become a file?

import type { Caption } from "../timeline/picture.ts";

export function download(name: string, content: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function svgBlob(text: string): Blob {
    return new Blob([text], { type: "image/svg+xml" });
}

// pigz -p 8 -k big.tar, 8 CPUs -> pigz-p-8-k-big.tar-8-cpus
export function fileName(title: string, cpus: number): string {
    const words = title
        .slice(0, 60)
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/-{2,}/g, "-")
        .replace(/^[-.]+|[-.]+$/g, "");
    return `${words || "parcast"}-${cpus}-cpus`;
}

const properties = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "display"];

// A copy of an SVG element that is drawn by the page's style sheet, which needs none.
export function standalone(svg: SVGSVGElement): SVGSVGElement {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    const from = [svg, ...svg.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((element, i) => {
        const style = getComputedStyle(element);
        const copied = to[i]!;
        for (const property of properties) {
            copied.setAttribute(property, style.getPropertyValue(property));
        }
        for (const name of ["class", "role", "tabindex", "aria-pressed", "aria-label"]) {
            copied.removeAttribute(name);
        }
    });
    return copy;
}

const captionHeight = 82; // px
const leastWidth = 600; // px, for the facts

// A chart with its title, facts and the legend that the page has beside it, as a document.
export function captioned(chart: SVGSVGElement, legend: HTMLElement, caption: Caption): string {
    const page = getComputedStyle(document.documentElement);
    const colour = (name: string) => page.getPropertyValue(name);
    const width = Math.max(leastWidth, Number(chart.getAttribute("width")));
    const height = Number(chart.getAttribute("height"));
    const whole = make("svg", { width, height: height + captionHeight, "font-family": getComputedStyle(document.body).fontFamily });
    const text = (words: string, x: number, y: number, size: number, fill: string, weight = 400) => {
        const element = make("text", { x, y, "font-size": size, "font-weight": weight, fill });
        element.textContent = words;
        return element;
    };
    whole.append(
        make("rect", { width: "100%", height: "100%", fill: colour("--surface") }),
        text(`Speed-up: ${caption.title}`, 10, 20, 14, colour("--text"), 600),
        text(caption.facts, 10, 37, 11, colour("--text")),
        text(caption.source, 10, 52, 11, colour("--secondary")),
    );
    let x = 10;
    for (const entry of legend.children) {
        const words = entry.textContent?.trim() ?? "";
        const key = entry.querySelector("i");
        if (key) {
            whole.append(signOf(key, x, 68), text(words, x + 22, 72, 11, colour("--secondary")));
            x += 40 + entry.getBoundingClientRect().width;
        }
    }
    const moved = make("g", { transform: `translate(0 ${captionHeight})` });
    moved.append(chart);
    whole.append(moved);
    return new XMLSerializer().serializeToString(whole);
}

const svgNamespace = "http://www.w3.org/2000/svg";

function make(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
    const element = document.createElementNS(svgNamespace, name);
    for (const [each, value] of Object.entries(attributes)) {
        element.setAttribute(each, String(value));
    }
    return element;
}

// What the style sheet draws in the legend: a line, a filled band or a ring.
function signOf(key: Element, x: number, middle: number): SVGElement {
    const style = getComputedStyle(key);
    const line = { stroke: style.borderTopColor, "stroke-width": 2 };
    if (parseFloat(style.borderLeftWidth) > 0) {
        return make("circle", { cx: x + 8, cy: middle, r: 4, fill: "none", ...line });
    }
    if (parseFloat(style.borderTopWidth) > 0) {
        return make("line", { x1: x, x2: x + 16, y1: middle, y2: middle, "stroke-dasharray": style.borderTopStyle === "dashed" ? "6 3" : "none", ...line });
    }
    return make("rect", { x, y: middle - 5, width: 16, height: 10, fill: style.backgroundColor });
}
