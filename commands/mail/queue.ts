/**
 * The e-mails that wait to be sent. A row has the words of an e-mail only until it is sent or given up; what the mail server
 * refuses for a reason of its own keeps them (`refusedMails.ts`). The id and the outcome stay for some months, so that the same
 * e-mail is not sent twice.
 */

import { MINUTE_MS } from '../../domain/core/instants.ts';
import { decryptText, encryptText } from '../../eventstore/vault.ts';
import { isClaimed } from '../../infra/claims.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';
import type { MailDeps } from './deps.ts';
import type { Mail } from './mail.ts';
import { mailPurpose } from './transport.ts';

export const mailMigrations = migrations('mail', {
  '0001_mails': `
    create table ops.mails (
      id uuid primary key,
      person_id uuid not null,
      -- the only address that it may go to, also one that is not verified, as a keyed fingerprint; null: the verified one
      address_id uuid,
      -- encrypted with the key of the person; null once it was sent or given up
      content text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      -- a worker is sending it until then
      sending_until timestamptz,
      -- null: it waits
      outcome text,
      ended_at timestamptz,
      check ((outcome is null) = (content is not null)),
      check ((outcome is null) = (ended_at is null))
    );
    create index mails_person on ops.mails (person_id);
    create index mails_expires_at on ops.mails (expires_at);
  `,
  '0002_sent_to': `
    -- where it was sent last, as a keyed fingerprint of the address
    alter table ops.mails add column sent_to uuid;
  `,
  '0003_attempts': `
    -- tells the worker that sends it now from one that sent it before
    alter table ops.mails add column attempts integer not null default 0;
  `,
  '0004_refused_mails': `
    -- after an attempt of which it is not known whether it arrived: not before then
    alter table ops.mails add column not_before timestamptz;
    -- refused by the mail server for a reason of its own: the words are kept until an operator sends the e-mail again
    alter table ops.mails add column refused_at timestamptz;
    alter table ops.mails add column refused_cause text;
    -- the reply code of the mail server
    alter table ops.mails add column refused_code integer;
    -- the words of the mail server, encrypted with the key of the person
    alter table ops.mails add column refused_reply text;
    create index mails_refused_at on ops.mails (refused_at desc, id) where refused_at is not null and outcome is null;
  `,
  '0005_sent_by_jobs': `
    comment on column ops.mails.sending_until is
      'unused: the job that sends an e-mail has the claim. Written by the former release, dropped by the next one';
  `,
  personalData: {
    // The words cannot be read here, and are here for moments only.
    'ops.mails': {
      whose: 'person_id',
      exported: ['created_at', 'outcome', 'ended_at', 'refused_at', 'refused_cause', 'refused_code'],
      erased: 'deleted',
      why: mailPurpose,
      retention: [
        { after: 'expires_at', days: 2, where: 'outcome is null' },
        { after: 'expires_at', days: 90, where: 'outcome is not null' },
      ],
    },
  },
});

/**
 * - `refused`: the mail server says that there is no such address
 * - `no_address`: the account has no verified address (any more)
 * - `undeliverable`: the address was refused before
 * - `no_consent`: marketing to somebody who does not consent to it (any more)
 */
export type MailOutcome = 'sent' | 'refused' | 'expired' | 'no_address' | 'undeliverable' | 'no_consent';

/** An e-mail that waits. */
export interface QueuedMail extends Mail {
  /** The address that it goes to, whatever is on file then. */
  readonly to?: string;
}

/** What is stored of an e-mail while it waits. */
export type MailContent = Omit<QueuedMail, 'id' | 'expiresAt'>;

export interface WaitingMail {
  readonly id: string;
  readonly personId: string;
  readonly addressId: string | null;
  readonly content: MailContent;
  readonly expiresAt: string;
  /** How often it was taken, this time included. */
  readonly attempts: number;
}

/** The id of the row, whatever the id of the e-mail looks like. */
export const rowIdOf = ({ id }: Pick<Mail, 'id'>): string => derivedId('mail', id);

export const contextOf = (rowId: string): string => `mail ${rowId}`;

/** Stores an e-mail unless it is there. @returns whether it waits to be sent */
export const keepMail = async (
  { pool, vault, now }: Pick<MailDeps, 'pool' | 'vault' | 'now'>,
  personId: string,
  { id, expiresAt, ...content }: QueuedMail,
  addressId: string | null,
): Promise<boolean> => {
  const key = await vault.keyToWrite(personId);
  if (key === 'erased') return false;
  const rowId = rowIdOf({ id });
  const text = encryptText(key, JSON.stringify(content), contextOf(rowId));
  const { rows } = await pool.query<{ outcome: string | null }>(
    `with added as (
       insert into ops.mails (id, person_id, address_id, content, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing
     )
     select outcome from ops.mails where id = $1`,
    [rowId, personId, addressId, text, now(), expiresAt],
  );
  return (rows[0]?.outcome ?? null) === null;
};

/** It is neither done nor refused. */
const IS_WAITING = 'id = $1 and outcome is null and refused_at is null';

/**
 * So long an e-mail waits after an attempt of which it is not known whether it arrived: the server that was slow to answer
 * may have taken it, and soon knows its Message-ID.
 */
export const UNANSWERED_PAUSE_MS = 15 * MINUTE_MS;
const PAUSED_FOR = `interval '${UNANSWERED_PAUSE_MS} milliseconds'`;

/**
 * Takes an e-mail for an attempt to send it; from now on, a worker that has taken it before may not. @returns the e-mail; until
 * when it waits after an attempt without an answer; null: it is done or refused, or its person was erased
 */
export const takeMail = async (
  { pool, vault }: Pick<MailDeps, 'pool' | 'vault'>,
  id: string,
): Promise<WaitingMail | { readonly pausedUntil: string } | null> => {
  const taken = await pool.query<Omit<WaitingMail, 'content'> & { readonly text: string }>(
    `update ops.mails set attempts = attempts + 1 where ${IS_WAITING} and not ${isClaimed('not_before', PAUSED_FOR)}
     returning id, person_id as "personId", address_id as "addressId", content as text, expires_at as "expiresAt",
       attempts`,
    [id],
  );
  const [row] = taken.rows;
  if (row) {
    const { text, ...mail } = row;
    const key = (await vault.keysToRead([mail.personId])).get(mail.personId) ?? 'erased';
    if (key === 'erased') return null;
    return { ...mail, content: JSON.parse(decryptText(key, text, contextOf(id))) as MailContent };
  }
  const { rows } = await pool.query<{ pausedUntil: string }>(
    `select not_before as "pausedUntil" from ops.mails where ${IS_WAITING} and not_before is not null`,
    [id],
  );
  return rows[0] ?? null;
};

/** Before it is sent: what comes back is then known to be of this address. */
export const recordAddress = async (pool: Pool, id: string, addressId: string): Promise<void> => {
  await pool.query('update ops.mails set sent_to = $2 where id = $1', [id, addressId]);
};

/** To whom and where an e-mail was sent; null: it is not known, or was not sent. */
export const sentMail = async (
  pool: Pool,
  id: string,
): Promise<{ readonly personId: string; readonly addressId: string } | null> => {
  const { rows } = await pool.query<{ personId: string; addressId: string }>(
    'select person_id as "personId", sent_to as "addressId" from ops.mails where id = $1 and sent_to is not null',
    [id],
  );
  return rows[0] ?? null;
};

type TakenMail = Pick<WaitingMail, 'id' | 'attempts'>;
const STILL_TAKEN = 'id = $1 and attempts = $2 and outcome is null';

/**
 * The e-mail may arrive from now on: its end is sent next, or it is not known what became of it. The next attempt waits, also
 * if this worker dies. @returns until when, by the database's clock; undefined: another worker has taken it over
 */
export const pauseMail = async (pool: Pool, { id, attempts }: TakenMail): Promise<string | undefined> => {
  const { rows } = await pool.query<{ until: string }>(
    `update ops.mails set not_before = now() + ${PAUSED_FOR} where ${STILL_TAKEN} returning not_before as until`,
    [id, attempts],
  );
  return rows[0]?.until;
};

/** The attempt failed: the next one need not wait. */
export const releaseMail = async (pool: Pool, { id, attempts }: TakenMail): Promise<void> => {
  await pool.query(`update ops.mails set not_before = null where ${STILL_TAKEN}`, [id, attempts]);
};

/** Forgets the words of an e-mail and keeps what became of it. */
export const endMail = async (pool: Pool, id: string, outcome: MailOutcome): Promise<void> => {
  await pool.query(
    `update ops.mails set outcome = $2, ended_at = now(), content = null where id = $1 and outcome is null`,
    [id, outcome],
  );
};

/** What became of e-mails, by the ids of their rows. */
export const mailOutcomes = async (db: Queryable, rowIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await db.query<{ id: string; outcome: string }>(
    `select id, coalesce(outcome, 'kept: ' || refused_cause || coalesce(' ' || refused_code, ''), 'waiting') as outcome
     from ops.mails where id = any ($1::uuid[])`,
    [rowIds],
  );
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
};
