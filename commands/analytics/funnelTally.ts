/** What a funnel answers: of each group, how many got to each step, and how long they took. */
import type { FunnelGroup, FunnelStep } from './store.ts';

/** More groups than anybody reads. */
const MAX_GROUPS = 100;

const median = (sorted: Float64Array): number | null => {
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

type Tally = readonly [group: string | null, tally: GroupTally];
const byCount = ([a, one]: Tally, [b, other]: Tally): number => {
  if (one.begun !== other.begun) return other.begun - one.begun;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
};

/** The value that a group is of. What was cut is no JSON any more, and is shown as text. */
const groupFrom = (json: string | null): FunnelGroup['group'] => {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? json : (value as string | number | boolean);
  } catch {
    return json;
  }
};

/** The attempts of a group. */
export interface GroupTally {
  begun: number;
  /** Of each step after the first: the seconds from the step before, of each attempt that got there. */
  readonly seconds: readonly number[][];
}

const stepsOf = ({ begun, seconds }: GroupTally): FunnelStep[] => [
  { count: begun, medianS: null },
  ...seconds.map((each) => ({ count: each.length, medianS: median(Float64Array.from(each).sort()) })),
];

/** @param width how many steps there are */
export class FunnelTally {
  private readonly tallies = new Map<string | null, GroupTally>();
  private readonly width: number;
  constructor(width: number) {
    this.width = width;
  }
  /** @param group JSON */
  of(group: string | null): GroupTally {
    const known = this.tallies.get(group);
    if (known) return known;
    const tally = { begun: 0, seconds: Array.from({ length: this.width - 1 }, () => []) };
    this.tallies.set(group, tally);
    return tally;
  }
  /** The largest groups first. Where nothing happened, the steps are there all the same, without a group. */
  groups(): FunnelGroup[] {
    if (this.tallies.size === 0) this.of(null);
    return [...this.tallies]
      .toSorted(byCount)
      .slice(0, MAX_GROUPS)
      .map(([group, tally]) => ({ group: groupFrom(group), steps: stepsOf(tally) }));
  }
}
