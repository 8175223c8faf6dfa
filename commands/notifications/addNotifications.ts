/**
 * Adds notifications to people's lists, and sets their delivery, in one transaction. Those that come at the same time are
 * written together. What is there already, or is newer there, is left as it is: so an event that is handled again, by
 * another worker or after a crash, tells nobody twice.
 */

import { DAY_MS, msBetween } from '../../domain/core/instants.ts';
import { type NotificationRow, ROW_COLUMNS } from '../../domain/notifications/notification.ts';
import { gatherBy } from '../../infra/gather.ts';
import { derivedId } from '../../infra/ids.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { JobBatch } from '../core/jobChanges.ts';
import { type Notice, type NotificationDeclaration, worthUntil } from '../core/notification.ts';
import { hasDevice } from '../push/devices.ts';
import { publishChanges } from './changeNotifications.ts';
import { mailJob, pushJob } from './delivery.ts';
import type { NotificationDeps } from './deps.ts';
import { WITHOUT_TITLE } from './forgetTitles.ts';
import { loadPeople, type People } from './namesAndLanguages.ts';
import { mayMarket } from './preferences.ts';
import { shownTo } from './texts.ts';

/** What happened longer ago is not listed any more: it is history that a policy handles after an upgrade. */
const LISTED_MS = 30 * DAY_MS;
const AT_ONCE = 200;

/** The id of what a declaration tells a person under a key. */
export const notificationId = (name: string, to: string, key: string): string =>
  derivedId('notification', name, to, key);

/** Notices of one cue. */
export interface NewNotices {
  readonly declaration: NotificationDeclaration;
  readonly notices: readonly Notice<object>[];
  /** The key of those that have none. */
  readonly key: string;
  /** Since when it is news. */
  readonly at: string;
  readonly correlationId: string;
}

interface Addition {
  readonly deps: NotificationDeps;
  readonly declaration: NotificationDeclaration;
  readonly people: People;
  readonly correlationId: string;
  readonly isListedOnly: boolean;
  readonly row: Omit<NotificationRow, 'seq' | 'read_at' | 'deleted_at'>;
}

/** Whether it happened so long ago that nobody is told of it. */
export const isHistory = (at: string, now: string): boolean => msBetween(at, now) > LISTED_MS;

/** Whom it may be told: people who have an account, and for marketing have agreed. */
const tellable = async (deps: NotificationDeps, { kind }: NotificationDeclaration, people: People, to: string) =>
  people.exists(to) && (kind !== 'marketing' || (await mayMarket(deps, to)));

/** Adds what is not there yet. */
export const addNotices = async (
  deps: NotificationDeps,
  { declaration, notices, key, at, correlationId }: NewNotices,
): Promise<void> => {
  if (isHistory(at, deps.now()) || notices.length === 0) return;
  const people = await loadPeople(
    deps,
    notices.map(({ to }) => to),
    notices.map(({ of = null }) => of),
  );
  const { name, kind } = declaration;
  await Promise.all(
    notices.map(async ({ to, params, of = null, version = 0, known, isListedOnly = false, ...notice }) => {
      if (!(await tellable(deps, declaration, people, to))) return;
      const id = notificationId(name, to, notice.key ?? key);
      const count = known === undefined ? 0 : Math.max(1, version - known);
      const row = { id, person_id: to, name, kind, params, of_person: of, at, version, count };
      await write(deps.pool, { deps, declaration, people, correlationId, isListedOnly, row });
    }),
  );
};

/**
 * The vault's rows are locked, so that an erasure comes before, and nothing is added, or after, and deletes it. The same holds
 * for what an erased seller (`owner_id`) has called something: it is not added, or the erasure takes it out. What counts
 * says how much the person does not know, and never more than what was told and is not read, and what is new.
 */
const INSERT = `
  with given as materialized (
    select * from json_to_recordset($1::json) as given(ord int, id uuid, person_id uuid, name text, kind text,
      params jsonb, of_person uuid, at timestamptz, version bigint, count int)
  ), keys as materialized (
    select person_id, wrapped_key is null as is_gone from ops.vault_keys
    where person_id = any($2::uuid[]) order by person_id for share
  ), counted as (
    insert into ops.notification_inboxes as i (person_id, last_seq)
    select person_id, count(*) from given left join keys using (person_id) where is_gone is not true
    group by person_id order by person_id
    on conflict (person_id) do update set last_seq = i.last_seq + excluded.last_seq
    returning person_id, last_seq
  )
  insert into ops.notifications as n (id, person_id, seq, name, kind, params, of_person, at, version, count)
  select id, person_id, last_seq + 1 - row_number() over (partition by person_id order by ord desc),
    name, kind, case when is_gone then ${WITHOUT_TITLE} else params end, of_person, at, version, count
  from given join counted using (person_id)
  left join (select person_id::text as owner_id, is_gone from keys) owner on owner_id = params ->> 'owner_id'
  order by id
  on conflict (id) do update set seq = excluded.seq, params = excluded.params, of_person = excluded.of_person,
    at = excluded.at, version = excluded.version, read_at = null, deleted_at = null,
    count = least(excluded.count, excluded.version - n.version
      + case when n.read_at is null and n.deleted_at is null then n.count else 0 end)
  where excluded.version > n.version
  returning ${ROW_COLUMNS}, xmax = 0 as is_new, ${hasDevice('n.person_id')} as has_device`;

interface Added extends NotificationRow {
  readonly is_new: boolean;
  readonly has_device: boolean;
}

/** The seller of what is told, where the params say so. */
const ownersIn = (params: object): string[] =>
  'owner_id' in params && typeof params.owner_id === 'string' ? [params.owner_id] : [];

const insert = async (client: PoolClient, additions: readonly Addition[]): Promise<Added[]> => {
  const given = additions.map(({ row }, ord) => ({ ord, ...row }));
  const people = [...new Set(given.flatMap(({ person_id, params }) => [person_id, ...ownersIn(params)]))];
  const { rows } = await client.query<Added>(INSERT, [JSON.stringify(given), people]);
  return rows.toSorted((a, b) => a.seq - b.seq);
};

/** Sets the delivery of what was added, unless it is only listed, or too old to be news. Most people have no device: they cost no job. */
const deliver = async (client: PoolClient, added: readonly Added[], by: ReadonlyMap<string, Addition>) => {
  const jobs = new JobBatch();
  for (const { id, version, params, at, has_device } of added) {
    const { deps, declaration, correlationId, isListedOnly } = by.get(id) as Addition;
    const now = deps.now();
    if (isListedOnly || worthUntil(declaration, params, at) <= now) continue;
    const job = { id: `${id}:${version}`, dueAt: now, data: { id, version } };
    if (has_device) await pushJob.schedule(jobs, { correlationId }, job);
    if (declaration.mail) await mailJob.schedule(jobs, { correlationId }, job);
  }
  await jobs.write(client);
};

/** Of several additions with one id, the one with the highest version. */
const newest = (additions: readonly Addition[]): ReadonlyMap<string, Addition> => {
  const byId = new Map<string, Addition>();
  for (const addition of additions) {
    const { id, version } = addition.row;
    if ((byId.get(id)?.row.version ?? -1) < version) byId.set(id, addition);
  }
  return byId;
};

const write = gatherBy(async (pool: Pool, additions: readonly Addition[]): Promise<undefined[]> => {
  const byId = newest(additions);
  const { deps } = additions[0] as Addition;
  await inTransaction(pool, async (client) => {
    const added = await insert(client, [...byId.values()]);
    await deliver(client, added, byId);
    const told = added.map(({ is_new, has_device: _, ...row }) => ({
      verb: is_new ? ('created' as const) : ('updated' as const),
      row,
      shown: shownTo(deps, row, (byId.get(row.id) as Addition).people),
    }));
    await publishChanges(deps, client, told);
  });
  return additions.map(() => undefined);
}, AT_ONCE);
