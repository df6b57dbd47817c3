// The timeline as a component: mounts it once, and tells it what changes.

import { useEffect, useRef } from "preact/hooks";
import { mountTimeline, type TimelineHandle } from "./timeline/index.ts";
import type { TimelineInputs } from "./timeline/timeline_inputs.ts";

interface Props extends TimelineInputs {
    readonly label: string;
    readonly stale: boolean;
    readonly handle: (handle: TimelineHandle | null) => void;
}

export function TimelineView({ label, stale, handle, ...inputs }: Props) {
    const container = useRef<HTMLDivElement>(null);
    const mounted = useRef<TimelineHandle | null>(null);
    useEffect(() => {
        mounted.current = mountTimeline(container.current!, inputs);
        handle(mounted.current);
        return () => {
            mounted.current?.destroy();
            mounted.current = null;
            handle(null);
        };
    }, [inputs.store]);
    const { execution, overview, scheme, whole, beside, reducedMotion, weights } = inputs;
    const isFirst = useRef(true);
    useEffect(() => {
        if (isFirst.current) {
            isFirst.current = false;
            return;
        }
        mounted.current?.update(inputs);
    }, [execution, overview, scheme, whole, beside?.execution, reducedMotion, weights]);
    return <div class={stale ? "timeline stale" : "timeline"} ref={container} role="region" aria-label={label} aria-busy={stale} />;
}
