/** The funnel, written down plainly: one person after another, one event after another. */
import type { FunnelGroup, FunnelQuery, RecordedEvent } from '../../commands/analytics/store.ts';

export type Happened = Pick<RecordedEvent, 'accountId' | 'name' | 'kind' | 'at' | 'properties'>;

/** When an attempt has reached each of its steps, in milliseconds. */
interface Attempt {
  readonly accountId: string;
  readonly began: number;
  group: string | null;
  readonly reached: number[];
}

const inOrder =
  ({ steps }: FunnelQuery) =>
  (a: Happened, b: Happened): number =>
    Date.parse(a.at) - Date.parse(b.at) || steps.indexOf(a.name) - steps.indexOf(b.name);

/** As JSON. */
const groupOf = ({ groupBy }: FunnelQuery, { kind, properties }: Happened): string | null => {
  if (groupBy === undefined) return null;
  if (groupBy.by === 'kind') return JSON.stringify(kind);
  const value: unknown = JSON.parse(properties)[groupBy.name];
  return value === undefined || value === null ? null : JSON.stringify(value);
};
const shown = (json: string | null): FunnelGroup['group'] => {
  const value = json === null ? null : JSON.parse(json);
  return value !== null && typeof value === 'object' ? json : value;
};

const smaller = (a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
};

/** The attempts of one person. `latest[k]`: the attempt that was the last to reach the step k. */
const attemptsOf = (events: readonly Happened[], query: FunnelQuery): Attempt[] => {
  const attempts = new Map<number, Attempt>();
  const latest: (Attempt | undefined)[] = [];
  for (const event of events.toSorted(inOrder(query))) {
    const at = Date.parse(event.at);
    const step = query.steps.indexOf(event.name);
    if (step < 0 || at < Date.parse(query.from)) continue;
    if (step === 0) {
      if (at >= Date.parse(query.to)) continue;
      const group = groupOf(query, event);
      const same = attempts.get(at);
      if (same) same.group = smaller(same.group, group);
      const attempt = same ?? { accountId: event.accountId, began: at, group, reached: [at] };
      attempts.set(at, attempt);
      latest[0] = attempt;
      continue;
    }
    const attempt = latest[step - 1];
    if (!attempt || at - attempt.began > query.windowS * 1_000) continue;
    attempt.reached[step] ??= at;
    latest[step] = attempt;
  }
  return [...attempts.values()];
};

const median = (numbers: readonly number[]): number | null => {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
};

const farthest = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.toSorted((a, b) => b.reached.length - a.reached.length || a.began - b.began).slice(0, 1);

export const referenceFunnel = (events: readonly Happened[], query: FunnelQuery): FunnelGroup[] => {
  const people = new Set(events.map(({ accountId }) => accountId));
  const attempts = [...people].flatMap((person) => {
    const own = attemptsOf(
      events.filter(({ accountId }) => accountId === person),
      query,
    );
    return query.mode === 'any' ? own : farthest(own);
  });
  const groups = new Set(attempts.length === 0 ? [null] : attempts.map(({ group }) => group));
  return [...groups].map((group) => {
    const within = attempts.filter((attempt) => attempt.group === group);
    return {
      group: shown(group),
      steps: query.steps.map((_, step) => {
        const there = within.filter(({ reached }) => reached[step] !== undefined);
        const times = there.map(({ reached }) => ((reached[step] ?? 0) - (reached[step - 1] ?? 0)) / 1_000);
        return { count: there.length, medianS: step === 0 ? null : median(times) };
      }),
    };
  });
};
