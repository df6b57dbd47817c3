// Which lanes are there, in which order, and where does each part of the timeline lie? All pure. Lengths are CSS px.

export interface LaneChoice {
    readonly pinned: readonly number[];
    readonly hidden: readonly number[];
    readonly order: readonly number[];
}

export interface LaneOrder {
    readonly pinned: readonly number[];
    readonly others: readonly number[];
    readonly hiddenCount: number;
    readonly idleCount: number; // hidden because they do nothing in the range
}

// Lanes that were moved come first, in their order; the others by id.
// `lanes`: how many, or all in their order. A lane can be pinned that is not among them.
export function laneOrder(lanes: number | readonly number[], choice: LaneChoice, isIdle: (lane: number) => boolean, most = typeof lanes === "number" ? lanes : lanes.length): LaneOrder {
    const known = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id < most);
    const pinned = known(choice.pinned);
    const hidden = new Set(known(choice.hidden).filter((id) => !pinned.includes(id)));
    const placed = new Set([...pinned, ...hidden]);
    const sequence = typeof lanes === "number" ? Array.from({ length: lanes }, (_, id) => id) : lanes;
    const moved = known(choice.order).filter((id) => !placed.has(id));
    moved.forEach((id) => placed.add(id));
    const rest = sequence.filter((id) => !placed.has(id));
    const all = [...moved, ...rest];
    const others = all.filter((id) => !isIdle(id));
    return { pinned, others, hiddenCount: hidden.size, idleCount: all.length - others.length };
}

// The lane shown above or below one, which may be hidden itself: of `all`, in the order in which they would stand.
export function laneBeside(all: readonly number[], shown: readonly number[], from: number, by: 1 | -1): number | undefined {
    const isShown = new Set(shown);
    const candidates = all.filter((lane) => lane === from || isShown.has(lane));
    const at = candidates.indexOf(from);
    if (at < 0) {
        return candidates[0];
    }
    return candidates[at + by] ?? (isShown.has(from) ? from : candidates[at - by]);
}

// The order to keep so that `lane` stands at `place` of the lanes shown: no longer than needed.
export function orderAfterMove(shown: readonly number[], lane: number, place: number): number[] {
    const without = shown.filter((id) => id !== lane);
    const next = [...without.slice(0, place), lane, ...without.slice(place)];
    let kept = next.length;
    while (kept > 0 && (kept === next.length || next[kept - 1]! < next[kept]!)) {
        --kept;
    }
    return next.slice(0, kept);
}

export interface Band {
    readonly top: number;
    readonly height: number;
}

export interface Layout {
    readonly width: number;
    readonly height: number;
    readonly gutter: number; // width of the labels
    readonly plot: number; // width of the time area
    readonly minimap: Band;
    readonly axis: Band;
    readonly profile: Band;
    readonly pinned: Band;
    readonly lanes: Band; // what is seen of the scrolled lanes
    readonly laneHeight: number;
    readonly contentHeight: number; // of the scrolled lanes
}

export const scrollbarWidth = 10;
const besideLabel = 56; // px for the share that a thread works
const mostGutter = 0.28; // of the width

// `label`: width of the widest name, which the names get as far as time has room enough.
export function layoutOf(width: number, height: number, pinned: number, others: number, label = 0): Layout {
    const usual = Math.min(180, Math.max(64, width * 0.16));
    const gutter = Math.round(Math.max(usual, Math.min(label + besideLabel, width * mostGutter)));
    const isLow = height < 230;
    const minimap = { top: 0, height: isLow ? 0 : 26 };
    const axis = { top: minimap.height, height: 22 };
    const profile = { top: axis.top + axis.height, height: isLow ? 34 : Math.min(84, Math.max(48, Math.round(height * 0.16))) };
    const lanesTop = profile.top + profile.height + 4;
    const available = Math.max(0, height - lanesTop);
    const laneHeight = Math.max(18, Math.min(34, Math.floor(available / Math.max(1, pinned + others))));
    const pinnedHeight = Math.min(pinned * laneHeight + (pinned > 0 ? 4 : 0), Math.floor(available * 0.6));
    const top = lanesTop + pinnedHeight;
    return {
        width,
        height,
        gutter,
        plot: Math.max(1, width - gutter),
        minimap,
        axis,
        profile,
        pinned: { top: lanesTop, height: pinnedHeight },
        lanes: { top, height: Math.max(0, height - top) },
        laneHeight,
        contentHeight: others * laneHeight,
    };
}

export function mostScroll(layout: Layout): number {
    return Math.max(0, layout.contentHeight - layout.lanes.height);
}

export interface LaneAt {
    readonly id: number;
    readonly place: number; // among the pinned, or the others
    readonly isPinned: boolean;
    readonly top: number;
}

export function laneAt(layout: Layout, order: LaneOrder, scroll: number, y: number): LaneAt | null {
    const pinnedY = y - layout.pinned.top;
    if (pinnedY >= 0 && pinnedY < layout.pinned.height) {
        const place = Math.floor(pinnedY / layout.laneHeight);
        const id = order.pinned[place];
        return id === undefined ? null : { id, place, isPinned: true, top: layout.pinned.top + place * layout.laneHeight };
    }
    const within = y - layout.lanes.top;
    if (within < 0 || within >= layout.lanes.height) {
        return null;
    }
    const place = Math.floor((within + scroll) / layout.laneHeight);
    const id = order.others[place];
    return id === undefined ? null : { id, place, isPinned: false, top: layout.lanes.top + place * layout.laneHeight - scroll };
}

// Every lane that is seen, if only in part.
export function visibleLanes(layout: Layout, order: LaneOrder, scroll: number): LaneAt[] {
    const { laneHeight } = layout;
    const pinned = order.pinned
        .map((id, place) => ({ id, place, isPinned: true, top: layout.pinned.top + place * laneHeight }))
        .filter((lane) => lane.top < layout.pinned.top + layout.pinned.height);
    const first = Math.floor(scroll / laneHeight);
    const last = Math.min(order.others.length, Math.ceil((scroll + layout.lanes.height) / laneHeight));
    const others = order.others
        .slice(first, last)
        .map((id, i) => ({ id, place: first + i, isPinned: false, top: layout.lanes.top + (first + i) * laneHeight - scroll }));
    return [...pinned, ...others];
}

// Where a lane would lie, seen or not; null if it is not shown.
export function topOfLane(layout: Layout, order: LaneOrder, scroll: number, id: number): number | null {
    const pinned = order.pinned.indexOf(id);
    if (pinned >= 0) {
        return layout.pinned.top + pinned * layout.laneHeight;
    }
    const place = order.others.indexOf(id);
    return place < 0 ? null : layout.lanes.top + place * layout.laneHeight - scroll;
}

// The scroll that shows a lane wholly, no further away than needed.
export function scrollTo(layout: Layout, order: LaneOrder, scroll: number, id: number): number {
    const place = order.others.indexOf(id);
    if (place < 0) {
        return scroll;
    }
    const top = place * layout.laneHeight;
    const least = top + layout.laneHeight - layout.lanes.height;
    return Math.max(0, Math.min(mostScroll(layout), Math.max(least, Math.min(scroll, top))));
}
