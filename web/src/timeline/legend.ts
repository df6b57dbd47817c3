// What do colours, patterns, lines and signs mean? A line of what occurs in this execution, and a window with all of it.

import { State, stateCount, type Execution } from "../execution.ts";
import { stateLabel, type Overview } from "../overview.ts";
import { stateLabels, stateVariables } from "../theme/palette.ts";
import { CanvasPainter } from "./canvas_painter.ts";
import { drawGlyph, glyphMeanings, type Glyph } from "./glyphs.ts";
import type { Ink, Inks } from "./inks.ts";
import { colouredBy, type Scene } from "./scene.ts";

// In the order of ThreadState.
const stateMeanings: readonly string[] = [
    "on a CPU, doing the program's work",
    "being switched to, or creating or waking a thread",
    "waits without giving up its CPU",
    "could run, but is not on a CPU (yet)",
    "for a lock, a condition, a thread …",
    "until the clock wakes it",
    "until a device answers",
    "a processor sends or receives a message",
];
// Those that tasks have.
const taskStateMeanings: Readonly<Record<number, string>> = {
    [State.running]: "on a CPU",
    [State.switching]: "on a CPU that takes the task from its queue",
    [State.ready]: "its predecessors are done, but it has no CPU",
};
// Those that the kernel tells.
const measuredStateMeanings: Readonly<Record<number, string>> = {
    [State.running]: "on a CPU, for the program's work or the system's",
    [State.ready]: "could run, but is not on a CPU",
    [State.blocked]: "the kernel does not tell for what",
    [State.inputAndOutput]: "waits without being interruptible, mostly for a device",
};
// Those that ranks have.
const rankStateMeanings: Readonly<Record<number, string>> = {
    [State.running]: "its processor computes",
    [State.blocked]: "for a message, a receive, its interface or another CPU of its own",
    [State.communicating]: "its processor sends or receives a message",
};
// Where there is no room for all, the last ones are left out of the line.
const lineOrder = [State.running, State.communicating, State.ready, State.blocked, State.inputAndOutput, State.spinning, State.sleeping, State.switching];
const signSize = 16; // px
const mostOthersNamed = 3; // of a colour

function element<K extends keyof HTMLElementTagNameMap>(name: K, className = "", ...content: (Node | string)[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(name);
    made.className = className;
    made.append(...content);
    return made;
}

function swatch(kind: string): HTMLElement {
    return element("i", `lanes-swatch lanes-swatch-${kind}`);
}

function stateSwatch(state: number): HTMLElement {
    const name = stateVariables[state]!;
    const made = swatch(name);
    made.style.background = `var(--pattern-${name}), var(--state-${name})`;
    if (state !== State.blocked && state !== State.sleeping) {
        made.style.borderColor = "transparent";
    }
    return made;
}

function threadsSwatch(inks: Inks): HTMLElement {
    const made = swatch("threads");
    const colours = inks.threads.slice(0, 4).map((ink, i) => `${ink.colour} ${25 * i}% ${25 * (i + 1)}%`);
    made.style.background = `linear-gradient(90deg, ${colours.join(", ")})`;
    return made;
}

function glyphSign(glyph: Glyph, inks: Inks): HTMLElement {
    const density = devicePixelRatio || 1;
    const canvas = element("canvas", "lanes-sign");
    canvas.width = Math.round(signSize * density);
    canvas.height = Math.round(signSize * density);
    const context = canvas.getContext("2d")!;
    context.scale(density, density);
    drawGlyph(new CanvasPainter(context), glyph, signSize / 2, signSize / 2, inks.colours.text, inks.colours.raised);
    return canvas;
}

function group(title: string, entries: readonly (readonly [sign: HTMLElement, name: string, meaning: string])[]): HTMLElement {
    const list = element("dl");
    for (const [sign, name, meaning] of entries) {
        list.append(element("dt", "", sign, name), element("dd", "", meaning));
    }
    return element("section", "", element("h3", "", title), list);
}

function glyphGroup(inks: Inks): HTMLElement {
    const entries = glyphMeanings.map(([glyph, meaning]) => element("li", "", glyphSign(glyph, inks), meaning));
    return element("section", "", element("h3", "", "Events"), element("ul", "", ...entries));
}

function laneEntries({ inks, overview, weights }: Scene): [HTMLElement, string, string][] {
    const own = overview.graph ? taskStateMeanings : overview.messages ? rankStateMeanings : overview.measurement ? measuredStateMeanings : null;
    const states = stateLabels.map((_, state) => state).filter((state) => (own ? state in own : state !== State.communicating));
    return [
        ...states.map((state): [HTMLElement, string, string] => [stateSwatch(state), stateLabel(overview, state), (own ?? stateMeanings)[state]!]),
        ...(weights
            ? [
                  [swatch("weight"), "decides the time", "as thick as less of it makes the program faster; darker: more than it takes itself"] as [HTMLElement, string, string],
                  [swatch("negative"), "decides against it", "less of it makes the program slower"] as [HTMLElement, string, string],
              ]
            : []),
        ...(overview.measurement ? [] : pathAndArrows(overview)),
        ...(overview.graph || overview.messages || overview.measurement ? [] : [[swatch("dense"), "below a lane", "events, too many to draw each"] as [HTMLElement, string, string]]),
        ...(overview.messages ? [] : [[threadsSwatch(inks), "by CPU", overview.graph ? "a colour for each group of tasks" : "a colour for each thread that runs there"] as [HTMLElement, string, string]]),
    ];
}

function pathAndArrows(overview: Overview): [HTMLElement, string, string][] {
    return [
        [swatch("path"), "critical path", "the chain of causes that ends with this run"],
        [element("b", "lanes-swatch lanes-swatch-arrow", "↓"), "arrow", overview.graph ? "which task waits for which, for the selection" : overview.messages ? "a message, from its send to its receive: of the selection, or all where they are few" : "which thread released which, for the selection"],
    ];
}

function parallelismEntries(isGraph: boolean): [HTMLElement, string, string][] {
    return [
        [swatch("profile-running"), "running", "minimum; paler: maximum; line: mean"],
        [swatch("profile-ready"), "ready", "on top: mean; paler: maximum"],
        [swatch("profile-waiting"), "waiting", "above them: mean, as far as there is room"],
        [swatch("profile-cpus"), "dotted", `as many ${isGraph ? "tasks" : "threads"} as there are CPUs`],
    ];
}

function threadSwatch(ink: Ink): HTMLElement {
    const sign = swatch("threads");
    sign.style.background = ink.colour;
    return sign;
}

// Which thread, or group of tasks, has which colour in lanes by CPU; where there are more of them than colours, one colour
// is of several.
function colouredEntries(scene: Scene): [HTMLElement, string, string][] {
    const { inks } = scene;
    const { count, name } = colouredBy(scene);
    const step = inks.threads.length;
    return inks.threads.slice(0, count).map((ink, first) => {
        const others = Math.ceil((count - first) / step) - 1;
        const named = () => Array.from({ length: others }, (_, i) => name(first + (i + 1) * step)).join(" · ");
        return [threadSwatch(ink), name(first), others === 0 ? "" : others <= mostOthersNamed ? `and ${named()}` : `and each ${step}th after it, ${others} in all`];
    });
}

// The states that lanes show in an execution. By CPU those are not seen in which a thread has none.
export function statesInLanes(execution: Execution, byCpu: boolean): readonly number[] {
    const threads = Array.from({ length: execution.threads }, (_, thread) => thread);
    const occurs = (state: number) => threads.some((thread) => execution.timeInState(thread, state) > 0);
    return Array.from({ length: stateCount }, (_, state) => state).filter((state) => (!byCpu || state <= State.spinning) && occurs(state));
}

export class Legend {
    readonly line = element("div", "lanes-legend");
    readonly button = element("button", "quiet lanes-legend-button", "Legend");
    readonly window = element("div", "lanes-legend-window");
    private shown: Scene | null = null;
    private readonly pressedElsewhere = (event: Event) => {
        if (event.target instanceof Node && !this.window.contains(event.target) && !this.button.contains(event.target)) {
            this.open(false);
        }
    };
    private readonly pressedKey = (event: KeyboardEvent) => {
        if (event.key === "Escape" && !this.window.hidden) {
            event.stopPropagation();
            this.open(false);
            this.button.focus();
        }
    };

    constructor() {
        this.button.type = "button";
        this.button.title = "Meaning of colours, patterns, lines and signs";
        this.button.setAttribute("aria-expanded", "false");
        this.button.addEventListener("click", () => this.open(this.window.hidden));
        this.window.hidden = true;
        this.window.tabIndex = 0;
        this.window.setAttribute("role", "region");
        this.window.setAttribute("aria-label", "Legend");
        this.button.addEventListener("keydown", this.pressedKey);
        this.window.addEventListener("keydown", this.pressedKey);
        document.addEventListener("pointerdown", this.pressedElsewhere);
    }

    destroy(): void {
        document.removeEventListener("pointerdown", this.pressedElsewhere);
    }

    show(scene: Scene): void {
        const { execution, byCpu, inks } = scene;
        if (this.shown?.execution === execution && this.shown.byCpu === byCpu && this.shown.inks === inks && this.shown.weights === scene.weights) {
            return;
        }
        this.shown = scene;
        this.line.replaceChildren(...this.lineEntries(scene));
        if (!this.window.hidden) {
            this.fill(scene);
        }
    }

    private lineEntries(scene: Scene): HTMLElement[] {
        const { execution, byCpu, inks, overview } = scene;
        const entry = (sign: HTMLElement, name: string) => element("span", "", sign, name);
        const states = statesInLanes(execution, byCpu);
        const { word, count, name } = colouredBy(scene);
        const areFew = overview.graph !== undefined && count <= inks.threads.length;
        const runners = areFew
            ? inks.threads.slice(0, count).map((ink, i) => entry(threadSwatch(ink), name(i)))
            : [entry(threadsSwatch(inks), `a ${word} each: see Legend`)];
        return [
            ...(scene.weights ? [entry(swatch("weight"), "decides the time")] : []),
            ...(execution.pathThread.length > 0 ? [entry(swatch("path"), "critical path")] : []),
            ...lineOrder
                .filter((state) => states.includes(state))
                .flatMap((state) => (byCpu && state === State.running ? runners : [entry(stateSwatch(state), stateLabel(overview, state))])),
        ];
    }

    private open(isOpen: boolean): void {
        if (isOpen === !this.window.hidden) {
            return;
        }
        this.window.hidden = !isOpen;
        this.button.setAttribute("aria-expanded", String(isOpen));
        if (isOpen && this.shown) {
            this.fill(this.shown);
            this.place();
            this.window.focus();
        }
    }

    private fill(scene: Scene): void {
        const { inks, byCpu, overview } = scene;
        const coloured = byCpu ? [group(overview.graph ? "Groups" : "Threads", colouredEntries(scene))] : [];
        this.window.replaceChildren(
            element("div", "", ...coloured, group("Lanes", laneEntries(scene))),
            element("div", "", ...(overview.graph || overview.messages || overview.measurement ? [] : [glyphGroup(inks)]), group("Parallelism", parallelismEntries(overview.graph !== undefined))),
        );
    }

    // Below its button as far as there is room, else above the end of the page.
    private place(): void {
        const button = this.button.getBoundingClientRect();
        const { offsetWidth, offsetHeight } = this.window;
        this.window.style.left = `${Math.max(8, Math.min(button.right, innerWidth - 8) - offsetWidth)}px`;
        this.window.style.top = `${Math.max(8, Math.min(button.bottom + 4, innerHeight - 8 - offsetHeight))}px`;
    }
}
