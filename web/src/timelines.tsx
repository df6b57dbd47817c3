// The timelines of one or two executions.

import type { Handles } from "./chrome/exports.ts";
import { labelOf } from "./first_screen/overview_section.tsx";
import { useMedia } from "./hooks.ts";
import type { Place } from "./places.ts";
import type { Scheme } from "./theme/palette.ts";
import type { Lanes } from "./timeline/timeline_inputs.ts";
import { TimelineView } from "./timeline_view.tsx";
import type { Workbench } from "./workbench.ts";
import { isOld } from "./wished_execution.ts";

function lanesOf(place: Place | undefined): Lanes | null {
    const execution = place?.shown.execution;
    return execution ? { execution, overview: place.bench.overview } : null;
}

interface TimelinesProps {
    readonly workbench: Workbench;
    readonly upper: Place;
    readonly lower: Place | null;
    readonly scheme: Scheme;
    readonly handles: Handles;
}

// One above the other, on one scale: that of the longer one.
export function Timelines({ workbench, upper, lower, scheme, handles }: TimelinesProps) {
    const reducedMotion = useMedia("(prefers-reduced-motion: reduce)");
    const places = [upper, lower].filter((place) => place !== null);
    const whole = Math.max(1, ...places.map((place) => place.shown.execution?.totals.completion ?? 0));
    return (
        <div class="timelines">
            {!upper.shown.execution && !upper.shown.error && <p class="empty">The timeline is being made …</p>}
            {places.map(
                ({ shown, bench, store }, i) =>
                    shown.execution && [
                        lower && (
                            <div key={`strip ${i}`} class="strip">
                                {labelOf(bench, shown)}
                            </div>
                        ),
                        <TimelineView
                            key={`timeline ${i}`}
                            label={i === 0 ? "Timeline" : "Timeline below"}
                            stale={isOld(shown)}
                            execution={shown.execution}
                            overview={bench.overview}
                            store={store}
                            scheme={scheme}
                            whole={whole}
                            beside={lanesOf(places[1 - i])}
                            reducedMotion={reducedMotion}
                            weights={workbench.operationWeightsOf(shown)}
                            handle={(handle) => {
                                handles[i === 0 ? "upper" : "lower"] = handle;
                            }}
                        />,
                    ],
            )}
        </div>
    );
}
