// Which threads have lanes, in which order, and in whose lane is a thread that has none?

import { none, type Execution } from "../execution.ts";
import type { Range, ViewState } from "../state.ts";
import { arrangedLanes, isEmptied } from "./lane_groups.ts";
import { isActive } from "./lane_pixels.ts";
import { laneOrder, type LaneOrder } from "./layout.ts";

// Lanes that do nothing within the range can be hidden.
export function threadOrder(execution: Execution, state: ViewState, [begin, end]: Range, isGrouped: boolean): LaneOrder {
    const isIdle = (lane: number) => state.hideIdle && lane < execution.threads && !isActive(execution, lane, begin, end);
    const hidden = new Set(state.hidden);
    const lanes = arrangedLanes(execution, state).filter((lane) => !isEmptied(execution, lane, hidden));
    return laneOrder(lanes, isGrouped ? { ...state, order: [] } : state, isIdle, execution.threads);
}

export class ShownLanes {
    private of: LaneOrder | null = null;
    private lanes: ReadonlySet<number> = new Set();

    // Where a thread is drawn: in its own lane, or in that of its group.
    finder(execution: Execution, order: LaneOrder): (lane: number) => number {
        if (this.of !== order) {
            this.of = order;
            this.lanes = new Set([...order.pinned, ...order.others]);
        }
        const { lanes } = this;
        return (lane) => {
            const group = execution.groupOf[lane] ?? none;
            return lanes.has(lane) || group === none ? lane : execution.threads + group;
        };
    }
}
