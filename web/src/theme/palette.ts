// Which colour and pattern says what? The one place where the page's colours are chosen; the style sheet and the
// canvas read them from here. Tests hold them to WCAG AA contrast and to being told apart with colour-blind eyes.

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
    { light: "#2f7d5b", dark: "#4fb286", pattern: "solid" }, // running
    { light: "#8a6fb0", dark: "#a78fd0", pattern: "dots" }, // switching
    { light: "#b4532a", dark: "#e08a5f", pattern: "cross" }, // spinning
    { light: "#d9a520", dark: "#e3b341", pattern: "rising" }, // ready
    { light: "#c9ced6", dark: "#3a414c", pattern: "hollow" }, // blocked
    { light: "#dfe3e8", dark: "#2b313a", pattern: "none" }, // sleeping
    { light: "#4f86c6", dark: "#6aa5e8", pattern: "horizontal" }, // input and output
];

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
        background: "#f6f7f9",
        surface: "#ffffff",
        raised: "#ffffff",
        line: "#868e99",
        hairline: "#e3e6ea",
        text: "#1b1f24",
        secondary: "#57606a",
        accent: "#d6336c",
        accentText: "#b3224f",
        focus: "#1f6feb",
        selected: "#e7f0fd",
        warning: "#8a4b00",
        warningSurface: "#fff6e5",
        band: "#dbe5ee",
        predicted: "#24557f",
        measured: "#1b1f24",
        idle: "#f1f3f5",
    },
    dark: {
        background: "#0f1216",
        surface: "#171b21",
        raised: "#20262e",
        line: "#69737f",
        hairline: "#2a313a",
        text: "#e6e9ed",
        secondary: "#9aa4b0",
        accent: "#ff5c8d",
        accentText: "#ff82a8",
        focus: "#58a6ff",
        selected: "#1d2b40",
        warning: "#f0b45a",
        warningSurface: "#2b2113",
        band: "#243241",
        predicted: "#7fb6e8",
        measured: "#e6e9ed",
        idle: "#1d2229",
    },
};

export const stateVariables: readonly string[] = [
    "running",
    "switching",
    "spinning",
    "ready",
    "blocked",
    "sleeping",
    "input-output",
];

function variableName(colour: string): string {
    return "--" + colour.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
}

// Puts the colours of a scheme where the style sheet finds them: --text, --accent, --state-running, ...
export function applyScheme(root: HTMLElement, scheme: Scheme): void {
    for (const [name, value] of Object.entries(colours[scheme])) {
        root.style.setProperty(variableName(name), value as string);
    }
    stateStyles.forEach((style, state) => {
        root.style.setProperty(`--state-${stateVariables[state]}`, style[scheme]);
    });
    root.style.colorScheme = scheme;
    root.dataset["scheme"] = scheme;
}
