/**
 * The tables of push messages. They are outside the log: tokens are secrets, texts are personal data, and a delivery is
 * forgotten after some weeks.
 */
import { pushPurpose } from '../../domain/push/index.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';

export const pushMigrations = migrations('push', {
  '0001_push': `
    create table ops.push_devices (
      -- derived from the service and the token
      id uuid primary key,
      person_id uuid not null,
      -- the sign-in on the device: when it ends, so do its messages
      session_id uuid not null,
      -- who delivers: fcm, apns or web
      service text not null,
      platform text not null,
      -- of apns: a token of one is unknown to the other
      environment text not null,
      -- of web: the address of the subscription
      token text not null,
      -- of web: what messages are encrypted with
      keys jsonb,
      app_version text,
      -- app_version as numbers that compare
      version_rank integer[],
      language text,
      registered_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now()
    );
    create index push_devices_person on ops.push_devices (person_id, last_seen_at);
    create index push_devices_session on ops.push_devices (session_id);
    -- what segments ask about the people who have devices, as the log tells
    create table ops.push_people (
      person_id uuid primary key,
      role text not null,
      language text not null,
      account_revision bigint not null,
      -- the version of the marketing policy that the person consents to
      marketing text,
      consent_revision bigint not null
    );
    -- kinds of messages that a person does not want pushed
    create table ops.push_muted (
      person_id uuid not null,
      kind text not null,
      primary key (person_id, kind)
    );
    create table ops.push_messages (
      id text primary key,
      -- null: a broadcast
      person_id uuid,
      kind text not null,
      -- {language: {title, body}}
      texts jsonb not null,
      link text not null,
      urgency text not null,
      collapse_key text,
      expires_at timestamptz not null,
      -- open, paused or closed
      state text not null default 'open',
      created_at timestamptz not null default now(),
      -- of a broadcast: the last device that it was queued for; all were, when it is the greatest id
      queued_to uuid,
      -- of a broadcast: of the stream that state is as of
      revision bigint
    );
    create index push_messages_person on ops.push_messages (person_id) where person_id is not null;
    create index push_messages_broadcasts on ops.push_messages (id) where person_id is null and state = 'open';
    create index push_messages_created on ops.push_messages (created_at);
    create table ops.push_deliveries (
      message_id text not null,
      device_id uuid not null,
      person_id uuid not null,
      service text not null,
      is_broadcast boolean not null,
      -- the next attempt
      next_at timestamptz not null default now(),
      attempts integer not null default 0,
      -- null: not known yet
      outcome text,
      reason text,
      settled_at timestamptz,
      primary key (message_id, device_id)
    );
    create index push_deliveries_direct on ops.push_deliveries (service, next_at)
      where outcome is null and not is_broadcast;
    create index push_deliveries_broadcast on ops.push_deliveries (message_id, service, next_at)
      where outcome is null and is_broadcast;
    create index push_deliveries_person on ops.push_deliveries (person_id);
  `,
  '0002_words_for_others': `
    -- of a message to one person: whose name the texts have; null: nobody's, or they are forgotten
    alter table ops.push_messages add column of_person uuid;
    create index push_messages_of_person on ops.push_messages (of_person) where of_person is not null;
    update ops.push_messages m set texts = '{}' where person_id is not null
      and not exists (select from ops.push_deliveries where message_id = m.id and outcome is null);
  `,
  '0003_doubted_devices': `
    -- when the service last began to say that the token is dead, in words that somebody else could have written
    alter table ops.push_devices add column doubted_at timestamptz;
  `,
  '0004_quiet_hours': `
    -- when a person is not disturbed, by the clocks of a time zone
    create table ops.push_quiet_hours (
      person_id uuid primary key,
      quiet_hours jsonb not null
    );
    insert into ops.push_quiet_hours
      select person_id, preferences -> 'quiet_hours' from ops.notification_preferences
      where jsonb_typeof(preferences -> 'quiet_hours') = 'object';
    -- null in rows of before: those to one person have waited already
    alter table ops.push_messages add column passes_quiet_hours boolean;
    -- consents are asked of ops.consenting_people; processes of before go on writing these columns
    alter table ops.push_people alter column consent_revision set default -1;
  `,
  '0005_lanes': `
    -- the jobs that send what is queued; they run again for ever
    insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
    select 'push_lane', lane || ' ' || service, now(), now(), '{}', 'push'
    from unnest(array['direct', 'broadcast']) as lane, unnest(array['fcm', 'apns', 'web']) as service
    on conflict do nothing;
  `,
  personalData: {
    'ops.push_devices': {
      whose: 'person_id',
      exported: ['platform', 'environment', 'app_version', 'language', 'registered_at', 'last_seen_at'],
      erased: 'deleted',
      why: pushPurpose,
      retention: { until: 'the session on the device ends' },
    },
    'ops.push_people': {
      whose: 'person_id',
      exported: ['role', 'language'],
      erased: 'deleted',
      why: pushPurpose,
      retention: { until: 'the person has no device any more' },
      seenBy: ['nobody'],
    },
    'ops.push_muted': {
      whose: 'person_id',
      exported: ['kind'],
      erased: 'deleted',
      why: pushPurpose,
      retention: 'account',
      seenBy: ['self'],
    },
    'ops.push_quiet_hours': {
      whose: 'person_id',
      exported: ['quiet_hours'],
      erased: 'deleted',
      why: pushPurpose,
      retention: 'account',
      seenBy: ['self'],
    },
    'ops.push_messages': {
      whose: 'person_id',
      exported: ['kind', 'texts', 'link', 'created_at'],
      erased: 'deleted',
      others: { of_person: 'deleted' },
      why: pushPurpose,
      retention: [{ after: 'expires_at', days: 30, by: '`prunePush`' }],
    },
    'ops.push_deliveries': {
      whose: 'person_id',
      exported: ['message_id', 'device_id', 'outcome', 'settled_at'],
      erased: 'deleted',
      why: pushPurpose,
      retention: { until: 'the message is deleted' },
      seenBy: ['self', 'admins'],
    },
  },
});

/** Deletes messages with their deliveries. @param which a condition on `ops.push_messages` @returns how many messages */
export const deleteMessages = async (
  pool: Queryable,
  which: string,
  values: readonly unknown[] = [],
): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `with gone as (delete from ops.push_messages where ${which} returning id),
     undelivered as (delete from ops.push_deliveries using gone where message_id = gone.id)
     select count(*) from gone`,
    [...values],
  );
  return rows[0]?.count ?? 0;
};

/** Forgets the words of messages to one person, and keeps what became of them. @param which as of `deleteMessages` */
export const forgetWords = async (pool: Queryable, which: string, values: readonly unknown[] = []): Promise<void> => {
  await pool.query(
    `update ops.push_messages m set texts = '{}', of_person = null
     where person_id is not null and texts <> '{}' and ${which}`,
    [...values],
  );
};

/**
 * Deletes messages and their deliveries 30 days after they have expired, and the devices whose session is over. People
 * without devices are forgotten as well. So are the words that a worker could not forget before it died, and what was
 * queued about people after they were erased.
 */
export const prunePush = async (pool: Pool): Promise<void> => {
  await deleteMessages(
    pool,
    `expires_at < now() - interval '30 days' or of_person in (select person_id from ops.erasures)`,
  );
  await forgetWords(pool, 'expires_at < now()');
  await pool.query(
    `delete from ops.push_devices d
     where not exists (select from ops.sessions s where s.id = d.session_id and s.ended_at is null)`,
  );
  await pool.query(
    `delete from ops.push_people p where not exists (select from ops.push_devices d where d.person_id = p.person_id)`,
  );
};
