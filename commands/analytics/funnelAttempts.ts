/**
 * The attempts at a funnel of some people, folded from steps in the order in which they happened: one pass, however long the
 * period. What it remembers is a few numbers for each person and each attempt.
 */
import type { PackedSteps } from './funnelSql.ts';
import type { FunnelTally } from './funnelTally.ts';
import { Numbering } from './numbering.ts';
import type { FunnelQuery } from './store.ts';

const NONE = -1;

/** PostgreSQL counts microseconds since 2000. */
const EPOCH_US = Date.UTC(2000, 0, 1) * 1_000;
const microsecondsAt = (bytes: DataView, offset: number): number =>
  bytes.getInt32(offset) * 2 ** 32 + bytes.getUint32(offset + 4) + EPOCH_US;
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
const ID_BYTES = 16;

/** Numbers in rows of the same width; a new row is full of `empty`. */
class Rows {
  private count = 0;
  private values: Float64Array;
  private readonly width: number;
  private readonly empty: number;
  constructor(width: number, empty: number) {
    this.width = width;
    this.empty = empty;
    this.values = new Float64Array(1_024 * width).fill(empty);
  }
  /** @returns the number of the new row */
  add(): number {
    this.count += 1;
    this.reach(this.count - 1);
    return this.count - 1;
  }
  /** Makes room for this row. */
  reach(row: number): void {
    let { length } = this.values;
    while (length < (row + 1) * this.width) length *= 2;
    if (length === this.values.length) return;
    const longer = new Float64Array(length).fill(this.empty);
    longer.set(this.values);
    this.values = longer;
  }
  get(row: number, column: number): number {
    return this.values[row * this.width + column] as number;
  }
  set(row: number, column: number, value: number): void {
    this.values[row * this.width + column] = value;
  }
}

const smaller = (a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
};

/** The steps of a slice, in columns. `packed`: of which value they were. */
const unpacked = (slice: readonly PackedSteps[], people: Numbering) => {
  const length = slice.reduce((sum, { accounts }) => sum + accounts.length / ID_BYTES, 0);
  const [person, packed, at] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
  let row = 0;
  slice.forEach((steps, n) => {
    const [accounts, happened] = [viewOf(steps.accounts), viewOf(steps.at)];
    const count = steps.accounts.length / ID_BYTES;
    for (let k = 0; k < count; k += 1, row += 1) {
      person[row] = people.of(accounts, k * ID_BYTES);
      at[row] = microsecondsAt(happened, k * 8);
      packed[row] = n;
    }
  });
  return { person, at, packed };
};

const of = (values: ArrayLike<number>, n: number): number => values[n] as number;

/**
 * The places of the steps of a slice in the order of `at`, and of `next` where that is the same. Numbers are sorted many times
 * faster than by a function that compares, so each time gets its own number as its last digits. Times for which the digits do
 * not suffice are rounded, and those that are the same then are compared.
 */
const sorted = (at: Float64Array, next: (a: number, b: number) => number): Float64Array => {
  const { length } = at;
  const first = at.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const span = at.reduce((most, each) => Math.max(most, each - first), 0) + 1;
  const unit = Math.ceil((span * length) / Number.MAX_SAFE_INTEGER);
  const rounded = (n: number): number => Math.floor((of(at, n) - first) / unit);
  const order = at.map((_, n) => rounded(n) * length + n).sort();
  for (let k = 0; k < length; k += 1) order[k] = of(order, k) % length;
  for (let from = 0; from < length; ) {
    const same = rounded(of(order, from));
    let to = from + 1;
    while (to < length && rounded(of(order, to)) === same) to += 1;
    if (to > from + 1) order.subarray(from, to).sort((a, b) => of(at, a) - of(at, b) || next(a, b));
    from = to;
  }
  return order;
};

/** Of the people of one part. */
export interface FunnelAttempts {
  /** Takes the steps of a slice of time. Slices come in their order. */
  take(slice: readonly PackedSteps[]): void;
  countInto(tally: FunnelTally): void;
}

export const foldAttempts = ({ steps: { length: width }, windowS, from, to, mode }: FunnelQuery): FunnelAttempts => {
  const [start, end, windowUs] = [Date.parse(from) * 1_000, Date.parse(to) * 1_000, windowS * 1_000_000];
  const people = new Numbering();
  /** Of each person and step: the attempt that was the last to reach it. */
  const latest = new Rows(width, NONE);
  /** Of each attempt and step: when it was reached, in microseconds since 1970. */
  const reached = new Rows(width, Number.NaN);
  const personOf: number[] = [];
  const groupOf: (string | null)[] = [];

  const begin = (person: number, at: number, group: string | null): void => {
    const last = latest.get(person, 0);
    if (last !== NONE && reached.get(last, 0) === at) {
      groupOf[last] = smaller(groupOf[last] as string | null, group);
      return;
    }
    const attempt = reached.add();
    reached.set(attempt, 0, at);
    personOf.push(person);
    groupOf.push(group);
    latest.set(person, 0, attempt);
  };

  const carryOn = (person: number, step: number, at: number): void => {
    const attempt = latest.get(person, step - 1);
    if (attempt === NONE || at - reached.get(attempt, 0) > windowUs) return;
    if (Number.isNaN(reached.get(attempt, step))) reached.set(attempt, step, at);
    latest.set(person, step, attempt);
  };

  const depthOf = (attempt: number): number => {
    let depth = width;
    while (Number.isNaN(reached.get(attempt, depth - 1))) depth -= 1;
    return depth;
  };

  /** Of each person the attempt that got farthest, the earliest of those. Attempts are in the order of their beginning. */
  const farthest = (): Iterable<number> => {
    const best = new Map<number, number>();
    personOf.forEach((person, attempt) => {
      const other = best.get(person);
      if (other === undefined || depthOf(attempt) > depthOf(other)) best.set(person, attempt);
    });
    return best.values();
  };

  return {
    take: (slice) => {
      const { person, at, packed } = unpacked(slice, people);
      const stepOf = (n: number): number => (slice[of(packed, n)] as PackedSteps).step;
      const order = sorted(at, (a, b) => stepOf(a) - stepOf(b));
      for (const n of order) {
        const { step, grp } = slice[of(packed, n)] as PackedSteps;
        latest.reach(of(person, n));
        const when = of(at, n);
        if (step > 0) carryOn(of(person, n), step, when);
        else if (when >= start && when < end) begin(of(person, n), when, grp);
      }
    },
    countInto: (tally) => {
      for (const attempt of mode === 'any' ? personOf.keys() : farthest()) {
        const group = tally.of(groupOf[attempt] as string | null);
        group.begun += 1;
        for (let step = 1; step < width && !Number.isNaN(reached.get(attempt, step)); step += 1)
          group.seconds[step - 1]?.push((reached.get(attempt, step) - reached.get(attempt, step - 1)) / 1_000_000);
      }
    },
  };
};
