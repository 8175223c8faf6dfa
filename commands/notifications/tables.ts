/**
 * The tables of notifications. They lie outside the log and are never rebuilt: their ids derive from what they tell of, so
 * that nobody is told twice. Texts are not stored, but made of `params` when they are shown, in the language of then and
 * with the names of then.
 */
import { migrations } from '../../infra/migrations.ts';

/** Why this module holds personal data. */
const notificationsPurpose = {
  purpose: 'tell people what concerns them',
  basis: 'contract',
  seenBy: ['self'],
} as const;

/** What is older is deleted; nothing older is added, such as by a policy that handles the whole log. */
const KEPT_DAYS = 365;

export const notificationMigrations = migrations('notifications', {
  '0001_notifications': `
    -- one row a person, locked by every change of their list: so the list changes in the order of the numbers
    create table ops.notification_inboxes (
      person_id uuid primary key,
      last_seq bigint not null,
      -- all up to this number were marked as read at once
      read_up_to bigint not null default 0
    );
    create table ops.notifications (
      id uuid primary key,
      person_id uuid not null,
      seq bigint not null,
      -- of the declaration
      name text not null,
      kind text not null,
      params jsonb not null,
      -- whose name the text shows
      of_person uuid,
      -- when it happened
      at timestamptz not null,
      -- notices with one id replace each other: the newer one has the higher version
      version bigint not null,
      -- how many it stands for; 0: for itself alone
      count integer not null,
      read_at timestamptz,
      -- a deleted one stays, without what it said, so that it is not added again
      deleted_at timestamptz
    );
    create index notifications_listed on ops.notifications (person_id, seq) where deleted_at is null;
    create index notifications_unread on ops.notifications (person_id) where deleted_at is null and read_at is null;
    create index notifications_at on ops.notifications (at);
  `,
  '0002_preferences': `
    create table ops.notification_preferences (person_id uuid primary key, preferences jsonb not null);
  `,
  '0003_titles_of_sellers': `
    create index notifications_of_sellers on ops.notifications ((params ->> 'owner_id')) where params ? 'owner_id';
  `,
  personalData: {
    'ops.notification_inboxes': {
      whose: 'person_id',
      exported: [],
      erased: 'deleted',
      why: notificationsPurpose,
      retention: 'account',
      seenBy: ['nobody'],
    },
    'ops.notifications': {
      whose: 'person_id',
      exported: ['name', 'kind', 'params', 'at', 'count', 'read_at', 'deleted_at'],
      erased: 'deleted',
      others: { of_person: { kept: 'the text shows the name that the account has when it is read' } },
      why: notificationsPurpose,
      retention: [{ after: 'at', days: KEPT_DAYS }],
    },
    'ops.notification_preferences': {
      whose: 'person_id',
      exported: ['preferences'],
      erased: 'deleted',
      why: notificationsPurpose,
      retention: 'account',
    },
  },
});
