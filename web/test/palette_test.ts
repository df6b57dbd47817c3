// The palette is held to WCAG 2.2 AA (contrast, https://www.w3.org/TR/WCAG22/#contrast-minimum and
// #non-text-contrast) and to being told apart with colour-blind eyes (Machado, Oliveira and Fernandes 2009, severity 1).

import assert from "node:assert/strict";
import { test } from "node:test";
import { colours, cssPattern, curveColours, stateStyles, stateVariables, waitStyles, type Scheme } from "../src/theme/palette.ts";

type Rgb = readonly [number, number, number];

function rgb(colour: string): Rgb {
    assert.match(colour, /^#[0-9a-f]{6}$/);
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as unknown as Rgb;
}

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function luminance(colour: string): number {
    const [r, g, b] = rgb(colour).map(linear) as unknown as Rgb;
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
    return (high + 0.05) / (low + 0.05);
}

const schemes: readonly Scheme[] = ["light", "dark"];

test("contrast is computed as WCAG defines it", () => {
    assert(Math.abs(contrast("#ffffff", "#000000") - 21) < 1e-9);
    assert(Math.abs(contrast("#777777", "#ffffff") - 4.48) < 0.01);
});

test("text has a contrast of 4.5 on every ground that it stands on", () => {
    for (const scheme of schemes) {
        const c = colours[scheme];
        for (const ground of [c.background, c.surface, c.raised, c.selected]) {
            for (const text of [c.text, c.secondary, c.accentText]) {
                assert(contrast(text, ground) >= 4.5, `${scheme} ${text} on ${ground}: ${contrast(text, ground).toFixed(2)}`);
            }
        }
        assert(contrast(c.warning, c.warningSurface) >= 4.5, `${scheme} warning`);
    }
});

test("what must be seen to be used or understood has a contrast of 3", () => {
    for (const scheme of schemes) {
        const c = colours[scheme];
        for (const colour of [c.line, c.focus, c.predicted, c.measured, c.accent, ...curveColours[scheme]]) {
            for (const ground of [c.background, c.surface]) {
                assert(contrast(colour, ground) >= 3, `${scheme} ${colour} on ${ground}: ${contrast(colour, ground).toFixed(2)}`);
            }
        }
    }
});

const quiet = ["blocked", "sleeping"]; // what waits recedes; its border and its place in the lane say what it is

test("states in which something happens have a contrast of 3", () => {
    for (const scheme of schemes) {
        stateStyles.forEach((style, state) => {
            const ratio = contrast(style[scheme], colours[scheme].surface);
            assert(ratio >= 3 || quiet.includes(stateVariables[state]!), `${scheme} ${stateVariables[state]}: ${ratio.toFixed(2)}`);
        });
    }
});

// Linear RGB as dichromats see it.
const eyes: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
    usual: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ],
    protanopia: [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    deuteranopia: [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    tritanopia: [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
};

function lab(colour: string, eye: string): Rgb {
    const seen = rgb(colour).map(linear);
    const [r, g, b] = eyes[eye]!.map((row) => Math.min(1, Math.max(0, row[0] * seen[0]! + row[1] * seen[1]! + row[2] * seen[2]!))) as unknown as Rgb;
    const xyz = [
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.072175 * b,
        (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
    ].map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)) as unknown as Rgb;
    return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])];
}

function difference(a: string, b: string, eye: string): number {
    const [p, q] = [lab(a, eye), lab(b, eye)];
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

const clearlyDifferent = 10; // CIE76; about 2.3 is just noticeable

test("any two states differ in colour for all eyes, or else in pattern", () => {
    for (const scheme of schemes) {
        for (const eye of Object.keys(eyes)) {
            stateStyles.forEach((a, i) =>
                stateStyles.slice(i + 1).forEach((b, j) => {
                    const apart = difference(a[scheme], b[scheme], eye);
                    const names = `${stateVariables[i]} and ${stateVariables[i + 1 + j]}, ${scheme}, ${eye}: ${apart.toFixed(1)}`;
                    assert(apart >= clearlyDifferent || (a.pattern !== b.pattern && apart >= 4), names);
                }),
            );
        }
    }
});

test("waiting for a lock, for a condition and for the end of a thread have the same grey", () => {
    const named = [...Object.entries(waitStyles), ...stateStyles.map((style, state) => [stateVariables[state]!, style] as const)];
    const shares = [...named.map(([name, style]) => ({ name, ...style })), { name: "idle", light: colours.light.idle, dark: colours.dark.idle, pattern: "none" }];
    for (const scheme of schemes) {
        for (const eye of Object.keys(eyes)) {
            shares.slice(0, Object.keys(waitStyles).length).forEach((wait, i) =>
                shares.slice(i + 1).forEach((other) => {
                    const apart = difference(wait[scheme], other[scheme], eye);
                    assert(apart >= clearlyDifferent, `${wait.name} and ${other.name}, ${scheme}, ${eye}: ${apart.toFixed(1)}`);
                }),
            );
        }
    }
});

test("no two states that run or wait share a pattern", () => {
    const patterns = stateStyles.map((style) => style.pattern);
    assert.equal(new Set(patterns).size, patterns.length);
    assert.equal(cssPattern("solid", "#000"), "none");
    assert.match(cssPattern("cross", "#000"), /45deg.*135deg/);
});

test("the critical path's colour is that of no state", () => {
    for (const scheme of schemes) {
        for (const style of stateStyles) {
            assert(difference(style[scheme], colours[scheme].accent, "usual") >= 25);
        }
    }
});
