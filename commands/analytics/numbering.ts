/** Numbers for ids of 16 bytes. A map of strings would take several times as long for millions of them. */

const WORDS = 4;
const NONE = -1;

const twice = (values: Int32Array): Int32Array<ArrayBuffer> => {
  const longer = new Int32Array(values.length * 2);
  longer.set(values);
  return longer;
};

/** Open addressing: an id lies in the first free place from the one that follows from its bits. */
export class Numbering {
  private count = 0;
  /** Of each number, its id. */
  private ids = new Int32Array(1_024 * WORDS);
  /** Numbers. At most half of the places are taken. */
  private places = new Int32Array(2_048).fill(NONE);

  /** The number of the id at an offset, from 0 in the order in which ids are first seen. */
  of(bytes: DataView, offset: number): number {
    const a = bytes.getInt32(offset);
    const b = bytes.getInt32(offset + 4);
    const c = bytes.getInt32(offset + 8);
    const d = bytes.getInt32(offset + 12);
    const { ids, places } = this;
    const mask = places.length - 1;
    let place = hashed(a, b, c, d) & mask;
    for (let number = places[place] as number; number !== NONE; number = places[place] as number) {
      const at = number * WORDS;
      if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c && ids[at + 3] === d) return number;
      place = (place + 1) & mask;
    }
    return this.add(place, [a, b, c, d]);
  }

  private add(place: number, id: readonly [number, number, number, number]): number {
    const number = this.count;
    this.count += 1;
    this.ids.set(id, number * WORDS);
    this.places[place] = number;
    if (this.count * 2 === this.places.length) this.grow();
    return number;
  }

  private grow(): void {
    this.ids = twice(this.ids);
    const { ids } = this;
    const places = new Int32Array(this.places.length * 2).fill(NONE);
    const mask = places.length - 1;
    for (let number = 0; number < this.count; number += 1) {
      const [a = 0, b = 0, c = 0, d = 0] = ids.subarray(number * WORDS, (number + 1) * WORDS);
      let place = hashed(a, b, c, d) & mask;
      while (places[place] !== NONE) place = (place + 1) & mask;
      places[place] = number;
    }
    this.places = places;
  }
}

const hashed = (a: number, b: number, c: number, d: number): number => {
  const mixed = Math.imul(Math.imul(Math.imul(a, 31) + b, 31) + c, 31) + d;
  const spread = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return spread ^ (spread >>> 16);
};
