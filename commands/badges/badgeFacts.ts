/**
 * What people have done, as badges count it: one row for each record behind it, so that a record that changes or is taken out
 * changes exactly its own part. The policy keeps it; it could be made again from the log.
 */
import { badgesPurpose } from '../../domain/badges/index.ts';
import { type BadgeRule, daysOfRule, type Fact } from '../../domain/badges/rule.ts';
import { gatherBy } from '../../infra/gather.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';

export const factMigrations = migrations('badges', {
  '0001_facts': `
    create table ops.badge_facts (
      metric text not null,
      account_id uuid not null,
      -- the day, booking, review or pair of friends that it is about
      source text not null,
      day date not null,
      amount bigint not null,
      -- of the last event of the source that it follows from
      revision bigint not null,
      primary key (metric, account_id, source)
    );
    create index badge_facts_account on ops.badge_facts (account_id);
  `,
  personalData: {
    'ops.badge_facts': {
      whose: 'account_id',
      exported: ['metric', 'day', 'amount'],
      erased: 'deleted',
      why: badgesPurpose,
      retention: 'account',
    },
  },
});

/** What follows from a record. 0: it does not count any more. */
export interface SourcedFact extends Fact {
  readonly accountId: string;
  readonly source: string;
  readonly revision: bigint;
}

/** Facts that are written in one statement. */
const MOST_AT_ONCE = 500;

/** The last fact of each record, in an order that is the same for all who write: so that none waits for another in a ring. */
const lastOfEach = (facts: readonly SourcedFact[]): SourcedFact[] => {
  const last = new Map<string, SourcedFact>();
  for (const fact of facts) {
    const record = `${fact.metric} ${fact.accountId} ${fact.source}`;
    const known = last.get(record);
    if (!known || known.revision < fact.revision) last.set(record, { ...fact, day: known?.day ?? fact.day });
  }
  return [...last].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => fact);
};

const writeFact = gatherBy(async (db: Queryable, facts: readonly SourcedFact[]): Promise<undefined[]> => {
  const rows = lastOfEach(facts);
  await db.query(
    `insert into ops.badge_facts as known (metric, account_id, source, day, amount, revision)
     select * from unnest($1::text[], $2::uuid[], $3::text[], $4::date[], $5::bigint[], $6::bigint[])
     on conflict (metric, account_id, source) do update set amount = excluded.amount, revision = excluded.revision
     where known.revision < excluded.revision`,
    [
      ...(['metric', 'accountId', 'source', 'day', 'amount'] as const).map((field) => rows.map((fact) => fact[field])),
      rows.map(({ revision }) => revision.toString()),
    ],
  );
  return [];
}, MOST_AT_ONCE);

/**
 * Of events of one record that are handled out of order, the last one counts. The day stays that of the first. Facts of one
 * turn of the event loop are written together.
 */
export const recordFact = (db: Queryable, fact: SourcedFact): Promise<void> =>
  // Nothing is remembered of somebody of whom there was nothing, such as a person who was erased.
  fact.amount === 0 ? clearFact(db, fact) : writeFact(db, fact);

/** A record does not count any more, for one person or for everybody. */
export const clearFact = async (
  db: Queryable,
  {
    metric,
    source,
    revision,
    accountId = null,
  }: Pick<SourcedFact, 'metric' | 'source' | 'revision'> & { readonly accountId?: string | null },
): Promise<void> => {
  await db.query(
    `update ops.badge_facts set amount = 0, revision = $3
     where metric = $1 and source = $2 and revision < $3 and ($4::uuid is null or account_id = $4)`,
    [metric, source, revision.toString(), accountId],
  );
};

/** Everything that counts of a person. */
export const factsOf = async (db: Queryable, accountId: string): Promise<Fact[]> => {
  const { rows } = await db.query<Fact>(
    'select metric, day, amount::float8 as amount from ops.badge_facts where account_id = $1 and amount > 0',
    [accountId],
  );
  return rows;
};

/** The first day of the window of a day, in SQL. It tells windows of one rule apart, and nothing else. */
const WINDOW: Readonly<Record<BadgeRule['window'], string>> = {
  day: 'day',
  week: `date_trunc('week', day)`,
  month: `date_trunc('month', day)`,
  season: `extract(year from day) - (to_char(day, 'MM-DD') < $5)::int`,
  ever: '0::int', // a bare 0 would be the number of a column
};

/** The accounts that reach the threshold in any window. `$5` is named everywhere, so that its type is known. */
const reachedBy = ({ window }: BadgeRule): string => `
  select distinct account_id from (
    select account_id from ops.badge_facts
    where metric = $1 and day between $2 and $3 and amount > 0 and $5::text is not null
    group by account_id, ${WINDOW[window]}
    having sum(amount) >= $4
  ) as windows`;

const valuesOf = (rule: BadgeRule, seasonBegins: string): unknown[] => {
  const { startsOn, endsOn } = daysOfRule(rule, seasonBegins);
  return [rule.metric, startsOn, endsOn, rule.threshold, seasonBegins];
};

/** How many people have reached it. */
export const countReached = async (db: Queryable, rule: BadgeRule, seasonBegins: string): Promise<number> => {
  const { rows } = await db.query<{ people: number }>(
    `select count(*)::int as people from (${reachedBy(rule)}) as reached`,
    valuesOf(rule, seasonBegins),
  );
  return rows[0]?.people ?? 0;
};

/** Those who have reached it, in the order of their ids. @param after the last one of the page before */
export const pageReached = async (
  db: Queryable,
  rule: BadgeRule,
  seasonBegins: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string[]> => {
  const { rows } = await db.query<{ account_id: string }>(
    `select account_id from (${reachedBy(rule)}) as reached
     where $6::uuid is null or account_id > $6::uuid order by account_id limit $7`,
    [...valuesOf(rule, seasonBegins), after, limit],
  );
  return rows.map(({ account_id }) => account_id);
};
