// What happened, or would happen, in one execution? Typed columns over the bytes of a replay, and the questions that
// every part of the page asks them. Grammar of the bytes: docs/formats/execution.md. Times are ns.

import { executionMagic, Malformed, readContainer, type Column } from "./container.ts";
import { operationsOnThreads, stateCount, totalNames } from "./generated.ts";

export { Cause, Operation, State, stateCount } from "./generated.ts";

export const none = 0xffffffff;
export const noCpu = 0xffff;
export const pyramidFactor = 4;

// Operations whose object is a thread.
export function namesThread(kind: number): boolean {
    return operationsOnThreads.includes(kind);
}

const flags = ["deadlocked", "eventsLeftOut", "intervalsLeftOut", "predicted"] as const;
export type TotalName = (typeof totalNames)[number];
export type Totals = { readonly [name in TotalName]: name extends (typeof flags)[number] ? boolean : number };

export interface Limit {
    readonly cause: number;
    readonly object: number; // none: all others together
    readonly time: number; // processor time
    readonly share: number; // of cpus * completion
}

export class Execution {
    readonly totals: Totals;
    readonly threads: number;
    readonly objects: number;
    readonly intervals: number;
    readonly events: number;
    readonly byteLength: number;
    readonly limits: readonly Limit[];

    readonly threadCreated: Float64Array;
    readonly threadEnded: Float64Array;
    readonly threadState: Float64Array; // [thread * stateCount + state]

    readonly objectOperations: Float64Array;
    readonly objectBlocked: Float64Array;
    readonly objectWaiting: Float64Array;
    readonly objectIdle: Float64Array;
    readonly objectSpinning: Float64Array;

    // Intervals of a lane leave no gap: one ends where the next begins, the last at laneEnd.
    readonly laneFirst: Uint32Array; // [thread], and the end
    readonly laneEnd: Float64Array;
    readonly intervalBegin: Float64Array;
    readonly intervalState: Uint8Array;
    readonly intervalCpu: Uint16Array;
    readonly intervalObject: Uint32Array;
    readonly intervalReleaser: Uint32Array;
    readonly intervalSite: Uint32Array;

    // Level l = 1, 2, ... of lane t begins at pyramidFirst[(l - 1) * threads + t]; a node stands for 4^l intervals.
    readonly pyramidFirst: Uint32Array;
    readonly pyramidLevels: number;
    readonly pyramidState: Uint8Array;
    readonly pyramidBusy: Uint8Array;
    readonly pyramidLongest: Float32Array;

    // By CPU; empty where threads share processors (scheduler ideal).
    readonly cpus: number; // with lanes of their own: none where threads share processors (ideal)
    readonly cpuFirst: Uint32Array;
    readonly cpuInterval: Uint32Array;
    readonly cpuPyramidFirst: Uint32Array;
    readonly cpuPyramidLevels: number;
    readonly cpuPyramidThread: Uint32Array;
    readonly cpuPyramidBusy: Uint8Array;

    // Lanes that are alike, and how many of their threads do what from each step to the next.
    readonly groups: number;
    readonly groupOf: Uint32Array; // by thread; none: like no other
    readonly groupStepFirst: Uint32Array; // [group], and the end
    readonly groupTime: Float64Array;
    readonly groupRunning: Float32Array;
    readonly groupReady: Float32Array;
    readonly groupWaiting: Float32Array;

    // Steps: profileRunning[i] from profileTime[i] to profileTime[i + 1].
    readonly profileTime: Float64Array;
    readonly profileRunning: Float32Array;
    readonly profileReady: Uint32Array;
    readonly profilePyramidFirst: Uint32Array; // [level - 1], and the end
    readonly profileMin: Float32Array;
    readonly profileMax: Float32Array;
    readonly profileMean: Float32Array;
    readonly profileReadyMin: Float32Array;
    readonly profileReadyMax: Float32Array;
    readonly profileReadyMean: Float32Array;
    readonly profileWaiting: Uint32Array;
    readonly profileWaitingMin: Float32Array;
    readonly profileWaitingMax: Float32Array;
    readonly profileWaitingMean: Float32Array;

    readonly eventFirst: Uint32Array; // [thread], and the end
    readonly eventTime: Float64Array;
    readonly eventKind: Uint8Array;
    readonly eventObject: Uint32Array;
    readonly eventSite: Uint32Array;
    readonly objectEventFirst: Uint32Array; // [object], and the end
    readonly objectEvent: Uint32Array;

    readonly pathThread: Uint32Array;
    readonly pathBegin: Float64Array;
    readonly pathEnd: Float64Array;
    readonly pathFlight: Uint8Array; // 1: a message on its way to the thread

    // Messages of ranks, in the order in which they are sent.
    readonly messages: number;
    readonly messageFrom: Uint32Array; // thread
    readonly messageTo: Uint32Array;
    readonly messageSent: Float64Array;
    readonly messageArrived: Float64Array;
    readonly messageReceived: Float64Array;
    readonly messageBytes: Float64Array;
    readonly messageTag: Uint32Array;
    readonly messageDelay: Uint8Array; // delayNames
    readonly messageLate: Float64Array;

    readonly stuckThread: Uint32Array;
    readonly sentences: string; // what it means: sentences.ts

    constructor(bytes: ArrayBuffer) {
        const columns = new Columns(readContainer(bytes, executionMagic));
        this.byteLength = bytes.byteLength;
        this.totals = totalsOf(columns.f64("totals"));

        this.threadCreated = columns.f64("thread.created");
        this.threads = this.threadCreated.length;
        this.threadEnded = columns.f64("thread.ended", this.threads);
        this.threadState = columns.f64("thread.state", this.threads * stateCount);

        this.objectOperations = columns.f64("object.operations");
        this.objects = this.objectOperations.length;
        this.objectBlocked = columns.f64("object.blocked", this.objects);
        this.objectWaiting = columns.f64("object.waiting", this.objects);
        this.objectIdle = columns.f64("object.idle", this.objects);
        this.objectSpinning = columns.f64("object.spinning", this.objects);

        this.limits = limitsOf(
            columns.u8("limit.cause"),
            columns.u32("limit.object"),
            columns.f64("limit.time"),
            this.totals.cpus * this.totals.completion,
        );

        this.intervalBegin = columns.f64("interval.begin");
        this.intervals = this.intervalBegin.length;
        this.intervalState = columns.u8("interval.state", this.intervals);
        this.intervalCpu = columns.u16("interval.cpu", this.intervals);
        this.intervalObject = columns.u32("interval.object", this.intervals);
        this.intervalReleaser = columns.u32("interval.releaser", this.intervals);
        this.intervalSite = columns.u32("interval.site", this.intervals);
        this.laneFirst = columns.firsts("lane.first", this.threads, this.intervals);
        this.laneEnd = columns.f64("lane.end", this.threads);

        this.pyramidState = columns.u8("pyramid.state");
        this.pyramidBusy = columns.u8("pyramid.busy", this.pyramidState.length);
        this.pyramidLongest = columns.f32("pyramid.longest", this.pyramidState.length);
        this.pyramidFirst = columns.u32("pyramid.first");
        this.pyramidLevels = levelsOf(this.pyramidFirst, this.threads);
        columns.rising("pyramid.first", this.pyramidFirst, this.pyramidState.length);

        this.cpuFirst = columns.u32("cpu.first");
        const cpuLanes = Math.max(0, this.cpuFirst.length - 1);
        this.cpuInterval = columns.u32("cpu.interval");
        this.cpus = this.cpuInterval.length > 0 ? cpuLanes : 0;
        columns.below("cpu.interval", this.cpuInterval, this.intervals);
        columns.rising("cpu.first", this.cpuFirst, this.cpuInterval.length);
        this.cpuPyramidThread = columns.u32("cpu.pyramid.thread");
        this.cpuPyramidBusy = columns.u8("cpu.pyramid.busy", this.cpuPyramidThread.length);
        this.cpuPyramidFirst = columns.u32("cpu.pyramid.first");
        this.cpuPyramidLevels = levelsOf(this.cpuPyramidFirst, cpuLanes);
        columns.rising("cpu.pyramid.first", this.cpuPyramidFirst, this.cpuPyramidThread.length);

        this.groupTime = columns.f64("group.time");
        this.groupRunning = columns.f32("group.running", this.groupTime.length);
        this.groupReady = columns.f32("group.ready", this.groupTime.length);
        this.groupWaiting = columns.f32("group.waiting", this.groupTime.length);
        this.groupStepFirst = columns.u32("group.step.first");
        columns.rising("group.step.first", this.groupStepFirst, this.groupTime.length);
        this.groups = Math.max(0, this.groupStepFirst.length - 1);
        this.groupOf = columns.u32("group.of", this.threads);
        columns.belowOrNone("group.of", this.groupOf, this.groups);

        this.profileTime = columns.f64("profile.time");
        this.profileRunning = columns.f32("profile.running", this.profileTime.length);
        this.profileReady = columns.u32("profile.ready", this.profileTime.length);
        this.profileMin = columns.f32("profile.min");
        const profileNodes = this.profileMin.length;
        this.profileMax = columns.f32("profile.max", profileNodes);
        this.profileMean = columns.f32("profile.mean", profileNodes);
        this.profileReadyMin = columns.f32("profile.ready.min", profileNodes);
        this.profileReadyMax = columns.f32("profile.ready.max", profileNodes);
        this.profileReadyMean = columns.f32("profile.ready.mean", profileNodes);
        this.profileWaiting = columns.u32("profile.waiting", this.profileTime.length);
        this.profileWaitingMin = columns.f32("profile.waiting.min", profileNodes);
        this.profileWaitingMax = columns.f32("profile.waiting.max", profileNodes);
        this.profileWaitingMean = columns.f32("profile.waiting.mean", profileNodes);
        this.profilePyramidFirst = columns.u32("profile.pyramid.first");
        columns.rising("profile.pyramid.first", this.profilePyramidFirst, profileNodes);

        this.eventTime = columns.f64("event.time");
        this.events = this.eventTime.length;
        this.eventKind = columns.u8("event.kind", this.events);
        this.eventObject = columns.u32("event.object", this.events);
        this.eventSite = columns.u32("event.site", this.events);
        this.eventFirst = columns.firsts("event.first", this.threads, this.events);
        this.objectEvent = columns.u32("object.event");
        columns.below("object.event", this.objectEvent, this.events);
        this.objectEventFirst = columns.firsts("object.event.first", this.objects, this.objectEvent.length);

        this.pathThread = columns.u32("path.thread");
        this.pathBegin = columns.f64("path.begin", this.pathThread.length);
        this.pathEnd = columns.f64("path.end", this.pathThread.length);
        this.pathFlight = columns.u8("path.flight", this.pathThread.length);

        this.messageSent = columns.f64("message.sent");
        this.messages = this.messageSent.length;
        this.messageFrom = columns.u32("message.from", this.messages);
        this.messageTo = columns.u32("message.to", this.messages);
        columns.below("message.from", this.messageFrom, this.threads);
        columns.below("message.to", this.messageTo, this.threads);
        this.messageArrived = columns.f64("message.arrived", this.messages);
        this.messageReceived = columns.f64("message.received", this.messages);
        this.messageBytes = columns.f64("message.bytes", this.messages);
        this.messageTag = columns.u32("message.tag", this.messages);
        this.messageDelay = columns.u8("message.delay", this.messages);
        this.messageLate = columns.f64("message.late", this.messages);

        this.stuckThread = columns.u32("stuck.thread");
        this.sentences = new TextDecoder().decode(columns.u8("sentences"));
    }

    intervalEnd(interval: number): number {
        const thread = this.threadOfInterval(interval);
        return interval + 1 < this.laneFirst[thread + 1]!
            ? this.intervalBegin[interval + 1]!
            : this.laneEnd[thread]!;
    }

    threadOfInterval(interval: number): number {
        return ownerOf(this.laneFirst, interval);
    }

    threadOfEvent(event: number): number {
        return ownerOf(this.eventFirst, event);
    }

    // The interval of a thread at an instant, or none: before its creation, after its end.
    intervalAt(thread: number, time: number): number {
        const first = this.laneFirst[thread]!;
        const end = this.laneFirst[thread + 1]!;
        const after = firstAfter(this.intervalBegin, time, first, end);
        return after === first || time >= this.laneEnd[thread]! ? none : after - 1;
    }

    timeInState(thread: number, state: number): number {
        return this.threadState[thread * stateCount + state]!;
    }

    speedUp(timeOnOne: number | null): number | null {
        return timeOnOne === null || this.totals.deadlocked || this.totals.completion <= 0
            ? null
            : timeOnOne / this.totals.completion;
    }
}

// First index in [from, to) whose value is above `value`; `to` if there is none. Cost: O(log).
export function firstAfter(values: ArrayLike<number>, value: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle]! <= value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Which list an element belongs to, where `firsts` says at which element each list begins.
function ownerOf(firsts: Uint32Array, element: number): number {
    let low = 0;
    let high = firsts.length - 1;
    while (low + 1 < high) {
        const middle = (low + high) >>> 1;
        if (firsts[middle]! <= element) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

function levelsOf(firsts: Uint32Array, lanes: number): number {
    return lanes === 0 || firsts.length === 0 ? 0 : Math.floor((firsts.length - 1) / lanes);
}

function totalsOf(totals: Float64Array): Totals {
    if (totals.length !== totalNames.length) {
        throw new Malformed("Its totals are not those that this page knows.");
    }
    const isFlag = (name: TotalName) => (flags as readonly TotalName[]).includes(name);
    return Object.fromEntries(totalNames.map((name, i) => [name, isFlag(name) ? totals[i] === 1 : totals[i]!])) as unknown as Totals;
}

function limitsOf(cause: Uint8Array, object: Uint32Array, time: Float64Array, whole: number): Limit[] {
    return Array.from(cause, (value, i) => ({
        cause: value,
        object: object[i]!,
        time: time[i]!,
        share: whole > 0 ? time[i]! / whole : 0,
    }));
}

// The columns of a container, asked for by name, type and length. One that is not there is all zeros: an answer that
// has the totals alone leaves the lanes out.
class Columns {
    private readonly columns: ReadonlyMap<string, Column>;

    constructor(columns: ReadonlyMap<string, Column>) {
        this.columns = columns;
    }

    u8(name: string, length?: number): Uint8Array {
        return this.get(name, Uint8Array, length);
    }
    u16(name: string, length?: number): Uint16Array {
        return this.get(name, Uint16Array, length);
    }
    u32(name: string, length?: number): Uint32Array {
        return this.get(name, Uint32Array, length);
    }
    f32(name: string, length?: number): Float32Array {
        return this.get(name, Float32Array, length);
    }
    f64(name: string, length?: number): Float64Array {
        return this.get(name, Float64Array, length);
    }

    // Where each of `lists` lists begins among `elements`, and the end.
    firsts(name: string, lists: number, elements: number): Uint32Array {
        const firsts = this.u32(name, lists + 1);
        this.rising(name, firsts, elements);
        return firsts;
    }

    rising(name: string, firsts: Uint32Array, elements: number): void {
        for (let i = 1; i < firsts.length; ++i) {
            if (firsts[i]! < firsts[i - 1]!) {
                throw new Malformed(`Column ${name} falls at element ${i}.`);
            }
        }
        if (firsts.length > 0 && firsts[firsts.length - 1]! > elements) {
            throw new Malformed(`Column ${name} points behind the last element.`);
        }
    }

    below(name: string, indices: Uint32Array, elements: number): void {
        for (let i = 0; i < indices.length; ++i) {
            if (indices[i]! >= elements) {
                throw new Malformed(`Column ${name} points behind the last element at ${i}.`);
            }
        }
    }

    belowOrNone(name: string, indices: Uint32Array, elements: number): void {
        if (elements > 0 && indices.some((index) => index >= elements && index !== none)) {
            throw new Malformed(`Column ${name} points behind the last element.`);
        }
    }

    private get<T extends Column>(name: string, type: new (length: number) => T, length?: number): T {
        const column = this.columns.get(name) ?? new type(length ?? 0);
        if (!(column instanceof type)) {
            throw new Malformed(`Column ${name} is not of the type that it must have.`);
        }
        if (length !== undefined && column.length !== length) {
            throw new Malformed(`Column ${name} has ${column.length} elements and must have ${length}.`);
        }
        return column;
    }
}
