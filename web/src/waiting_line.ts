// What the page says while there is nothing else to say yet: the input was read, and nothing more.

import { counted } from "./format.ts";
import type { Source } from "./source.ts";

const patience = 150; // ms: what comes sooner needs no such line
const pause = 300; // ms

export class WaitingLine {
    private readonly root: HTMLElement;
    private readonly source: Source;
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(root: HTMLElement, source: Source) {
        this.root = root;
        this.source = source;
        this.timer = setTimeout(() => void this.show(), patience);
    }

    end(): void {
        clearTimeout(this.timer);
        this.timer = undefined;
    }

    private async show(): Promise<void> {
        const progress = await this.source.progress?.("").catch(() => null);
        if (this.timer === undefined) {
            return;
        }
        const line = document.createElement("p");
        line.className = "waiting";
        line.setAttribute("role", "status");
        const runs = progress?.points.length ?? 0;
        line.textContent = progress && runs > 0 ? `parcast predicts this program: ${counted(runs, "CPU count")} of ${progress.cpus.length} done …` : "parcast reads this program …";
        this.root.replaceChildren(line);
        this.timer = setTimeout(() => void this.show(), pause);
    }
}
