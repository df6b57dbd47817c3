// From one range to another, so that the eye can follow.

import type { Range } from "../state.ts";

export interface Glide {
    readonly from: Range;
    readonly to: Range;
    readonly begun: number; // ms
}

const glideTime = 140; // ms

export function glidedRange({ from, to, begun }: Glide, now: number): { readonly range: Range; readonly isOver: boolean } {
    const share = Math.min(1, Math.max(0, (now - begun) / glideTime));
    if (share >= 1) {
        return { range: to, isOver: true };
    }
    const eased = 1 - (1 - share) ** 3;
    // Spans change by factors, so that no part of the way seems faster.
    const span = (from[1] - from[0]) * ((to[1] - to[0]) / (from[1] - from[0])) ** eased;
    const along = Math.abs(to[1] - to[0] - (from[1] - from[0])) < 1e-6 ? eased : (span - (from[1] - from[0])) / (to[1] - to[0] - (from[1] - from[0]));
    const begin = from[0] + (to[0] - from[0]) * along;
    return { range: [begin, begin + span], isOver: false };
}
