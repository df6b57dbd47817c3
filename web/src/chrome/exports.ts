// What can be exported of what is seen?

import { counted, percentText, shortText, speedUpText, timeText } from "../format.ts";
import { programTitle, settingText } from "../overview.ts";
import { isRecorded } from "../recorded.ts";
import type { Store } from "../state.ts";
import type { TimelineHandle } from "../timeline/index.ts";
import type { Caption } from "../timeline/picture.ts";
import type { Bench, Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";
import { captioned, download, fileName, standalone, svgBlob } from "./export.ts";
import type { Entry } from "./menu.tsx";

export interface Handles {
    upper: TimelineHandle | null;
    lower: TimelineHandle | null; // of two that are compared
}

// What a picture says of the execution that it shows.
export function captionOf(bench: Bench, shown: Shown, speedUp: number | null): Caption {
    const { overview } = bench;
    const title = shortText(programTitle(overview), 160);
    const { file } = overview.prediction.input;
    const source = `${shortText(file.slice(file.lastIndexOf("/") + 1), 60)}, parcast ${overview.parcast}`;
    if (!shown.execution) {
        return { title, facts: "", source };
    }
    const { cpus, completion, deadlocked, deadlockTime } = shown.execution.totals;
    const on = overview.measurement ? `Measured on ${counted(cpus, "CPU")}` : isRecorded(shown) ? `Recorded on ${counted(cpus, "CPU")}` : overview.messages ? `Predicted for ${settingText(overview, cpus, shown.scheduler)}` : `Predicted for ${counted(cpus, "CPU")}, ${overview.graph ? "schedule" : "scheduler"} ${shown.scheduler}`;
    const fast = speedUp === null ? "" : `, ${speedUpText(speedUp)} times as fast as on one CPU, efficiency ${percentText(speedUp / cpus)}`;
    const time = deadlocked ? `deadlocks after ${timeText(deadlockTime)}` : `${timeText(completion)}${fast}`;
    return { title, facts: `${on}: ${time}`, source };
}

interface Picture {
    readonly handle: TimelineHandle;
    readonly caption: Caption;
    readonly suffix: string;
}

function picturesOf(workbench: Workbench, handles: Handles): Picture[] {
    return (["upper", "lower"] as const).flatMap((which) => {
        const handle = handles[which];
        const shown = workbench.shown(which);
        const caption = captionOf(workbench.bench(shown.side), shown, workbench.speedUpOf(shown));
        return handle ? [{ handle, caption, suffix: which === "lower" ? "-below" : "" }] : [];
    });
}

export function exportsOf(workbench: Workbench, store: Store, cpus: number, handles: Handles): readonly Entry[] {
    const name = fileName(programTitle(workbench.bench("a").overview), cpus);
    const { report } = workbench.bench("a").source;
    return [
        ...(report
            ? [{ name: "This view as a report", act: () => void report(location.hash.slice(1)).then((file) => download(`${name}.html`, file), (error: Error) => alert(error.message)) }]
            : []),
        {
            name: "Timeline as SVG",
            act: () => picturesOf(workbench, handles).forEach(({ handle, caption, suffix }) => download(`${name}${suffix}.svg`, svgBlob(handle.toSvg(caption)))),
        },
        {
            name: "Timeline as PNG",
            act: () => picturesOf(workbench, handles).forEach(({ handle, caption, suffix }) => void handle.toPng(caption).then((blob) => download(`${name}${suffix}.png`, blob))),
        },
        {
            name: "Speed-up chart as SVG",
            act: () => {
                store.set({ answers: "all", charts: "drawn" });
                setTimeout(() => saveChart(workbench, `${name}-speed-up.svg`), drawingTime);
            },
        },
    ];
}

const drawingTime = 100; // ms: until the chart is there, where it was not

function saveChart(workbench: Workbench, file: string): void {
    const chart = document.querySelector<SVGSVGElement>(".chart svg");
    const legend = document.querySelector<HTMLElement>(".chart-legend");
    const shown = workbench.shown("upper");
    if (chart && legend) {
        const caption = captionOf(workbench.bench("a"), shown, workbench.speedUpOf(shown));
        download(file, svgBlob(captioned(standalone(chart), legend, caption)));
    }
}
