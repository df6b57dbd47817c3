// What data lie in the page? Elements <script type="application/octet-stream" id="...">, base64 of gzip.

export interface Embedded {
    has(id: string): boolean;
    ids(): readonly string[];
    bytes(id: string): Promise<ArrayBuffer>;
    text(id: string): Promise<string>;
    json<T>(id: string): Promise<T>;
}

export class EmbeddedElements implements Embedded {
    private readonly texts = new Map<string, string>();

    constructor(document: Document) {
        for (const element of document.querySelectorAll('script[type="application/octet-stream"][id]')) {
            this.texts.set(element.id, element.textContent ?? "");
            element.remove();
        }
    }

    has(id: string): boolean {
        return this.texts.has(id);
    }

    ids(): readonly string[] {
        return [...this.texts.keys()];
    }

    async bytes(id: string): Promise<ArrayBuffer> {
        const text = this.texts.get(id);
        if (text === undefined) {
            throw new Error(`This page has no ${id}.`);
        }
        return gunzipped(fromBase64(text));
    }

    async text(id: string): Promise<string> {
        return new TextDecoder().decode(await this.bytes(id));
    }

    async json<T>(id: string): Promise<T> {
        return JSON.parse(await this.text(id)) as T;
    }
}

const ofSecond = "b-"; // before the ids of what the second side of a comparison has

// The data of the second side. Both have one simulator.
export class SecondElements implements Embedded {
    private readonly all: Embedded;

    static areIn(all: Embedded): boolean {
        return all.has(`${ofSecond}overview`);
    }

    constructor(all: Embedded) {
        this.all = all;
    }

    has(id: string): boolean {
        return this.all.has(this.placed(id));
    }

    ids(): readonly string[] {
        return this.all.ids().filter((id) => id.startsWith(ofSecond)).map((id) => id.slice(ofSecond.length));
    }

    bytes(id: string): Promise<ArrayBuffer> {
        return this.all.bytes(this.placed(id));
    }

    text(id: string): Promise<string> {
        return this.all.text(this.placed(id));
    }

    json<T>(id: string): Promise<T> {
        return this.all.json<T>(this.placed(id));
    }

    private placed(id: string): string {
        return id === "module" ? id : ofSecond + id;
    }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    const letters = atob(text.trim());
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; ++i) {
        bytes[i] = letters.charCodeAt(i);
    }
    return bytes;
}

export async function gunzipped(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}
