/** Applies the rules of the alerts to the metrics of this process, again and again. */
import type { Metric, Registry } from 'prom-client';
import { registry } from '../../infra/metrics.ts';
import { type AlertName, alerts } from './alerts.ts';
import { findIn, type Rule, type Samples } from './rule.ts';

/** Something that somebody may have to be told of. */
export interface Concern {
  readonly alert: AlertName;
  /** The value of a label; empty: there is only one of its kind. Nothing about people. */
  readonly about: string;
  /** The value that is too high. */
  readonly value: number;
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly name: string;
}

/** Its `collect` sets all metrics of the event loop, of which the others have none. */
const COLLECTS_OTHERS = 'nodejs_eventloop_lag_seconds';
const LONGEST_MS = 30 * 60_000;

const read = async (from: Registry, name: string): Promise<Value[]> => {
  const base = from.getSingleMetric(name.replace(/_(bucket|count|sum)$/, '')) ?? from.getSingleMetric(name);
  const { values } = (await base?.get()) ?? { values: [] };
  return (values as (Awaited<ReturnType<Metric['get']>>['values'][number] & { metricName?: string })[]).map(
    (value) => ({
      labels: value.labels as Value['labels'],
      value: value.value,
      name: value.metricName ?? name,
    }),
  );
};

const namesIn = (rule: Rule): readonly string[] => {
  if (rule.is === 'other') return rule.expr.match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? [];
  if (rule.is === 'slow') return [`${rule.histogram}_bucket`];
  return rule.is === 'above' ? [rule.metric] : rule.metrics;
};
/** The metrics that some rule looks at; of a histogram, one of its names. */
const watched = [
  ...new Map(
    alerts.flatMap(({ rule }) => namesIn(rule)).map((name) => [name.replace(/_(bucket|count|sum)$/, ''), name]),
  ).values(),
];

type Series = ReadonlyMap<string, number>;
interface Round {
  readonly at: number;
  /** What the rules have asked for → its values. */
  readonly sums: Map<string, Series>;
}

/** @returns a function that looks now. Counters are taken to have been 0 when this process started */
export const createAlertWatch = ({
  from = registry,
  now = () => performance.now(),
} = {}): (() => Promise<Concern[]>) => {
  /** Oldest first, none older than the longest period of a rule. */
  let rounds: Round[] = [];
  return async () => {
    await from.getSingleMetric(COLLECTS_OTHERS)?.get();
    const values = (await Promise.all(watched.map((name) => read(from, name)))).flat();
    const round: Round = { at: now(), sums: new Map() };
    const sum: Samples['now'] = (metric, by, where = {}) => {
      const patterns = Object.entries(where).map(
        ([label, pattern]) => [label, new RegExp(`^(?:${pattern})$`)] as const,
      );
      const sums = new Map<string, number>();
      for (const { name, labels, value } of values) {
        if (name !== metric || !patterns.every(([label, pattern]) => pattern.test(String(labels[label] ?? ''))))
          continue;
        const of = by === undefined ? '' : String(labels[by] ?? '');
        sums.set(of, (sums.get(of) ?? 0) + value);
      }
      return sums;
    };
    const samples: Samples = {
      now: sum,
      grown: (minutes, metric, by, where) => {
        const key = JSON.stringify([metric, by, where]);
        const current = sum(metric, by, where);
        round.sums.set(key, current);
        const begin = round.at - minutes * 60_000;
        // The last one from before the period, so that nothing between two rounds is missed.
        const before = rounds.findLast(({ at }) => at <= begin)?.sums.get(key);
        return new Map([...current].map(([of, value]) => [of, value - (before?.get(of) ?? 0)]));
      },
    };
    const found = alerts.flatMap(({ name: alert, rule }) =>
      [...findIn(samples, rule)].map(([about, value]) => ({ alert, about, value: Math.round(value) })),
    );
    const firstNeeded = rounds.findLastIndex(({ at }) => at <= round.at - LONGEST_MS);
    rounds = [...rounds.slice(Math.max(0, firstNeeded)), round];
    return found;
  };
};
