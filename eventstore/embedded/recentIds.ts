interface Place {
  readonly stream: string;
  readonly revision: number;
}

/**
 * Remembers where the latest events were written, by id: at least `capacity` of them, at most twice as many. The oldest
 * are forgotten a generation at a time, which costs nothing per write.
 */
export class RecentIds {
  readonly #capacity: number;
  #young = new Map<string, Place>();
  #old = new Map<string, Place>();

  constructor(capacity = 32_768) {
    this.#capacity = capacity;
  }

  add(stream: string, id: string, revision: number): void {
    this.#young.set(id, { stream, revision });
    if (this.#young.size < this.#capacity) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** The revision that the event got in this stream, if it is remembered. */
  revision(stream: string, id: string): number | undefined {
    const place = this.#young.get(id) ?? this.#old.get(id);
    return place?.stream === stream ? place.revision : undefined;
  }
}
