// What can be exported of what is seen?

import type { TimelineHandle } from "../timeline/index.ts";
import { download, fileName, standalone, svgBlob } from "./export.ts";
import type { Entry } from "./menu.tsx";

export interface Handles {
    upper: TimelineHandle | null;
    lower: TimelineHandle | null; // of two that are compared
}

export function exportsOf(title: string, cpus: number, handles: Handles): readonly Entry[] {
    const name = fileName(title, cpus);
    const timelines = () =>
        [
            [handles.upper, ""],
            [handles.lower, "-below"],
        ] as [TimelineHandle | null, string][];
    return [
        {
            name: "Timeline as SVG",
            act: () => timelines().forEach(([handle, suffix]) => handle && download(`${name}${suffix}.svg`, svgBlob(handle.toSvg()))),
        },
        {
            name: "Timeline as PNG",
            act: () => timelines().forEach(([handle, suffix]) => void handle?.toPng().then((blob) => download(`${name}${suffix}.png`, blob))),
        },
        {
            name: "Speed-up chart as SVG",
            act: () => {
                const svg = document.querySelector<SVGSVGElement>(".chart svg");
                if (svg) {
                    download(`${name}-speed-up.svg`, svgBlob(standalone(svg, getComputedStyle(document.documentElement).getPropertyValue("--surface"))));
                }
            },
        },
    ];
}
