import { LRUCache } from 'lru-cache';

interface Place {
  readonly stream: string;
  readonly revision: number;
}

/** Remembers where the latest events were first written, by id, and forgets the oldest beyond `capacity`. */
export class RecentIds {
  readonly #places: LRUCache<string, Place>;

  constructor(capacity = 65_536) {
    this.#places = new LRUCache({ max: capacity });
  }

  add(stream: string, id: string, revision: number): void {
    if (!this.#places.has(id)) this.#places.set(id, { stream, revision });
  }

  /** The revision of the event in this stream; undefined when the event is not remembered. */
  revision(stream: string, id: string): number | undefined {
    const place = this.#places.peek(id);
    return place?.stream === stream ? place.revision : undefined;
  }
}
