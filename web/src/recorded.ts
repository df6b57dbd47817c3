// The recorded execution on one CPU, asked for like a replay: it stands where the name of a scheduler stands.

import type { Overview } from "./overview.ts";

export const recorded = "recorded";

export function isRecorded(request: { readonly scheduler: string }): boolean {
    return request.scheduler === recorded;
}

export function offersRecorded({ capabilities }: Overview): boolean {
    return capabilities.recorded;
}
