// Which colour and pattern says what? The one place where the page's colours are chosen; the style sheet and the
// canvas read them from here. Tests hold them to WCAG AA contrast and to being distinguished with colour-blind eyes.

export type Scheme = "light" | "dark";

// How a state is drawn beside its colour, so that it can be told without seeing colours.
export type Pattern = "solid" | "dots" | "rising" | "falling" | "hollow" | "cross" | "horizontal" | "none";

export interface StateStyle {
    readonly light: string;
    readonly dark: string;
    readonly pattern: Pattern;
}

// In the order of ThreadState.
export const stateStyles: readonly StateStyle[] = [
    { light: "#1f8a70", dark: "#3fb68f", pattern: "solid" }, // running
    { light: "#7b61ad", dark: "#a58bd6", pattern: "dots" }, // switching
    { light: "#c2410c", dark: "#f0763d", pattern: "cross" }, // spinning
    { light: "#b17800", dark: "#e5b53c", pattern: "rising" }, // ready
    { light: "#bfc7d1", dark: "#47515e", pattern: "hollow" }, // blocked
    { light: "#e6eaef", dark: "#272d35", pattern: "none" }, // sleeping
    { light: "#3b78c3", dark: "#6aa5e8", pattern: "horizontal" }, // input and output
    { light: "#33418f", dark: "#a9b8ff", pattern: "falling" }, // communicating
];

// What a lane shows as waiting, for the bar of the run, which tells it apart. Waiting for conditions is as in the lanes.
export const waitStyles: Readonly<Record<"lock" | "joining", StateStyle>> = {
    lock: { light: "#626e7f", dark: "#98a4b3", pattern: "none" },
    joining: { light: "#96a2b2", dark: "#66727f", pattern: "falling" },
};

export interface Colours {
    readonly background: string;
    readonly surface: string; // cards, panes
    readonly raised: string; // menus, tooltips
    readonly line: string; // borders of what can be used
    readonly hairline: string; // separators
    readonly text: string;
    readonly secondary: string;
    readonly accent: string; // the critical path, and nothing else
    readonly accentText: string; // the accent as text
    readonly focus: string;
    readonly selected: string; // background of a selected row
    readonly warning: string;
    readonly warningSurface: string;
    readonly band: string; // bounds of the speed-up
    readonly predicted: string;
    readonly measured: string;
    readonly idle: string; // no thread to run
}

export const colours: Readonly<Record<Scheme, Colours>> = {
    light: {
        background: "#f5f6f8",
        surface: "#ffffff",
        raised: "#ffffff",
        line: "#858d98",
        hairline: "#e2e5ea",
        text: "#1b1f24",
        secondary: "#57606a",
        accent: "#d6336c",
        accentText: "#b3224f",
        focus: "#1f6feb",
        selected: "#e4eefc",
        warning: "#7d4400",
        warningSurface: "#fff4e0",
        band: "#d5e2ee",
        predicted: "#24557f",
        measured: "#1b1f24",
        idle: "#f0f2f5",
    },
    dark: {
        background: "#0e1115",
        surface: "#161a20",
        raised: "#20262e",
        line: "#717b88",
        hairline: "#2a313a",
        text: "#e6e9ed",
        secondary: "#9aa4b0",
        accent: "#ff5c8d",
        accentText: "#ff82a8",
        focus: "#58a6ff",
        selected: "#1c2c43",
        warning: "#f0b45a",
        warningSurface: "#2b2113",
        band: "#22364a",
        predicted: "#7fb6e8",
        measured: "#e6e9ed",
        idle: "#1c2128",
    },
};

// Curves of a search, in this order; each has a sign of its own, too.
export const curveColours: Readonly<Record<Scheme, readonly string[]>> = {
    light: ["#0b62c4", "#c2410c", "#15803d", "#7c3aed", "#be185d", "#475569"],
    dark: ["#6db1ff", "#fb9a5b", "#5fd38a", "#b79bff", "#f58ab8", "#b6c2d3"],
};

export const stateVariables: readonly string[] = [
    "running",
    "switching",
    "spinning",
    "ready",
    "blocked",
    "sleeping",
    "input-output",
    "communicating",
];

// As they are said to people, in the order of ThreadState.
export const stateLabels: readonly string[] = [
    "running",
    "switching",
    "spinning",
    "ready",
    "waiting",
    "sleeping",
    "input/output",
    "communicating",
];

function variableName(colour: string): string {
    return "--" + colour.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
}

// A pattern as a CSS background over the state's colour.
export function cssPattern(pattern: Pattern, ink: string): string {
    const stripes = (angle: number) => `repeating-linear-gradient(${angle}deg, ${ink} 0 1px, transparent 1px 5px)`;
    switch (pattern) {
        case "dots":
            return `radial-gradient(${ink} 25%, transparent 30%) 0 0 / 4px 4px`;
        case "rising":
            return stripes(135);
        case "falling":
            return stripes(45);
        case "cross":
            return `${stripes(45)}, ${stripes(135)}`;
        case "horizontal":
            return `repeating-linear-gradient(0deg, ${ink} 0 1px, transparent 1px 4px)`;
        default:
            return "none";
    }
}

export function patternInk(scheme: Scheme): string {
    return scheme === "light" ? "rgba(255,255,255,0.6)" : "rgba(0,0,0,0.45)";
}

// Puts the colours of a scheme where the style sheet finds them: --text, --accent, --state-running, ...
export function applyScheme(root: HTMLElement, scheme: Scheme): void {
    for (const [name, value] of Object.entries(colours[scheme])) {
        root.style.setProperty(variableName(name), value as string);
    }
    const styles = [...stateStyles.map((style, state) => [stateVariables[state], style] as const), ...Object.entries(waitStyles)];
    for (const [name, style] of styles) {
        root.style.setProperty(`--state-${name}`, style[scheme]);
        root.style.setProperty(`--pattern-${name}`, cssPattern(style.pattern, patternInk(scheme)));
    }
    curveColours[scheme].forEach((colour, i) => root.style.setProperty(`--curve-${i}`, colour));
    root.style.colorScheme = scheme;
    root.dataset["scheme"] = scheme;
}
