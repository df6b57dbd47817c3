// How are times, shares and counts written? As on the terminal: src/core/time_text.h, three_digits.h, percent_text.h.

const units: readonly [ns: number, name: string, limit: number][] = [
    [1e3, "µs", 1000],
    [1e6, "ms", 1000],
    [1e9, "s", 1000],
    [60e9, "min", 600],
];
const hour = 3600e9;

function roundToThreeDigits(value: number): number {
    if (value === 0) {
        return 0;
    }
    const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
    return Math.round(value / step) * step;
}

export function threeDigits(value: number): string {
    const number = roundToThreeDigits(value);
    // Rounding may have left 9.99999... of a power of ten.
    const magnitude = number === 0 ? 0 : Math.floor(Math.log10(Math.abs(number)) + 1e-9);
    const decimals = magnitude >= 2 ? 0 : 2 - magnitude;
    return magnitude > 2 ? Math.round(value).toFixed(0) : number.toFixed(Math.min(100, decimals));
}

export function timeText(ns: number): string {
    if (ns === 0) {
        return "0 s";
    }
    if (ns < 0) {
        return "-" + timeText(-ns);
    }
    if (ns < 1000) {
        return (Number.isInteger(ns) ? String(ns) : threeDigits(ns)) + " ns";
    }
    for (const [size, name, limit] of units) {
        const number = ns / size;
        if (roundToThreeDigits(number) < limit) {
            return `${threeDigits(number)} ${name}`;
        }
    }
    return `${threeDigits(ns / hour)} h`;
}

// Without a unit, as models have them: src/answer/number_text.h.
export function numberText(value: number): string {
    if (value === 0 || !Number.isFinite(value)) {
        return String(value);
    }
    const [digits, power] = value.toExponential(5).split("e") as [string, string];
    const exponent = Number(power);
    return exponent < -4 || exponent > 14 ? `${Number(digits)}e${power.replace(/\d+/, (each) => each.padStart(2, "0"))}` : value.toFixed(Math.max(0, 5 - exponent));
}

// The unit in which axes up to this time are read.
export function timeUnit(most: number): { readonly ns: number; readonly name: string } {
    const [ns, name] = [[1e9, "s"] as const, [1e6, "ms"] as const, [1e3, "µs"] as const].find(([size]) => most >= size) ?? ([1, "ns"] as const);
    return { ns, name };
}

// An instant, to the microsecond: 1.234567 s.
export function instantText(ns: number): string {
    return `${(ns / 1e9).toFixed(6)} s`;
}

const instantUnits: readonly (readonly [ns: number, name: string])[] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
    [1, "ns"],
];

// Instants up to `last` in one unit, that of the time axis, with the digits that distinguish those `step` ns from another.
export function instantsTo(last: number, step: number): (ns: number) => string {
    const [size, name] = instantUnits.find(([ns]) => last >= ns) ?? instantUnits[instantUnits.length - 1]!;
    const decimals = Math.min(9, Math.max(0, Math.round(-Math.log10(Math.max(1, step) / size) + 0.4999)));
    return (ns) => `${(ns / size).toFixed(decimals)} ${name}`;
}

// Those of single events in the visible range: to the microsecond, and finer as one zooms in.
export function instantsIn([begin, end]: readonly [number, number]): (ns: number) => string {
    return instantsTo(end, Math.min(1000, (end - begin) / 1e6));
}

export function percentText(share: number): string {
    const percent = share * 100;
    if (percent === 0) {
        return "0 %";
    }
    if (percent > 0 && percent < 0.05) {
        return "<0.1 %";
    }
    return `${fixed(percent, Math.abs(percent) < 0.95 ? 1 : 0)} %`;
}

// As printf rounds: a tie goes to the even digit, which toFixed does not do.
function fixed(value: number, decimals: number): string {
    const scaled = value * 10 ** decimals;
    const isTie = Number.isInteger(scaled * 2) && !Number.isInteger(scaled) && Number.isInteger(value * 4);
    return isTie
        ? (2 * Math.round(scaled / 2) / 10 ** decimals).toFixed(decimals)
        : value.toFixed(decimals);
}

export function speedUpText(speedUp: number): string {
    return speedUp >= 0.1 && speedUp < 1 ? speedUp.toFixed(2) : threeDigits(speedUp);
}

// 61,204
// "512 B", "1.21 kB", "3 MB".
export function bytesText(bytes: number): string {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0;
    let value = bytes;
    for (; value >= 1000 && unit + 1 < units.length; ++unit) {
        value /= 1000;
    }
    return unit === 0 ? `${bytes} B` : `${threeDigits(value)} ${units[unit]}`;
}

export function countText(count: number): string {
    return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function counted(count: number, thing: string): string {
    return `${countText(count)} ${thing}${count === 1 ? "" : "s"}`;
}

export const longestShown = 120;

// A name that fits: the middle of a long one is left out, and what would not print is shown as what it is.
export function shortText(text: string, longest = longestShown): string {
    // A megabyte is not searched for what does not print.
    const sample = text.length > 4 * longest ? text.slice(0, 2 * longest) + text.slice(-2 * longest) : text;
    const printed = printable(sample);
    const letters = [...printed];
    if (letters.length <= longest) {
        return printed;
    }
    const end = Math.floor(longest / 3); // as in the tables of `parcast predict`
    return letters.slice(0, longest - 1 - end).join("") + "…" + letters.slice(letters.length - end).join("");
}

const longestWhole = 20_000;

// The whole of a name for details and tooltips: all of it, up to a length at which it is of no use to anyone.
export function wholeText(text: string): string {
    return text.length <= longestWhole
        ? printable(text)
        : `${printable(text.slice(0, longestWhole))}… (${countText(text.length)} characters)`;
}

// Control characters and those that turn the direction of writing are shown as escapes.
function printable(text: string): string {
    return text.replace(
        /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
