// What the selection and the search point out: arrows, and lanes that are lit. Found anew only when they change.

import type { Execution } from "../execution.ts";
import type { Overview } from "../overview.ts";
import type { Range, Selection } from "../state.ts";
import { flowsOf, type Flows } from "./flows.ts";
import { messageFlowsOf } from "./message_flows.ts";
import { litBy, type Scene } from "./scene.ts";
import { taskFlowsOf } from "./task_flows.ts";

export class Highlights {
    private lastFlows: { readonly selection: Selection | null; readonly of: Execution; readonly within: Range; readonly found: Flows } | null = null;
    private lastLit: { readonly selection: Selection | null; readonly search: string; readonly of: Overview; readonly found: Scene["lit"] } | null = null;

    // Those that end within the range.
    flows(execution: Execution, overview: Overview, selection: Selection | null, within: Range): Flows {
        const last = this.lastFlows;
        if (last?.selection === selection && last.of === execution && last.within === within) {
            return last.found;
        }
        const found = overview.graph
            ? taskFlowsOf(execution, overview.graph.groups, selection)
            : overview.messages
              ? messageFlowsOf(execution, overview.messages.cpusOfRank, selection, within)
              : flowsOf(execution, selection, within);
        this.lastFlows = { selection, of: execution, within, found };
        return found;
    }

    lit(overview: Overview, search: string, selection: Selection | null): Scene["lit"] {
        const last = this.lastLit;
        if (last?.selection === selection && last.search === search && last.of === overview) {
            return last.found;
        }
        const found = litBy(overview, search, selection);
        this.lastLit = { selection, search, of: overview, found };
        return found;
    }
}
