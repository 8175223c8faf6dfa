/**
 * How an alert is recognised. Prometheus gets the rule as an expression (`expressionOf`); a process applies it to its own
 * metrics (`seen.ts`), so that operators are told without Prometheus, too.
 */

/** Of the samples of a metric: label → a regular expression for its whole value. */
type Where = Readonly<Record<string, string>>;

interface Of {
  /** One alert for each value of this label. */
  readonly by?: string;
  readonly where?: Where;
}

/** A gauge is above a limit now. */
interface Above extends Of {
  readonly is: 'above';
  readonly metric: string;
  readonly limit: number;
  /** Below `-limit` counts, too. */
  readonly eitherSign?: true;
}

/** Counters have grown by more than a limit within some minutes. */
interface Grew extends Of {
  readonly is: 'grew';
  /** All together. */
  readonly metrics: readonly [string, ...string[]];
  readonly minutes: number;
  readonly limit: number;
}

/** More than one in twenty of the last five minutes took longer than this. The limit is one of the histogram's buckets. */
interface Slow {
  readonly is: 'slow';
  readonly histogram: string;
  readonly seconds: number;
}

/** Samples of the metrics of this process. */
export interface Samples {
  /** The sum of a metric now, by the values of a label. */
  now(metric: string, by?: string, where?: Where): ReadonlyMap<string, number>;
  /** By how much a counter has grown within the last minutes. */
  grown(minutes: number, metric: string, by?: string, where?: Where): ReadonlyMap<string, number>;
}

/** What no other form can say. */
interface Other {
  readonly is: 'other';
  readonly expr: string;
  /** What it is about → its value; by the name of the label, or empty. Missing: only Prometheus sees it, or the teller itself. */
  readonly see?: (samples: Samples) => ReadonlyMap<string, number>;
}

export type Rule = Above | Grew | Slow | Other;

const SLOW_MINUTES = 5;
const SLOW_SHARE = 0.05;

const selector = (metric: string, where: Where = {}): string => {
  const matchers = Object.entries(where).map(([label, pattern]) => `${label}=~"${pattern}"`);
  return matchers.length === 0 ? metric : `${metric}{${matchers.join(',')}}`;
};
const grouped = (how: string, by: string | undefined, inner: string): string =>
  by === undefined ? `${how}(${inner})` : `${how} by (${by}) (${inner})`;

/** In PromQL. */
export const expressionOf = (rule: Rule): string => {
  if (rule.is === 'other') return rule.expr;
  if (rule.is === 'slow')
    return `histogram_quantile(${1 - SLOW_SHARE}, sum by (le) (rate(${rule.histogram}_bucket[${SLOW_MINUTES}m]))) > ${rule.seconds}`;
  if (rule.is === 'above') {
    const metric = selector(rule.metric, rule.where);
    return `${grouped('max', rule.by, rule.eitherSign ? `abs(${metric})` : metric)} > ${rule.limit}`;
  }
  const sums = rule.metrics.map((metric) =>
    grouped('sum', rule.by, `increase(${selector(metric, rule.where)}[${rule.minutes}m])`),
  );
  return `${sums.join(' + ')} > ${rule.limit}`;
};

/** What the rule finds in the metrics of this process: what it is about → its value. */
export const findIn = (samples: Samples, rule: Rule): ReadonlyMap<string, number> => {
  switch (rule.is) {
    case 'other':
      return rule.see?.(samples) ?? new Map();
    case 'slow': {
      const count = (metric: string, where?: Where) =>
        samples.grown(SLOW_MINUTES, metric, undefined, where).get('') ?? 0;
      const all = count(`${rule.histogram}_count`);
      const quick = count(`${rule.histogram}_bucket`, { le: String(rule.seconds) });
      return all - quick > all * SLOW_SHARE ? new Map([['', all - quick]]) : new Map();
    }
    case 'above': {
      const sign = (value: number) => (rule.eitherSign ? Math.abs(value) : value);
      const found = [...samples.now(rule.metric, rule.by, rule.where)].map(([of, value]) => [of, sign(value)] as const);
      return new Map(found.filter(([, value]) => value > rule.limit));
    }
    case 'grew': {
      const sums = new Map<string, number>();
      for (const metric of rule.metrics)
        for (const [of, by] of samples.grown(rule.minutes, metric, rule.by, rule.where))
          sums.set(of, (sums.get(of) ?? 0) + by);
      return new Map([...sums].filter(([, by]) => by > rule.limit));
    }
  }
};
