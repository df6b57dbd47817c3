// Does what was measured agree with what is predicted? A sentence on it, for the count that is looked at or, if nothing
// was measured there, for the one where they differ most.

import { counted, percentText, speedUpText } from "./format.ts";
import type { MeasuredPoint } from "./overview.ts";

export interface SpeedUpAt {
    readonly cpus: number;
    readonly speedUp: number;
}

export interface MeasuredSentence {
    readonly text: string;
    readonly contradicts: boolean; // the prediction
    readonly explanation: readonly string[]; // the largest reasons of the difference; sentences
}

const mostReasons = 1; // there is room for
const notable = 0.05; // of the measured speed-up: a smaller difference is no contradiction

// Predicted over measured, minus 1, where the prediction lies outside what was measured; else 0.
function differenceAt(point: MeasuredPoint, predicted: number): number {
    const isWithin = predicted >= point.low && predicted <= point.high;
    return isWithin ? 0 : predicted / point.speed_up - 1;
}

// `predicted`: speed-ups over one CPU. None if nothing was measured, or only what nobody predicted.
export function measuredSentence(measured: readonly MeasuredPoint[], predicted: readonly SpeedUpAt[], cpus: number): MeasuredSentence | null {
    const compared = measured.flatMap((point) => {
        const there = predicted.find((each) => each.cpus === point.cpus);
        return there ? [{ point, speedUp: there.speedUp, difference: differenceAt(point, there.speedUp) }] : [];
    });
    const here = compared.find(({ point }) => point.cpus === cpus);
    const worst = compared.reduce<(typeof compared)[number] | null>((most, each) => (most && Math.abs(most.difference) >= Math.abs(each.difference) ? most : each), null);
    const said = here ?? worst;
    if (!said) {
        return null;
    }
    const { point, speedUp, difference } = said;
    const contradicts = Math.abs(difference) >= notable;
    const real = `On ${counted(point.cpus, "CPU")} it was measured ${speedUpText(point.speed_up)} times as fast as on one (${speedUpText(point.low)} to ${speedUpText(point.high)})`;
    const text = contradicts
        ? `${real}: the prediction of ${speedUpText(speedUp)} is ${percentText(Math.abs(difference))} too ${difference > 0 ? "high" : "low"}.`
        : `${real}, predicted ${speedUpText(speedUp)}.`;
    return { text, contradicts, explanation: contradicts ? point.explanation.slice(0, mostReasons) : [] };
}
