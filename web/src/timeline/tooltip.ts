// What is said of what lies under the pointer, or is selected? Lines of text; the first is the title.

import { firstAfter, namesThread, none, noCpu, State, stateCount } from "../execution.ts";
import { operationNames } from "../generated.ts";
import { delayText } from "../communication.ts";
import { bytesText, instantsIn, percentText, shortText, threeDigits, timeText, countText, counted } from "../format.ts";
import { cpuLabel, laneWord, objectLabel, siteLabel, stateLabel, threadLabel, type Overview } from "../overview.ts";
import { reasonOf } from "../details/reason.ts";
import type { Selection } from "../state.ts";
import type { Hit } from "./hit.ts";
import { groupCountsIn } from "./group_pixels.ts";
import { groupLabel, groupOfLane, groupsOf } from "./lane_groups.ts";
import { LanePixels } from "./lane_pixels.ts";
import type { ProfilePixels, Spread } from "./profile_pixels.ts";
import { scaleOf, type Scene } from "./scene.ts";
import { TimeScale } from "./scale.ts";

const manyIntervals = 4; // under one pixel: too many to speak of one

function titled(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function intervalLines(scene: Scene, interval: number): string[] {
    const { execution, overview } = scene;
    const instant = instantsIn(scene.range);
    const begin = execution.intervalBegin[interval]!;
    const end = execution.intervalEnd(interval);
    const state = execution.intervalState[interval]!;
    const cpu = execution.intervalCpu[interval]!;
    const site = execution.intervalSite[interval]!;
    const object = execution.intervalObject[interval]!;
    return [
        `${titled(stateLabel(overview, state))} ${timeText(end - begin)}`,
        shortText(threadLabel(overview, execution.threadOfInterval(interval)), 60) + (cpu === noCpu ? "" : `, ${cpuLabel(overview, cpu)}`),
        ...(state === State.running ? [] : [reasonOf(execution, overview, interval)]),
        ...(object !== none && state === State.ready ? [shortText(objectLabel(overview, object), 60)] : []),
        ...(site === none ? [] : [`at ${shortText(siteLabel(overview, site), 60)}`]),
        `${instant(begin)} – ${instant(end)}`,
    ];
}

export function eventLines(scene: Scene, event: number): string[] {
    const { execution, overview } = scene;
    const object = execution.eventObject[event]!;
    const kind = execution.eventKind[event]!;
    const site = execution.eventSite[event]!;
    const label = namesThread(kind) ? threadName(overview, object, execution.threads) : object < execution.objects ? shortText(objectLabel(overview, object), 60) : "";
    return [
        titled((operationNames[kind] ?? "event").replaceAll("_", " ")) + (label ? `: ${label}` : ""),
        shortText(threadLabel(overview, execution.threadOfEvent(event)), 60),
        ...(site === none ? [] : [`at ${shortText(siteLabel(overview, site), 60)}`]),
        instantsIn(scene.range)(execution.eventTime[event]!),
    ];
}

export function messageLines(scene: Scene, message: number): string[] {
    const { execution, overview } = scene;
    const instant = instantsIn(scene.range);
    const rank = (thread: number) => shortText(threadLabel(overview, thread), 60);
    return [
        `Message of ${bytesText(execution.messageBytes[message]!)}, tag ${execution.messageTag[message]}`,
        `${rank(execution.messageFrom[message]!)} → ${rank(execution.messageTo[message]!)}`,
        delayText(execution, message),
        `${instant(execution.messageSent[message]!)} – ${instant(execution.messageReceived[message]!)}`,
    ];
}

function threadName(overview: Overview, thread: number, threads: number): string {
    return thread < threads ? shortText(threadLabel(overview, thread), 60) : "";
}

// What a column of many intervals consists of.
function columnLines(scene: Scene, thread: number, time: number, count: number): string[] {
    const scale = scaleOf(scene);
    const begin = time - scale.nsPerPixel / 2;
    const pixels = new LanePixels();
    pixels.measure(scene.execution, thread, new TimeScale([begin, begin + scale.nsPerPixel], 1));
    const shares = Array.from({ length: stateCount }, (_, state) => [state, pixels.shares[state] ?? 0] as const)
        .filter(([, share]) => share >= 0.005)
        .sort((a, b) => b[1] - a[1])
        .map(([state, share]) => `${stateLabel(scene.overview, state)} ${percentText(share)}`);
    return [
        `${countText(count)} intervals in ${timeText(scale.nsPerPixel)}`,
        shortText(threadLabel(scene.overview, thread), 60),
        ...(shares.length > 0 ? [shares.join(", ")] : []),
        `about ${instantsIn(scene.range)(time)}; zoom in to tell them apart`,
    ];
}

function laneLines(scene: Scene, hit: Hit): string[] {
    const { execution } = scene;
    if (hit.event !== none) {
        return eventLines(scene, hit.event);
    }
    if (hit.message !== none) {
        return messageLines(scene, hit.message);
    }
    const lane = hit.lane!.id;
    if (!scene.byCpu) {
        const half = scaleOf(scene).nsPerPixel / 2;
        const first = execution.laneFirst[lane]!;
        const last = execution.laneFirst[lane + 1]!;
        const count = firstAfter(execution.intervalBegin, hit.time + half, first, last) - firstAfter(execution.intervalBegin, hit.time - half, first, last);
        if (count > manyIntervals) {
            return columnLines(scene, lane, hit.time, count);
        }
    }
    return hit.interval === none ? [] : intervalLines(scene, hit.interval);
}

export function threadLines(scene: Scene, thread: number): string[] {
    const { execution, overview } = scene;
    const entry = overview.threads[thread];
    const life = execution.threadEnded[thread]! - execution.threadCreated[thread]!;
    const time = (state: number) => execution.timeInState(thread, state);
    const parts = Array.from({ length: stateCount }, (_, state) => state)
        .filter((state) => time(state) > 0)
        .sort((a, b) => time(b) - time(a))
        .map((state) => `${stateLabel(overview, state)} ${timeText(time(state))}${life > 0 ? ` (${percentText(time(state) / life)})` : ""}`);
    return [
        shortText(threadLabel(overview, thread)),
        ...(entry?.function && entry.function !== entry.name ? [shortText(entry.function)] : []),
        ...parts,
        counted(execution.laneFirst[thread + 1]! - execution.laneFirst[thread]!, "interval"),
    ];
}

function isGroup(scene: Scene, lane: number): boolean {
    return !scene.byCpu && groupOfLane(scene.execution, lane) !== null;
}

// `time`: null: over what is shown.
function groupLines(scene: Scene, lane: number, time: number | null): string[] {
    const { execution, overview } = scene;
    const group = groupOfLane(execution, lane)!;
    const { members, pathTime } = groupsOf(execution);
    const half = scaleOf(scene).nsPerPixel / 2;
    const [from, to] = time === null ? scene.range : [time - half, time + half];
    const { running, ready, waiting } = groupCountsIn(execution, group, from, to);
    const onPath = members[group]!.reduce((sum, thread) => sum + pathTime[thread]!, 0);
    return [
        shortText(groupLabel(overview, execution, group), 60),
        `running ${threeDigits(running)}, ready ${threeDigits(ready)}, waiting ${threeDigits(waiting)}${time === null ? " on average" : ""}`,
        ...(onPath > 0 ? [`${percentText(onPath / Math.max(1, execution.totals.completion))} of the critical path`] : []),
        `click: ${scene.state.unfolded.includes(group) ? "one lane for all" : `a lane for each ${laneWord(overview)}`}`,
    ];
}

function profileLines(scene: Scene, profile: ProfilePixels, column: number): string[] {
    if (!(profile.running.max[column]! >= profile.running.min[column]!)) {
        return [];
    }
    const range = (spread: Spread) => {
        const [min, mean, max] = [spread.min[column]!, spread.mean[column]!, spread.max[column]!];
        return max - min < 1e-6 ? threeDigits(mean) : `${threeDigits(mean)} on average, ${threeDigits(min)} to ${threeDigits(max)}`;
    };
    return [
        `Running: ${range(profile.running)}`,
        `Ready, no CPU: ${range(profile.ready)}`,
        `Running or ready: at most ${threeDigits(profile.togetherMax[column]!)}`,
        `Waiting: ${range(profile.waiting)}`,
        `of ${counted(scene.execution.totals.cpus, "CPU")}, in ${timeText(scaleOf(scene).nsPerPixel)}`,
    ];
}

export function linesAt(scene: Scene, hit: Hit, profile: ProfilePixels, column: number): string[] {
    switch (hit.place) {
        case "lanes":
            return hit.lane ? (isGroup(scene, hit.lane.id) ? groupLines(scene, hit.lane.id, hit.time) : laneLines(scene, hit)) : [];
        case "label":
            return hit.lane && !scene.byCpu ? (isGroup(scene, hit.lane.id) ? groupLines(scene, hit.lane.id, null) : threadLines(scene, hit.lane.id)) : [];
        case "profile":
            return profileLines(scene, profile, column);
        default:
            return [];
    }
}

// For those who do not see the screen: what was selected.
export function spoken(scene: Scene, selection: Selection | null): string {
    const { execution } = scene;
    if (selection?.kind === "interval" && selection.index < execution.intervals) {
        return intervalLines(scene, selection.index).join(". ");
    }
    if (selection?.kind === "event" && selection.index < execution.events) {
        return eventLines(scene, selection.index).join(". ");
    }
    if (selection?.kind === "thread" && selection.index < execution.threads) {
        return threadLines(scene, selection.index).join(". ");
    }
    return "";
}
