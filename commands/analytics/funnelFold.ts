/**
 * The funnel, folded from steps in the order in which they happened: one pass, however long the period. What it remembers is
 * a few numbers for each person and each attempt.
 */
import type { PackedSteps } from './funnelSql.ts';
import { Numbering } from './numbering.ts';
import type { FunnelGroup, FunnelQuery, FunnelStep } from './store.ts';

/** More groups than anybody reads. */
const MAX_GROUPS = 100;
const NONE = -1;

/** PostgreSQL counts microseconds since 2000. */
const EPOCH_US = Date.UTC(2000, 0, 1) * 1_000;
const microsecondsAt = (bytes: DataView, offset: number): number =>
  bytes.getInt32(offset) * 2 ** 32 + bytes.getUint32(offset + 4) + EPOCH_US;
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
const ID_BYTES = 16;

/** Numbers in rows of the same width; a new row is full of `empty`. */
class Rows<A extends Float64Array | Int32Array> {
  private count = 0;
  private values: A;
  private readonly width: number;
  private readonly empty: number;
  private readonly make: (length: number) => A;
  constructor(width: number, empty: number, make: (length: number) => A) {
    this.width = width;
    this.empty = empty;
    this.make = make;
    this.values = make(1_024 * width).fill(empty) as A;
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
    const longer = this.make(length).fill(this.empty) as A;
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

const median = (sorted: Float64Array): number | null => {
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

const byCount = (a: FunnelGroup, b: FunnelGroup): number => {
  const difference = (b.steps[0]?.count ?? 0) - (a.steps[0]?.count ?? 0);
  if (difference !== 0 || a.group === b.group) return difference;
  if (a.group === null || b.group === null) return a.group === null ? 1 : -1;
  return a.group < b.group ? -1 : 1;
};

/** The steps of an hour, in columns. `packed`: of which value they were. */
const unpacked = (hour: readonly PackedSteps[], people: Numbering) => {
  const length = hour.reduce((sum, { accounts }) => sum + accounts.length / ID_BYTES, 0);
  const [person, packed, seq] = [new Int32Array(length), new Int32Array(length), new Int16Array(length)];
  const [at, received] = [new Float64Array(length), new Float64Array(length)];
  let row = 0;
  hour.forEach((steps, n) => {
    const [accounts, happened] = [viewOf(steps.accounts), viewOf(steps.at)];
    const [arrived, place] = [viewOf(steps.received), viewOf(steps.seq)];
    const count = steps.accounts.length / ID_BYTES;
    for (let k = 0; k < count; k += 1, row += 1) {
      person[row] = people.of(accounts, k * ID_BYTES);
      at[row] = microsecondsAt(happened, k * 8);
      received[row] = microsecondsAt(arrived, k * 8);
      seq[row] = place.getInt16(k * 2);
      packed[row] = n;
    }
  });
  return { length, person, at, received, seq, packed };
};

const of = (values: ArrayLike<number>, n: number): number => values[n] as number;

export interface FunnelFold {
  /** Takes the steps of an hour. Hours come in their order. */
  take(hour: readonly PackedSteps[]): void;
  /** The largest groups first. */
  groups(): FunnelGroup[];
}

export const foldFunnel = ({ steps: { length: width }, windowS, from, to, mode }: FunnelQuery): FunnelFold => {
  const [start, end, windowUs] = [Date.parse(from) * 1_000, Date.parse(to) * 1_000, windowS * 1_000_000];
  const people = new Numbering();
  /** Of each person and step: the attempt that was the last to reach it. */
  const latest = new Rows(width, NONE, (length) => new Int32Array(length));
  /** Of each attempt and step: when it was reached, in microseconds since 1970. */
  const reached = new Rows(width, Number.NaN, (length) => new Float64Array(length));
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

  const stepOf = (attempts: readonly number[], step: number): FunnelStep => {
    const there = attempts.filter((attempt) => !Number.isNaN(reached.get(attempt, step)));
    if (step === 0) return { count: there.length, medianS: null };
    const seconds = (attempt: number) => (reached.get(attempt, step) - reached.get(attempt, step - 1)) / 1_000_000;
    return { count: there.length, medianS: median(Float64Array.from(there, seconds).sort()) };
  };

  return {
    take: (hour) => {
      const { length, person, at, received, seq, packed } = unpacked(hour, people);
      const inOrder = (a: number, b: number): number =>
        of(at, a) - of(at, b) || of(received, a) - of(received, b) || of(seq, a) - of(seq, b);
      const order = new Int32Array(length).map((_, n) => n).sort(inOrder);
      for (const n of order) {
        const { step, grp } = hour[of(packed, n)] as PackedSteps;
        latest.reach(of(person, n));
        const when = of(at, n);
        if (step > 0) carryOn(of(person, n), step, when);
        else if (when >= start && when < end) begin(of(person, n), when, grp);
      }
    },
    groups: () => {
      const attempts = new Map<string | null, number[]>();
      for (const attempt of mode === 'any' ? personOf.keys() : farthest()) {
        const group = groupOf[attempt] as string | null;
        const others = attempts.get(group);
        if (others) others.push(attempt);
        else attempts.set(group, [attempt]);
      }
      return [...attempts]
        .map(([group, own]) => ({ group, steps: Array.from({ length: width }, (_, step) => stepOf(own, step)) }))
        .toSorted(byCount)
        .slice(0, MAX_GROUPS);
    },
  };
};
