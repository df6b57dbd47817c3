// The executions that were looked at last: few, and not too large, so that going back to one takes no time.

import type { Execution } from "./execution.ts";

const most = 4;
const mostBytes = 400e6; // of executions that are not shown
const shown = 2; // the newest, which are on screen, are kept in any case

export class KeptExecutions {
    private readonly executions = new Map<string, Execution>(); // the newest last

    get(key: string): Execution | undefined {
        return this.executions.get(key);
    }

    keep(key: string, execution: Execution): void {
        this.executions.delete(key);
        this.executions.set(key, execution);
        let bytes = 0;
        for (const [i, [old, { byteLength }]] of [...this.executions].reverse().entries()) {
            bytes += byteLength;
            if (i >= shown && (i >= most || bytes > mostBytes)) {
                this.executions.delete(old);
            }
        }
    }

    clear(): void {
        this.executions.clear();
    }
}
