// How far are the runs that the page was opened before? Asks the server again and again, hands over each time that is
// known, and in the end the whole overview.

import type { Command, Progress, Source } from "./source.ts";

const pause = 300; // ms between two questions

export interface Follower {
    readonly shows: (progress: Progress) => void;
    readonly completed: () => Promise<void>; // the overview can be asked for once more
}

export class RunsInProgress {
    private readonly ask: (command: Command) => Promise<Progress>;
    private readonly follower: Follower;
    private timer: ReturnType<typeof setTimeout> | undefined;

    // REQUIRES: the source has progress
    constructor(source: Source, follower: Follower) {
        this.ask = source.progress!;
        this.follower = follower;
        void this.follow("");
    }

    // Pauses the runs, or lets them go on.
    command(command: Command): void {
        clearTimeout(this.timer);
        void this.follow(command);
    }

    private async follow(command: Command): Promise<void> {
        let progress: Progress;
        try {
            progress = await this.ask(command);
        } catch (error) {
            this.follower.shows({ ...nothing, error: error instanceof Error ? error.message : String(error) });
            return;
        }
        this.follower.shows(progress);
        if (progress.complete) {
            await this.follower.completed();
        } else if (progress.error === null) {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => void this.follow(""), pause);
        }
    }
}

const nothing: Progress = { complete: false, known: false, paused: false, error: null, cpus: [], running: [], points: [], range_replays: null };
