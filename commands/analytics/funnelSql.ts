/**
 * The steps of a funnel as PostgreSQL finds them: packed, those of many people with the same name in one value. Several
 * processes scan and pack, which costs a fraction of ordering them there or of sending a row for each.
 */
import { MAX_SKEW_MS } from '../../domain/analytics/event.ts';
import { instantOf } from '../../domain/core/instants.ts';
import type { FunnelQuery } from './store.ts';
import { utcDay } from './tables.ts';

/**
 * People are divided into this many parts, each folded by itself: what is remembered of one part is small. A power of
 * 2.
 */
const PARTS = 32;
const PART = `uuid_hash(account_id) & ${PARTS - 1}`;
/** Longer values of properties are cut. */
const MAX_GROUP_LENGTH = 100;

/** Steps that have the same name and the same group, of people of one part: one column of bytes for each of their facts. */
export interface PackedSteps {
  /** From 0 until before `PARTS`; always the same for a person. */
  readonly part: number;
  /** Its place among the steps, from 0. */
  readonly step: number;
  /** Of first steps, as JSON, so that a number and a text of its digits are two; null for the others. */
  readonly grp: string | null;
  /** Ids of 16 bytes. */
  readonly accounts: Buffer;
  /** Microseconds since 2000, in 8 bytes. */
  readonly at: Buffer;
}

/** All in one order: that in which rows are aggregated. */
const PACKED = `string_agg(uuid_send(account_id), '') as accounts, string_agg(timestamptz_send(at), '') as at`;

/** What attempts are divided by, which first steps say: those that are events, and those that are conversions. */
const groupColumns = ({ groupBy }: FunnelQuery): readonly [string, string] => {
  if (groupBy === undefined) return [NO_GROUP, NO_GROUP];
  if (groupBy.by === 'kind') return ['to_jsonb(kind)::text', `'"conversion"'`];
  return [jsonOf('properties'), jsonOf(`jsonb_build_object('type', item_type, 'currency', currency)`)];
};
/** Numbers are never cut: half of one is another number. */
const jsonOf = (properties: string): string => {
  const value = `(${properties} -> $6)`;
  return `case jsonb_typeof${value}
        when 'string' then to_jsonb(left(${properties} ->> $6, ${MAX_GROUP_LENGTH}))::text
        when 'number' then ${value}::text
        when 'null' then null
        else left(${value}::text, ${MAX_GROUP_LENGTH})
      end`;
};
const NO_GROUP = 'null::text';
const FIRST = 'name = ($1::text[])[1]';
const OTHERS = 'name = any (($1::text[])[2:])';

/** Found by the index alone, unless the group is a property, which is only asked of first steps. */
const events = (which: string, group: string): string => `
      select ${PART} as part, name, ${group} as grp, account_id, at
      from ops.analytics_events
      where ${which} and at >= $2 and at < $3 and day between $4 and $5`;
const conversions = (which: string, group: string): string => `
      select ${PART}, name, ${group}, account_id, at
      from ops.analytics_conversions
      where ${which} and at >= $2 and at < $3 and account_id is not null`;

/** A statement and its parameters. */
export interface FunnelStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * What can be a step from `from` until before `to` (milliseconds since 1970), as rows of `PackedSteps`, in no order: several
 * processes then pack what they have found.
 */
export const stepsStatement = (query: FunnelQuery, from: number, to: number): FunnelStatement => {
  const { steps, groupBy } = query;
  const [ofEvents, ofConversions] = groupColumns(query);
  const text = `
    select part, array_position($1::text[], name) - 1 as step, grp,
      ${PACKED}
    from (
      ${[events(FIRST, ofEvents), events(OTHERS, NO_GROUP), conversions(FIRST, ofConversions), conversions(OTHERS, NO_GROUP)].join(' union all ')}
    ) as found
    group by part, name, grp`;
  // The partition follows from the uncorrected time.
  const days = [utcDay(from - MAX_SKEW_MS), utcDay(to + MAX_SKEW_MS)] as const;
  const group = groupBy?.by === 'property' ? [groupBy.name] : [];
  return { text, values: [steps, instantOf(from), instantOf(to), ...days, ...group] };
};
