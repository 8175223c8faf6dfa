/** The funnel as one statement: the steps of each person in order, carried on from step to step by window functions. */
import { MAX_SKEW_MS } from '../../domain/analytics/event.ts';
import type { FunnelQuery } from './store.ts';
import { utcDay } from './tables.ts';

/** More groups than anybody reads. */
const MAX_GROUPS = 100;
/** Longer values of properties are cut. */
const MAX_GROUP_LENGTH = 100;

/** Has the database scan and sort with several processes, in memory. */
export const FUNNEL_SESSION = `
  set local work_mem = '128MB'; set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0;
  set local min_parallel_table_scan_size = 0; set local min_parallel_index_scan_size = 0`;

/** Rows have the columns `group` and, for each step from 1, `count_1` and `median_1`. */
export interface FunnelStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);

/** What attempts are divided by: of events, and of conversions. */
const groupColumns = ({ groupBy }: FunnelQuery): readonly [string, string] => {
  if (groupBy === undefined) return ['null::text', 'null::text'];
  if (groupBy.by === 'kind') return ['kind', `'conversion'`];
  const cut = (properties: string) => `left(${properties} ->> $7, ${MAX_GROUP_LENGTH})`;
  return [cut('properties'), cut(`jsonb_build_object('type', item_type, 'currency', currency)`)];
};

/** Everything that can be a step, in the order in which it happened. */
const stepsIn = (query: FunnelQuery): string => {
  const [ofEvents, ofConversions] = groupColumns(query);
  return `
    select account_id, at, received_at, seq, array_position($1::text[], name) as step, ${ofEvents} as grp
    from ops.analytics_events
    where name = any($1) and at >= $2 and at < $3::timestamptz + $4::interval and day between $5 and $6
    union all
    select account_id, at, at, 0::smallint, array_position($1::text[], name), ${ofConversions}
    from ops.analytics_conversions
    where name = any($1) and at >= $2 and at < $3::timestamptz + $4::interval and account_id is not null`;
};

/**
 * `chain` of a row: when the attempt began that reaches the row's step by it; null for a row that belongs to none. A step
 * looks for the latest beginning among the rows of the step before.
 */
const chained = (inner: string, step: number): string => `
  select account_id, at, received_at, seq, step, grp,
    case when step <> ${step} then chain when reached >= at - $4::interval then reached end as chain
  from (
    select *, max(chain) filter (where step = ${step - 1}) over (
      partition by account_id order by at, received_at, seq rows unbounded preceding) as reached
    from (${inner}) as rows_${step}
  ) as windows_${step}`;

/** The statement of a funnel. Its transaction begins with `FUNNEL_SESSION`. */
export const funnelStatement = (query: FunnelQuery): FunnelStatement => {
  const { steps, windowS, from, to, mode, groupBy } = query;
  const all = range(1, steps.length);
  const first = `select *, case when step = 1 and at < $3::timestamptz then at end as chain from (${stepsIn(query)}) as found`;
  const carried = range(2, steps.length).reduce(chained, first);
  const reachedAt = all.map((step) => `min(at) filter (where step = ${step}) as t${step}`);
  const attempts = `
    select account_id, chain, max(step) as depth, min(grp) filter (where step = 1) as grp, ${reachedAt.join(', ')}
    from (${carried}) as steps where chain is not null group by account_id, chain`;
  const counted =
    mode === 'any'
      ? attempts
      : `select distinct on (account_id) * from (${attempts}) as attempts order by account_id, depth desc, chain`;
  const columns = all.map((step) => {
    const median = `percentile_cont(0.5) within group (order by extract(epoch from t${step} - t${step - 1}))`;
    return `count(t${step}) as count_${step}, ${step === 1 ? 'null::float8' : median} as median_${step}`;
  });
  const text = `
    select grp as "group", ${columns.join(', ')} from (${counted}) as counted
    group by grp order by count_1 desc, grp limit ${MAX_GROUPS}`;
  // The partition follows from the uncorrected time.
  const days = [
    utcDay(Date.parse(from) - MAX_SKEW_MS),
    utcDay(Date.parse(to) + windowS * 1_000 + MAX_SKEW_MS),
  ] as const;
  const group = groupBy?.by === 'property' ? [groupBy.name] : [];
  return { text, values: [steps, from, to, `${windowS} seconds`, ...days, ...group] };
};
