interface Place {
  readonly stream: string;
  readonly revision: number;
}

/** Remembers where the latest events were first written, by id, and forgets the oldest beyond `capacity`. */
export class RecentIds {
  /** In the order in which they were added. */
  readonly #places = new Map<string, Place>();
  readonly #capacity: number;

  constructor(capacity = 65_536) {
    this.#capacity = capacity;
  }

  add(stream: string, id: string, revision: number): void {
    if (this.#places.has(id)) return;
    this.#places.set(id, { stream, revision });
    if (this.#places.size <= this.#capacity) return;
    const [oldest] = this.#places.keys();
    if (oldest !== undefined) this.#places.delete(oldest);
  }

  /** The revision of the event in this stream; undefined when the event is not remembered. */
  revision(stream: string, id: string): number | undefined {
    const place = this.#places.get(id);
    return place?.stream === stream ? place.revision : undefined;
  }
}
