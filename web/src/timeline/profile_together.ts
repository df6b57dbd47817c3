// How many threads ran or were ready at one instant, at most? The pyramid that comes with an execution has the most of
// each, and these need not be at the same time. Cost: a pass over the steps the first time; 4 bytes a node.

import { pyramidFactor, type Execution } from "../execution.ts";

export interface Together {
    readonly nodes: Float32Array; // the most of each node, as in profileMax
    readonly most: number; // of the whole run
    readonly mostWithWaiting: number; // the threads that waited counted as well
}

const known = new WeakMap<Execution, Together>();

export function togetherOf(execution: Execution): Together {
    let together = known.get(execution);
    if (!together) {
        known.set(execution, (together = made(execution)));
    }
    return together;
}

function made(execution: Execution): Together {
    const { profileRunning, profileReady, profileWaiting, profilePyramidFirst } = execution;
    const nodes = new Float32Array(execution.profileMax.length);
    const steps = profileRunning.length;
    const leaves = Math.min(nodes.length, Math.ceil(steps / pyramidFactor));
    for (let node = 0; node < leaves; ++node) {
        let most = 0;
        const last = Math.min(steps, (node + 1) * pyramidFactor);
        for (let step = node * pyramidFactor; step < last; ++step) {
            most = Math.max(most, profileRunning[step]! + profileReady[step]!);
        }
        nodes[node] = most;
    }
    for (let level = 1; level + 1 < profilePyramidFirst.length; ++level) {
        const [below, first, last] = [profilePyramidFirst[level - 1]!, profilePyramidFirst[level]!, profilePyramidFirst[level + 1]!];
        for (let child = below; child < first; ++child) {
            const at = first + Math.floor((child - below) / pyramidFactor);
            if (at < last && nodes[child]! > nodes[at]!) {
                nodes[at] = nodes[child]!;
            }
        }
    }
    const only = steps === 1 ? profileRunning[0]! + profileReady[0]! : 0; // which needs no node
    const mostWithWaiting = profileWaiting.reduce((most, waiting, step) => Math.max(most, profileRunning[step]! + profileReady[step]! + waiting), 0);
    return { nodes, most: nodes.length > 0 ? nodes[nodes.length - 1]! : only, mostWithWaiting };
}
