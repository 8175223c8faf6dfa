/** A funnel as one statement: the steps of each person in order, carried on from step to step by window functions. */
import { MAX_SKEW_MS } from '../../domain/analytics/event.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import type { FunnelGroup, FunnelQuery } from './store.ts';
import { utcDay } from './tables.ts';

/** More groups than anybody reads. */
const MAX_GROUPS = 100;
/** Longer values of properties are cut. */
const MAX_GROUP_LENGTH = 100;

/**
 * One process finds and orders the steps at less CPU than several, which send them to each other. A plan for any dates
 * would scan all partitions.
 */
const PLANS = 'set local max_parallel_workers_per_gather = 0; set local plan_cache_mode = force_custom_plan';

/** JSON of a property. Numbers are never cut: half of one is another number. */
const propertyOf = (properties: string): string => `
  case jsonb_typeof(${properties} -> $7)
    when 'string' then to_jsonb(left(${properties} ->> $7, ${MAX_GROUP_LENGTH}))::text
    when 'number' then (${properties} -> $7)::text
    when 'null' then null
    else left((${properties} -> $7)::text, ${MAX_GROUP_LENGTH})
  end`;

/** What attempts are divided by, of first steps that are events and of those that are conversions; properties as JSON. */
const groupColumns = ({ groupBy }: FunnelQuery): readonly [string, string] => {
  if (groupBy === undefined) return [NO_GROUP, NO_GROUP];
  if (groupBy.by === 'kind') return ['kind', `'conversion'`];
  return [propertyOf('properties'), propertyOf(`jsonb_build_object('type', item_type, 'currency', currency)`)];
};
const NO_GROUP = 'null::text';

/** What happened under the name of a step. `began`: when the attempt began that has reached the step by it. */
const happenedAs = (step: number, query: FunnelQuery): string => {
  const [ofEvents, ofConversions] = step === 1 ? groupColumns(query) : [NO_GROUP, NO_GROUP];
  const began = step === 1 ? 'case when at < $3 then at end' : 'null::timestamptz';
  const within = `name = ($1::text[])[${step}] and at >= $2 and at < $3::timestamptz + $4::interval`;
  return `
    select account_id, at, ${step} as step, ${ofEvents} as grp, ${began} as began
    from ops.analytics_events where ${within} and day between $5 and $6
    union all
    select account_id, at, ${step}, ${ofConversions}, ${began}
    from ops.analytics_conversions where ${within} and account_id is not null`;
};

/** The same rows; those of the step carry on the last attempt that has reached the step before it. */
const carriedOn = (rows: string, step: number): string => {
  const last = `max(began) filter (where step = ${step - 1}) over earlier`;
  return `
    select account_id, at, step, grp,
      case when step <> ${step} then began when ${last} >= at - $4::interval then ${last} end as began
    from (${rows}) as before_${step}
    window earlier as (partition by account_id order by at, step rows unbounded preceding)`;
};

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);

/** Rows have `grp` and, for each step, `count_1` and `median_1`. */
const statementOf = (query: FunnelQuery): string => {
  const { steps, mode } = query;
  const further = range(2, steps.length);
  const happened = range(1, steps.length).map((step) => happenedAs(step, query));
  const reached = further.map((step) => `min(at) filter (where step = ${step}) as at_${step}`);
  const attempts = `
    select account_id, began as at_1, min(grp collate "C") as grp, ${reached.join(', ')}
    from (${further.reduce(carriedOn, happened.join(' union all '))}) as found
    where began is not null group by account_id, began`;
  const depth = `num_nonnulls(${further.map((step) => `at_${step}`).join(', ')})`;
  const counted =
    mode === 'any'
      ? attempts
      : `select distinct on (account_id) * from (${attempts}) as all_attempts order by account_id, ${depth} desc, at_1`;
  const numbers = further.map(
    (step) => `count(at_${step}) as count_${step},
      percentile_cont(0.5) within group (order by extract(epoch from at_${step} - at_${step - 1})::float8) as median_${step}`,
  );
  return `
    select grp, count(*) as count_1, null::float8 as median_1, ${numbers.join(', ')}
    from (${counted}) as attempts group by grp order by count_1 desc, grp collate "C" limit ${MAX_GROUPS}`;
};

/** The value that a group is of. What was cut is no JSON any more, and is shown as text. */
const groupFrom = ({ groupBy }: FunnelQuery, json: string | null): FunnelGroup['group'] => {
  if (json === null || groupBy?.by === 'kind') return json;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? json : (value as string | number | boolean);
  } catch {
    return json;
  }
};

type FunnelRow = { readonly grp: string | null } & { readonly [column: string]: number | null };

/** Where nothing happened, the steps are there all the same, without a group. */
const NOTHING = { grp: null } as FunnelRow;

export const countFunnel = async (client: PoolClient, query: FunnelQuery): Promise<FunnelGroup[]> => {
  const { steps, windowS, from, to, groupBy } = query;
  // The partition follows from the uncorrected time.
  const days = [utcDay(Date.parse(from) - MAX_SKEW_MS), utcDay(Date.parse(to) + windowS * 1_000 + MAX_SKEW_MS)];
  const property = groupBy?.by === 'property' ? [groupBy.name] : [];
  await client.query(PLANS);
  const { rows } = await client.query<FunnelRow>(statementOf(query), [
    ...[steps, from, to, `${windowS} seconds`, ...days, ...property],
  ]);
  return (rows.length > 0 ? rows : [NOTHING]).map((row) => ({
    group: groupFrom(query, row.grp),
    steps: steps.map((_, n) => ({ count: row[`count_${n + 1}`] ?? 0, medianS: row[`median_${n + 1}`] ?? null })),
  }));
};
