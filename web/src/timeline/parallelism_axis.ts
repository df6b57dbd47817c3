// How far up does the parallelism go, and which numbers of threads stand beside it? Up to the most that ran or were ready
// together in the whole run. Only where so many were ready that those that run would be too flat to see is it cut, and
// says so. Threads that waited make it higher only up to twice the processors.

import { niceStep } from "./ticks.ts";

export interface ParallelismAxis {
    readonly top: number; // threads at its upper end
    readonly most: number; // that ran or were ready together
    readonly isCut: boolean; // more are ready somewhere than are drawn
    readonly ticks: readonly number[]; // rising, 0 and top among them
}

const flattest = 4; // px that as many threads as there are processors have at least
const leastGap = 14; // px between numbers

// REQUIRES: cpus >= 1, mostWithWaiting >= most.
export function parallelismAxis(cpus: number, most: number, mostWithWaiting: number, height: number): ParallelismAxis {
    const wanted = Math.max(cpus, Math.ceil(most));
    const room = Math.max(cpus, Math.floor((cpus * height) / flattest));
    const top = Math.min(room, Math.max(wanted, Math.min(Math.ceil(mostWithWaiting), 2 * cpus)));
    const perPixel = top / Math.max(1, height);
    const chosen = [0, top];
    const add = (threads: number) => {
        if (chosen.every((each) => Math.abs(each - threads) >= perPixel * leastGap - 1e-9)) {
            chosen.push(threads);
        }
    };
    add(cpus);
    const step = niceStep(perPixel * leastGap);
    for (let threads = step; threads < top; threads += step) {
        add(threads);
    }
    return { top, most: wanted, isCut: wanted > top, ticks: [...new Set(chosen)].sort((a, b) => a - b) };
}
