// Does the module in a report replay as the native simulator does, bit for bit? Usage:
// node module_test.mjs REFERENCE_PROGRAM MODULE

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [referenceProgram, moduleFile] = process.argv.slice(2);
const generated = readFileSync(new URL("../../web/src/generated.ts", import.meta.url), "utf8");
const schedulers = /export const schedulers = \[([^\]]*)\]/.exec(generated)[1].match(/"/g).length / 2;
const ownScheduler = schedulers; // the number behind the last: that of the program's machine
const reference = execFileSync(referenceProgram, { maxBuffer: 1 << 30 });

const { instance } = await WebAssembly.instantiate(readFileSync(moduleFile), {});
const { memory, _initialize, ...parcast } = instance.exports;
_initialize();

function errorText() {
    const bytes = new Uint8Array(memory.buffer, parcast.parcast_error());
    return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString();
}

function open(bytes) {
    const address = parcast.parcast_allocate(bytes.length);
    assert.notEqual(address, 0);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const handle = parcast.parcast_open(address, bytes.length);
    parcast.parcast_free(address);
    return handle;
}

// As reference.cpp numbers them.
const changedExecution = 2;
const weightsByOwner = 3;
const weightsByOperation = 4;

function lent(bytes) {
    const address = parcast.parcast_allocate(bytes.length);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    return address;
}
const scenario = Buffer.from("thread:0*0.5,sleep:*0,wake-ups=free");
const scenarioAt = lent(scenario);
const countsAt = lent(new Uint8Array(Uint32Array.of(1, 2, 3).buffer));

function asked(handle, { cpus, scheduler, withTimeline }) {
    switch (withTimeline) {
        case changedExecution: return parcast.parcast_replay(handle, cpus, scheduler, 1, scenarioAt, scenario.length);
        case weightsByOwner: return parcast.parcast_weights(handle, countsAt, 3);
        case weightsByOperation: return parcast.parcast_operation_weights(handle, cpus);
        default: return parcast.parcast_replay(handle, cpus, scheduler, withTimeline, 0, 0);
    }
}

function replay(handle, request) {
    const answer = asked(handle, request) >>> 0;
    if (answer === 0) {
        return Buffer.alloc(0);
    }
    const length = new DataView(memory.buffer).getUint32(answer, true);
    return Buffer.from(memory.buffer, answer + 8, length);
}

function* records() {
    for (let at = 0; at < reference.length; ) {
        const [length, cpus, scheduler, withTimeline] = [0, 4, 8, 12].map((offset) =>
            reference.readUInt32LE(at + offset),
        );
        const bytes = reference.subarray(at + 16, at + 16 + length);
        at += 16 + Math.ceil(length / 8) * 8;
        yield { cpus, scheduler, withTimeline, bytes };
    }
}

let handle = 0;
let executions = 0;
let others = 0;
let refused = 0;
for (const { bytes, ...request } of records()) {
    if (request.cpus === 0) {
        if (handle !== 0) {
            parcast.parcast_close(handle);
        }
        handle = open(bytes);
        assert.notEqual(handle, 0, errorText());
        continue;
    }
    const found = replay(handle, request);
    assert.ok(found.equals(bytes), `differs from the native execution: ${JSON.stringify(request)}`);
    request.withTimeline < changedExecution ? ++executions : ++others;
    if (bytes.length === 0) {
        ++refused;
        assert.match(errorText(), /CPUs/);
    }
}
assert.equal(refused, 13);
assert.equal(others, 13 * 3);
assert.equal(executions, (64 + 12 * 10) * 2 * (schedulers + 1) + refused);

// What is no program is refused with a reason, and the module goes on.
assert.equal(open(Buffer.from("no program at all, but long enough for a head")), 0);
assert.match(errorText(), /PCPG/);
assert.equal(replay(handle, { cpus: 2, scheduler: ownScheduler + 1, withTimeline: 1 }).length, 0);
assert.match(errorText(), /scheduler/);
assert.ok(replay(handle, { cpus: 2, scheduler: ownScheduler, withTimeline: 1 }).length > 0);

// A program that was answered a thousand times takes no more memory than at first.
const pages = memory.buffer.byteLength;
for (let i = 0; i < 1000; ++i) {
    replay(handle, { cpus: 1 + (i % 8), scheduler: i % (schedulers + 1), withTimeline: 1 });
}
assert.ok(memory.buffer.byteLength <= 2 * pages, `${memory.buffer.byteLength} bytes after ${pages}`);

console.log(`${executions} executions, and ${others} of changed programs and weights, are the native ones.`);
