// Which colours and patterns fill the lanes? Made once for a scheme from the palette.

import { colours, patternInk, stateStyles, type Colours, type Pattern, type Scheme } from "../theme/palette.ts";

export interface Ink {
    readonly id: number;
    readonly colour: string; // #rrggbb
    readonly pattern: Pattern;
    readonly over: string; // #rrggbb, of the pattern's lines
}

export interface Inks {
    readonly scheme: Scheme;
    readonly colours: Colours;
    readonly states: readonly Ink[]; // of wide intervals, by state
    readonly plain: readonly Ink[]; // of columns, and of what is too narrow for a pattern
    readonly outline: Ink; // border of a waiting interval
    readonly threads: readonly Ink[]; // in lanes by processor
    readonly threadsPale: readonly Ink[]; // beside the thread that is selected
    readonly lane: Ink; // where a lane has nothing
    readonly lit: Ink; // lane of the selection
    readonly background: Ink;
    readonly running: Ink;
    readonly runningBand: Ink; // between the least and the most
    readonly runningMean: Ink; // also of work that decides more time than it takes
    readonly negative: Ink; // of work of which less makes the program slower
    readonly ready: Ink;
    readonly readyBand: Ink;
    readonly waiting: Ink; // above those that are ready
    readonly cut: Ink; // where more are ready than the strip shows
    readonly minimap: Ink;
    readonly density: readonly Ink[]; // of events, from few to many
    readonly path: Ink;
    readonly pathPale: Ink; // where it stays for less than a pixel
}

// Told apart by lightness as well as by hue, so that neighbours differ for colour-blind eyes too.
const threadColours: Readonly<Record<Scheme, readonly string[]>> = {
    light: ["#4477aa", "#88ccee", "#117755", "#ddcc77", "#aa6644", "#cc99bb", "#555566", "#99bb55"],
    dark: ["#5b8fc7", "#9fdcf5", "#2a9d78", "#e0cf7c", "#c27a52", "#d7a8c8", "#8a8fa3", "#a9c96a"],
};

export function blend(colour: string, ground: string, share: number): string {
    const channel = (text: string, at: number) => parseInt(text.slice(at, at + 2), 16);
    const mix = (at: number) => Math.round(channel(colour, at) * share + channel(ground, at) * (1 - share));
    return "#" + [1, 3, 5].map((at) => mix(at).toString(16).padStart(2, "0")).join("");
}

function luminance(colour: string): number {
    const linear = [1, 3, 5].map((at) => {
        const value = parseInt(colour.slice(at, at + 2), 16) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

// Black or white, which of them reads better on a ground.
export function textOn(ground: string): string {
    return luminance(ground) > 0.18 ? "#101418" : "#ffffff";
}

// The pattern's ink as an opaque colour over what it is drawn on.
function patternOver(scheme: Scheme, colour: string): string {
    const [, red, green, blue, share] = /rgba\((\d+),(\d+),(\d+),([\d.]+)\)/.exec(patternInk(scheme)) ?? ["", "0", "0", "0", "0"];
    const ink = "#" + [red, green, blue].map((part) => Number(part).toString(16).padStart(2, "0")).join("");
    return blend(ink, colour, Number(share) * 0.6);
}

export function inksOf(scheme: Scheme): Inks {
    let made = 0;
    const ink = (colour: string, pattern: Pattern = "none"): Ink => ({ id: made++, colour, pattern, over: patternOver(scheme, colour) });
    const c = colours[scheme];
    const state = (which: number) => stateStyles[which]![scheme];
    const states = stateStyles.map((style) => ink(style[scheme], style.pattern));
    const plain = states.map((each) => ink(each.colour));
    return {
        scheme,
        colours: c,
        states,
        plain,
        outline: ink(blend(c.secondary, c.surface, 0.5)),
        threads: threadColours[scheme].map((colour) => ink(blend(colour, c.surface, 0.8))),
        threadsPale: threadColours[scheme].map((colour) => ink(blend(colour, c.surface, 0.22))),
        lane: ink(blend(c.hairline, c.surface, scheme === "light" ? 0.28 : 0.3)),
        lit: ink(blend(c.selected, c.surface, 0.85)),
        background: ink(c.surface),
        running: ink(state(0)),
        runningBand: ink(blend(state(0), c.surface, 0.5)),
        runningMean: ink(blend(state(0), scheme === "light" ? "#000000" : "#ffffff", 0.65)),
        negative: ink(c.text),
        ready: ink(state(3), "rising"),
        readyBand: ink(blend(state(3), c.surface, 0.4)),
        waiting: ink(blend(state(4), c.surface, scheme === "light" ? 0.55 : 0.5)),
        cut: ink(c.text),
        minimap: ink(blend(state(0), c.surface, 0.65)),
        density: [0.25, 0.45, 0.7, 1].map((share) => ink(blend(c.secondary, c.surface, share))),
        path: ink(c.accent),
        pathPale: ink(blend(c.accent, c.surface, 0.4)),
    };
}
