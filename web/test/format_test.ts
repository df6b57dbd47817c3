import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLine } from "../src/sentences.ts";
import { counted, instantsIn, instantsTo, percentText, shortText, speedUpText, threeDigits, timeText, wholeText } from "../src/format.ts";

// The rows of src/core/time_text_test.cpp: the page writes what the terminal writes.
test("times have three digits and a unit that fits", () => {
    const rows: [number, string][] = [
        [0, "0 s"],
        [1, "1 ns"],
        [999, "999 ns"],
        [1_000, "1.00 µs"],
        [12_345, "12.3 µs"],
        [123_456, "123 µs"],
        [999_499, "999 µs"],
        [999_500, "1.00 ms"],
        [9_830_000_000, "9.83 s"],
        [999_700_000, "1.00 s"],
        [1e12, "16.7 min"],
        [36e12, "10.0 h"],
        [1e16, "2778 h"],
        [-1_500_000, "-1.50 ms"],
        [0.5, "0.500 ns"],
    ];
    for (const [ns, text] of rows) {
        assert.equal(timeText(ns), text);
    }
});

// The cursor had microseconds over a whole run, and when 20 ns were in sight too.
test("instants have the unit of the time axis and as many digits as the zoom needs", () => {
    const rows: [last: number, step: number, ns: number, text: string][] = [
        [2.5e9, 1e6, 1_234_567_890, "1.235 s"],
        [2.5e9, 1, 1_234_567_890, "1.234567890 s"],
        [5e6, 4e3, 1e6, "1.000 ms"],
        [5e6, 0.1, 1_234_567, "1.234567 ms"],
        [5e3, 2, 1_234, "1.234 µs"],
        [500, 0.1, 123, "123 ns"],
    ];
    for (const [last, step, ns, text] of rows) {
        assert.equal(instantsTo(last, step)(ns), text);
    }
    assert.equal(instantsIn([0, 10e9])(1_234_567_890), "1.234568 s", "of single events to the microsecond");
    assert.equal(instantsIn([1.2e9, 1.2e9 + 500])(1_200_000_123), "1.200000123 s");
});

test("small shares are shown, but not as zero", () => {
    const rows: [number, string][] = [
        [0, "0 %"],
        [1e-6, "<0.1 %"],
        [0.0006, "0.1 %"],
        [0.004, "0.4 %"],
        [0.0096, "1 %"],
        [0.824, "82 %"],
        [1, "100 %"],
        [2.5, "250 %"],
        [-0.0042, "-0.4 %"],
        [0.125, "12 %"], // printf rounds a tie to even, toFixed would not
        [0.375, "38 %"],
        [0.0025, "0.2 %"],
    ];
    for (const [share, text] of rows) {
        assert.equal(percentText(share), text, String(share));
    }
});

test("speed-ups keep three digits", () => {
    assert.equal(speedUpText(1), "1.00");
    assert.equal(speedUpText(6.966), "6.97");
    assert.equal(speedUpText(9.996), "10.0");
    assert.equal(speedUpText(63.94), "63.9");
    assert.equal(speedUpText(99.96), "100");
    assert.equal(speedUpText(0.98765), "0.99");
    assert.equal(speedUpText(0.9993), "1.00");
    assert.equal(speedUpText(0.0412), "0.0412");
    assert.equal(speedUpText(0), "0.00");
    assert.equal(threeDigits(1234.4), "1234");
});

test("counts are said in words", () => {
    assert.equal(counted(1, "CPU"), "1 CPU");
    assert.equal(counted(61204, "event"), "61,204 events");
});

test("a megabyte name is cut in the middle, quickly, and its whole is bounded", () => {
    const name = "a".repeat(1e6) + "end";
    assert.equal(shortText(name, 20), "aaaaaaaaaaaaa…aaaend");
    assert(wholeText(name).length < 21_000);
    assert.match(wholeText(name), /1,000,003 characters/);
});

test("letters that would not print or turn the text around are shown as what they are", () => {
    assert.equal(shortText("a\u0000b\u202ec\n"), "a\\u0000b\\u202ec\\u000a");
    assert.equal(shortText("grüße 世界 😀"), "grüße 世界 😀");
});

test("cutting does not tear a letter of two units apart", () => {
    assert.equal(shortText("😀".repeat(50), 4), "😀😀…😀");
});

test("a command line is quoted as a shell takes it", () => {
    assert.equal(commandLine(["tool", "-k", "big file", "it's", ""]), "tool -k 'big file' 'it'\\''s' ''");
});
