// One sentence over the lanes: about what is drawn, or for a moment about what was asked for.

const toldTime = 2500; // ms

export class Note {
    readonly element: HTMLElement;
    private lasting = "";
    private told = "";
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(element: HTMLElement) {
        this.element = element;
        element.setAttribute("role", "status");
        this.write();
    }

    destroy(): void {
        clearTimeout(this.timer);
    }

    show(sentence: string, left: number): void {
        this.lasting = sentence;
        this.element.style.left = `${left + 8}px`;
        this.write();
    }

    tell(sentence: string): void {
        this.told = sentence;
        this.write();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            this.told = "";
            this.write();
        }, toldTime);
    }

    private write(): void {
        const text = this.told || this.lasting;
        if (this.element.textContent !== text) {
            this.element.textContent = text;
        }
        this.element.classList.toggle("empty-note", text === "");
    }
}
