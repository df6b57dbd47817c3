// Which tasks are there, and which waits for which? By groups, since there can be a million tasks.

export interface GroupsDocument {
    readonly first_task: readonly number[];
    readonly names: readonly string[];
    readonly first_successor: readonly number[];
    readonly successors: readonly number[];
}

// Each task of a group waits for all tasks of every group before it.
export class TaskGroups {
    readonly count: number;
    private readonly firstTask: Uint32Array;
    private readonly names: readonly string[];
    private readonly after: Lists;
    private readonly before: Lists;

    constructor({ first_task, names, first_successor, successors }: GroupsDocument) {
        this.firstTask = Uint32Array.from(first_task);
        this.count = this.firstTask.length - 1;
        this.names = names;
        this.after = new Lists(Uint32Array.from(first_successor), Uint32Array.from(successors));
        this.before = this.after.reversed();
    }

    get tasks(): number {
        return this.firstTask[this.count]!;
    }
    firstOf(group: number): number {
        return this.firstTask[group]!;
    }
    endOf(group: number): number {
        return this.firstTask[group + 1]!;
    }
    sizeOf(group: number): number {
        return this.endOf(group) - this.firstOf(group);
    }
    successorsOf(group: number): Uint32Array {
        return this.after.of(group);
    }
    predecessorsOf(group: number): Uint32Array {
        return this.before.of(group);
    }

    groupOf(task: number): number {
        let low = 0;
        let high = this.count;
        while (low + 1 < high) {
            const middle = (low + high) >>> 1;
            if (this.firstTask[middle]! <= task) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    nameOf(group: number): string {
        const first = this.firstOf(group);
        return this.names[group] || (this.sizeOf(group) === 1 ? `task ${first}` : `tasks ${first} to ${this.endOf(group) - 1}`);
    }

    // As `parcast export` names it: "roots 3" is the third task of the group.
    nameOfTask(task: number): string {
        const group = this.groupOf(task);
        if (!this.names[group]) {
            return `task ${task}`;
        }
        return this.sizeOf(group) === 1 ? this.names[group]! : `${this.names[group]} ${task - this.firstOf(group) + 1}`;
    }
}

class Lists {
    constructor(
        private readonly first: Uint32Array,
        private readonly items: Uint32Array,
    ) {}

    of(list: number): Uint32Array {
        return this.items.subarray(this.first[list]!, this.first[list + 1]!);
    }

    reversed(): Lists {
        const first = new Uint32Array(this.first.length);
        for (const item of this.items) {
            ++first[item + 1]!;
        }
        for (let list = 1; list < first.length; ++list) {
            first[list]! += first[list - 1]!;
        }
        const next = first.slice();
        const items = new Uint32Array(this.items.length);
        for (let list = 0; list + 1 < this.first.length; ++list) {
            for (const item of this.of(list)) {
                items[next[item]!++] = list;
            }
        }
        return new Lists(first, items);
    }
}
