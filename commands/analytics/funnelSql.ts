/**
 * The steps of a funnel as PostgreSQL finds them: packed, all of an hour with the same name in one value. Several processes
 * scan and pack, which costs a fraction of ordering them there or of sending a row for each.
 */
import { MAX_SKEW_MS } from '../../domain/analytics/event.ts';
import type { FunnelQuery } from './store.ts';
import { utcDay } from './tables.ts';

/** Longer values of properties are cut. */
const MAX_GROUP_LENGTH = 100;

/** Steps of an hour that have the same name and the same group: one column of bytes for each of their facts. */
export interface PackedSteps {
  /** Its beginning. */
  readonly hour: string;
  /** Its place among the steps, from 0. */
  readonly step: number;
  /** Of first steps; null for the others. */
  readonly grp: string | null;
  /** Ids of 16 bytes. */
  readonly accounts: Buffer;
  /** Microseconds since 2000, in 8 bytes. */
  readonly at: Buffer;
  readonly received: Buffer;
  /** Of 2 bytes. */
  readonly seq: Buffer;
}

/** All in one order: that in which rows are aggregated. */
const PACKED = `string_agg(uuid_send(account_id), '') as accounts, string_agg(timestamptz_send(at), '') as at,
      string_agg(timestamptz_send(received_at), '') as received, string_agg(int2send(seq), '') as seq`;

/** What attempts are divided by: of events, and of conversions. */
const groupColumns = ({ groupBy }: FunnelQuery): readonly [string, string] => {
  if (groupBy === undefined) return ['null::text', 'null::text'];
  const ofFirst = (value: string): string => `case when name = ($1::text[])[1] then ${value} end`;
  if (groupBy.by === 'kind') return [ofFirst('kind'), ofFirst(`'conversion'`)];
  const cut = (properties: string) => ofFirst(`left(${properties} ->> $6, ${MAX_GROUP_LENGTH})`);
  return [cut('properties'), cut(`jsonb_build_object('type', item_type, 'currency', currency)`)];
};

/** A statement and its parameters. */
export interface FunnelStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * What can be a step from `from` until before `to` (milliseconds since 1970), as rows of `PackedSteps` by the hour.
 */
export const stepsStatement = (query: FunnelQuery, from: number, to: number): FunnelStatement => {
  const { steps, groupBy } = query;
  const [ofEvents, ofConversions] = groupColumns(query);
  const text = `
    select hour, array_position($1::text[], name) - 1 as step, grp,
      ${PACKED}
    from (
      select date_bin('1 hour', at, '2000-01-01') as hour, name, ${ofEvents} as grp, account_id, at, received_at, seq
      from ops.analytics_events
      where name = any($1) and at >= $2 and at < $3 and day between $4 and $5
      union all
      select date_bin('1 hour', at, '2000-01-01'), name, ${ofConversions}, account_id, at, at, 0::smallint
      from ops.analytics_conversions
      where name = any($1) and at >= $2 and at < $3 and account_id is not null
    ) as found
    group by hour, name, grp order by hour`;
  // The partition follows from the uncorrected time.
  const days = [utcDay(from - MAX_SKEW_MS), utcDay(to + MAX_SKEW_MS)] as const;
  const group = groupBy?.by === 'property' ? [groupBy.name] : [];
  return { text, values: [steps, new Date(from).toISOString(), new Date(to).toISOString(), ...days, ...group] };
};
