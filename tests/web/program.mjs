// What is looked at: recordings made by the built parcast, as reports and behind `parcast view`, and the predictions
// that the page has to agree with.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const parcast = process.env.PARCAST ?? "parcast";
const examples = process.env.PARCAST_EXAMPLES ?? ".";
const hostile = process.env.PARCAST_HOSTILE ?? "hostile";
const functions = process.env.PARCAST_FUNCTIONS ?? "functions";
const crossedLocks = process.env.PARCAST_CROSSED_LOCKS ?? "crossed_locks";
const deadlocked = 4; // the exit status where a replay deadlocks: there is an answer nevertheless
const timeLimit = 60_000; // ms
// What a developer calibrated must not change what the tests see.
const environment = { ...process.env, XDG_CONFIG_HOME: "/nonexistent", DISPLAY: "", WAYLAND_DISPLAY: "" };

const folder = mkdtempSync(join(tmpdir(), "parcast-web-"));
const servers = [];

function run(...words) {
    const result = spawnSync(parcast, words, { env: environment, cwd: folder, encoding: "utf8", timeout: timeLimit, maxBuffer: 1 << 28 });
    if (result.status !== 0 && result.status !== deadlocked) {
        throw new Error(`parcast ${words.join(" ")}: ${result.status ?? result.error}\n${result.stderr}`);
    }
    return result.stdout;
}

// Made when first asked for, and then kept: value(make)() is make() once.
function once(make) {
    const made = new Map();
    return (...key) => {
        const name = JSON.stringify(key);
        if (!made.has(name)) {
            made.set(name, make(...key));
        }
        return made.get(name);
    };
}

const markup = "<img src=x onerror=ran('word')>";
const longWord = "long".repeat(25_000);

// A copy whose path is HTML too.
function hostileProgram() {
    const place = join(folder, "<b onclick=ran('folder')> it's & \"quoted\"");
    mkdirSync(place, { recursive: true });
    copyFileSync(hostile, join(place, "hostile"));
    return join(place, "hostile");
}

// As much as eight threads have something to do with, in about a second.
function packed() {
    const file = join(folder, "to pack");
    writeFileSync(file, readFileSync(parcast).subarray(0, 16 << 20));
    return file;
}

const commands = {
    gateway: () => [join(examples, "gateway"), "2", "3", "400000", "8", "0", "0"],
    one_lock: () => [join(examples, "producer_consumer_one_lock"), "5"],
    // Replays of it take longer than a page takes to open.
    long: () => [join(examples, "histogram"), "8", "300000", "300"],
    longer: () => [join(examples, "histogram"), "8", "1000000", "300"],
    many_threads: () => [join(examples, "quicksort"), "200000", "1000"],
    histogram: () => [join(examples, "histogram"), "16"],
    crossed_locks: () => [crossedLocks],
    functions: () => [functions],
    hostile: () => [hostileProgram(), markup, longWord],
    pigz: () => ["pigz", "-p", "8", "-c", "--", packed()],
};

// As if there were as many CPUs as it makes threads.
const pretended = { histogram: ["--pretend-cpus", "16"] };

// Task graphs, shown like recordings.
const graphs = {
    polyroots: () => ["polyroots", "--size", "30"],
    psim: () => ["psim", "--size", "64"],
    narrow: () => ["psim", "--size", "4096"],
};

// Programs of threads that were written down.
const written = {
    two_producers: new URL("../../examples/threads/two_producers.threads.json", import.meta.url),
    wave: new URL("../../examples/messages/diagonal-wave.json", import.meta.url), // of steps with messages
    repair: new URL("../../examples/pamela/mrm.pam", import.meta.url),
    lock: new URL("../../examples/pamela/lock.pam", import.meta.url),
    sorting: new URL("../../examples/pamela/psrs.pam", import.meta.url),
};

// Models with names and comments that a page could take for its own.
const models = {
    awkward: `numeric over = 3 % ${markup}\nnumeric value = 2\nnumeric N = 4\nresource s = fcfs(0, 1)\nprocess main = par (p = 1, N) { delay(over) ; use(s, value) }\n`,
};

// Message programs, as texts of GOAL.
const goals = {
    deadlock: "num_ranks 2\nrank 0 {\nl0: calc 1000\nl1: recv 8b from 1 tag 1\nl2: send 8b to 1 tag 2\nl1 requires l0\nl2 requires l1\n}\nrank 1 {\nl1: recv 8b from 0 tag 2\nl2: send 8b to 0 tag 1\nl2 requires l1\n}\n",
};

function goalFile(name) {
    const file = join(folder, `${name}.goal`);
    writeFileSync(file, goals[name]);
    return file;
}

function taskGraph(name) {
    const file = join(folder, `${name}.json`);
    run("generate", "taskgraph", ...graphs[name](), "-o", file);
    return file;
}

export const hasPigz = spawnSync("pigz", ["--version"]).status === 0;

export const recording = once((name) => {
    if (name in graphs) {
        return taskGraph(name);
    }
    if (name in goals) {
        return goalFile(name);
    }
    if (name in models) {
        const file = join(folder, `${name}.pam`);
        writeFileSync(file, models[name]);
        return file;
    }
    if (name in written) {
        return fileURLToPath(written[name]);
    }
    const trace = join(folder, `${name}.parcast`);
    // Crossed locks can end in a deadlock of their own, on a busy machine: then once more.
    for (let left = 3; left > 0; --left) {
        try {
            run("record", "--time-limit", "10s", ...(pretended[name] ?? []), "-o", trace, "--", ...commands[name]());
            return trace;
        } catch (error) {
            if (left === 1 || name !== "crossed_locks") {
                throw error;
            }
            rmSync(trace, { force: true });
        }
    }
});

export const predicted = once((name, ...options) => JSON.parse(run("predict", recording(name), "--json", ...options)));

// Linux without a name has the wake-ups of the recording's host, as on the page.
export const under = (scheduler) => (scheduler === "linux" ? [] : ["--scheduler", scheduler]);

export const informed = once((name) => JSON.parse(run("info", recording(name), "--json")));

export const signatureOf = once((name) => JSON.parse(run("signature", recording(name), "--json", "--threads-table")));

export const bound = once((name) => JSON.parse(run("bind", recording(name), "--json", "--tests", "5")));

// Without ranges: the page replays changes itself, once each.
export const advised = once((name) => JSON.parse(run("advise", recording(name), "--runs", "0", "--json")));

// The prediction that the page shows at first: of the count that the verdict is about.
export function shownFirst(name) {
    const { scaling, predictions } = predicted(name);
    return predictions.find((row) => row.cpus === scaling.first_cpus_beyond) ?? predictions.at(-1);
}

// What `parcast scale --json --measure` would have answered for a recording, with speed-ups that a test can tell apart
// from any that is predicted: on 2 CPUs, the least, the median and the most.
export const measured = once((name, least, median, most) => {
    const { input, recorded } = predicted(name);
    const count = {
        command: input.command,
        recorded,
        compared_cpus: 2,
        same_threads: { measured: { median, min: least, max: most } },
        measured: [{ cpus: 2, time_ns: { median: 1.25e9, min: 1e9, max: 2e9 } }],
        explanation: ["It was <b>measured</b> elsewhere."],
    };
    const file = join(folder, `${name} measured ${median}.json`);
    writeFileSync(file, JSON.stringify({ schema: "parcast.scale/2", counts: [count] }));
    return file;
});

// A report of a program that never ran, with names that no system would allow.
export const neverRun = once((...options) => {
    const file = join(folder, `never run ${options.join(" ")}.html`);
    const demo = fileURLToPath(new URL("../../web/demo.mjs", import.meta.url));
    const result = spawnSync(process.execPath, [demo, "--report", file, ...options], { encoding: "utf8", timeout: timeLimit });
    if (result.status !== 0) {
        throw new Error(`demo.mjs ${options.join(" ")}: ${result.status ?? result.error}\n${result.stderr}`);
    }
    return pathToFileURL(file).href;
});

let reports = 0;
export const report = once((name, ...options) => {
    const file = join(folder, `${name} ${++reports}.html`);
    run("report", recording(name), "-o", file, ...options);
    return pathToFileURL(file).href;
});

// The page of a recording compared with a change of it, or with what the words say.
export const comparedPage = once((name, ...words) => {
    const file = join(folder, `${name} compared ${++reports}.html`);
    run("compare", recording(name), ...words, "-o", file);
    return pathToFileURL(file).href;
});

// As perf script prints it: a thread makes another, and waits for it. On two CPUs, which the system calls 5 and 9.
function measuredText(program) {
    const line = (thread, cpu, time, event) => ` ${thread === 0 ? "swapper" : program} ${thread} [00${cpu}] ${time}: sched:sched_${event}\n`;
    const name = (thread, cpu) => (thread === 0 ? `swapper/${cpu}` : program);
    const to = (cpu, time, from, state, next) =>
        line(from, cpu, time, `switch: prev_comm=${name(from, cpu)} prev_pid=${from} prev_prio=120 prev_state=${state} ==> next_comm=${name(next, cpu)} next_pid=${next} next_prio=120`);
    return (
        to(5, "1.000000", 0, "R", 10) +
        line(10, 5, "1.100000", `process_fork: comm=${program} pid=10 child_comm=${program} child_pid=11`) +
        to(9, "1.150000", 0, "R", 11) +
        to(5, "1.200000", 10, "S", 0) +
        line(11, 9, "1.900000", `waking: comm=${program} pid=10 prio=120 target_cpu=005`) +
        to(5, "1.920000", 0, "R", 10) +
        to(9, "1.950000", 11, "X", 0) +
        to(5, "2.000000", 10, "X", 0)
    );
}

// The page of a recording compared with such a run of its program, and the answer.
export const measuredPage = once((name) => {
    const file = join(folder, `${name} measured.html`);
    const text = join(folder, `${name}.perf.txt`);
    writeFileSync(text, measuredText(commands[name]()[0].split("/").pop()));
    const answer = JSON.parse(run("compare", recording(name), text, "-o", file, "--json"));
    return { address: pathToFileURL(file).href, answer };
});

// What a command that a page shows prints with --json.
export function answered(command) {
    const [program, ...words] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
    assert.equal(program, "parcast");
    return JSON.parse(run(...words, "--json"));
}

// The page of a search, and its answer.
export const tuned = once((...words) => {
    const file = join(folder, `tuned ${++reports}.html`);
    const answer = JSON.parse(run("tune", ...words, "-o", file, "--json"));
    return { address: pathToFileURL(file).href, answer };
});

// The page of a series of recordings, and its answer.
export const signed = once((...words) => {
    const name = `signed ${++reports}`;
    const [runs, file] = [join(folder, name), join(folder, `${name}.html`)];
    run("scale", "--cpus", "2,3,4,6,8", "--no-bare-runs", "--keep", runs, "--", join(examples, "jacobi"), "{cpus}", ...words);
    run("report", runs, "-o", file);
    const answer = JSON.parse(run("signature", runs, "--json", "--threads-table"));
    return { address: pathToFileURL(file).href, answer };
});

export const view = once(
    (name, ...options) =>
        new Promise((resolve, reject) => {
            const server = spawn(parcast, ["view", recording(name), "--no-browser", "--json", ...options], { env: environment });
            servers.push(server);
            let said = "";
            server.stdout.on("data", (text) => {
                said += text;
                const address = /"address": "([^"]+)"/.exec(said)?.[1];
                if (address) {
                    resolve(address);
                }
            });
            server.stderr.on("data", (text) => (said += text));
            server.on("exit", (status) => reject(new Error(`parcast view ended with ${status}: ${said}`)));
        }),
);

// The same, with its replays paused before the page is opened.
export async function pausedView(...words) {
    const address = await view(...words);
    const answer = await fetch(`${address}progress.json?pause=1`);
    return { address, progress: await answer.json() };
}

// Both ways in which the page gets what it shows.
export const ways = { report, view };

function end(server) {
    return new Promise((resolve) => {
        if (server.exitCode !== null) {
            resolve();
            return;
        }
        server.on("exit", resolve);
        server.kill("SIGINT");
    });
}

export async function cleanUp() {
    await Promise.all(servers.map(end));
    rmSync(folder, { recursive: true, force: true });
}
