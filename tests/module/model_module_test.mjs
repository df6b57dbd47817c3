// Does the module of a model's page give what the native code gives? Usage:
// node model_module_test.mjs REFERENCE_PROGRAM MODULE MODEL.pam...

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [referenceProgram, moduleFile, ...models] = process.argv.slice(2);
const reference = JSON.parse(execFileSync(referenceProgram, models, { maxBuffer: 1 << 28 }));

const { instance } = await WebAssembly.instantiate(readFileSync(moduleFile), {});
const { memory, _initialize, ...parcast } = instance.exports;
_initialize?.();

function textAt(address) {
    const bytes = new Uint8Array(memory.buffer, address >>> 0);
    return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString();
}

function lent(bytes) {
    const address = parcast.parcast_allocate(Math.max(8, bytes.length));
    assert.notEqual(address, 0);
    new Uint8Array(memory.buffer, address >>> 0, bytes.length).set(bytes);
    return address;
}

function open(fields) {
    const bytes = Buffer.concat(
        fields.flatMap((field) => {
            const text = Buffer.from(field);
            const length = Buffer.alloc(4);
            length.writeUInt32LE(text.length);
            return [length, text];
        }),
    );
    const address = lent(bytes);
    const handle = parcast.parcast_model_open(address, bytes.length);
    parcast.parcast_free(address);
    return handle;
}

// Null: refused.
function numbersAt(answer) {
    if (answer === 0) {
        return null;
    }
    const length = new DataView(memory.buffer).getUint32(answer >>> 0, true);
    return [...new Float64Array(memory.buffer, (answer >>> 0) + 8, length)];
}

const pointNumbers = 16;

// Absolute: of numbers that are small beside the others of their answer, such as the skewness of a sum.
function same(found, expected, what, { relative, absolute = 0 }) {
    if (expected === null || found === null) {
        assert.equal(found, expected, what);
        return;
    }
    assert.equal(found.length, expected.length, what);
    expected.forEach((number, i) => {
        const apart = Math.abs(found[i] - number);
        assert.ok(apart <= relative * Math.abs(number) + absolute, `${what}, number ${i}: ${found[i]} is not ${number}`);
    });
}

let points = 0;
let refused = 0;
for (const [place, { fields, points: expected, error }] of reference.entries()) {
    const name = models[place];
    assert.equal(error, undefined, name);
    const handle = open(fields);
    assert.notEqual(handle, 0, `${name}: ${textAt(parcast.parcast_error())}`);
    for (const { values, point, resources, phases, effects, sentences, simulated } of expected) {
        const what = `${name} at ${values}`;
        const at = lent(new Uint8Array(Float64Array.from(values).buffer));
        const found = numbersAt(parcast.parcast_model_points(handle, at, 1));
        if (point === null) {
            assert.ok(found.every(Number.isNaN), what);
            assert.notEqual(textAt(parcast.parcast_error()), "", what);
            ++refused;
        } else {
            // Quantiles are searched for, so that the last digits of a logarithm grow.
            same(found.slice(0, pointNumbers - 2), point.slice(0, pointNumbers - 2), `${what}: moments`, { relative: 1e-9, absolute: 1e-9 });
            same(found.slice(pointNumbers - 2), point.slice(pointNumbers - 2), `${what}: quantiles`, { relative: 1e-6 });
            ++points;
        }
        same(numbersAt(parcast.parcast_model_resources(handle, at)), resources, `${what}: resources`, { relative: 1e-9 });
        same(numbersAt(parcast.parcast_model_phases(handle, at)), phases, `${what}: phases`, { relative: 1e-9 });
        // Slopes are differences of means over a thousandth of a parameter.
        const scale = effects === null ? 0 : Math.max(0, ...effects.map(Math.abs));
        same(numbersAt(parcast.parcast_model_effects(handle, at)), effects, `${what}: effects`, { relative: 1e-5, absolute: 1e-6 * scale });
        assert.equal(textAt(parcast.parcast_model_sentences(handle, at)), sentences === null ? "" : sentences.join("\n"), what);
        same(numbersAt(parcast.parcast_model_simulate(handle, at)), simulated, `${what}: simulated`, { relative: 1e-6, absolute: 1e-6 });
        parcast.parcast_free(at);
    }
    parcast.parcast_model_close(handle);
}
assert.ok(points > 2 * models.length, "each model is moved");
assert.ok(refused > 0, "a bandwidth of 0 is refused");

// A text that is wrong is refused with its reason, and the module goes on.
const asked = ["main", "", "", "", "", "", "", "0"];
assert.equal(open(["process main = delay(t_wait)", "model.pam", ...asked]), 0);
assert.match(textAt(parcast.parcast_error()), /t_wait/);
assert.equal(open([]), 0, "nothing at all");
assert.equal(open(["process main = delay(1)"]), 0, "cut short");
const handle = open(["numeric P = 3\nprocess main = seq (i = 1, P) delay(2)", "model.pam", ...asked, "P", "3"]);
assert.notEqual(handle, 0, textAt(parcast.parcast_error()));

// A model that was asked a thousand times takes no more memory than at first.
const at = lent(new Uint8Array(Float64Array.of(5).buffer));
const pages = memory.buffer.byteLength;
for (let i = 0; i < 1000; ++i) {
    assert.equal(numbersAt(parcast.parcast_model_points(handle, at, 1))[0], 10);
}
assert.ok(memory.buffer.byteLength <= 2 * pages, `${memory.buffer.byteLength} bytes after ${pages}`);

console.log(`${points} points of ${models.length} models are the native ones; ${refused} are refused by both.`);
