// How does what is seen become a file?

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

// An SVG element that is drawn by the page's style sheet, as a document that needs none.
export function standalone(svg: SVGSVGElement, background: string): string {
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
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    ground.setAttribute("width", "100%");
    ground.setAttribute("height", "100%");
    ground.setAttribute("fill", background);
    copy.prepend(ground);
    return new XMLSerializer().serializeToString(copy);
}
