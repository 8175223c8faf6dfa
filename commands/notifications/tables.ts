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
export const KEPT_DAYS = 365;

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
  '0004_unread_kept': `
    -- nobody changes them meanwhile, so that none is missed; in the order in which changes of lists lock
    lock table ops.notification_inboxes in access exclusive mode;
    lock table ops.notifications in share row exclusive mode;
    alter table ops.notification_inboxes add column unread integer not null default 0;
    update ops.notification_inboxes i set unread = n.unread from (
      select person_id, count(*) as unread from ops.notifications
      where deleted_at is null and read_at is null group by person_id
    ) n where n.person_id = i.person_id;
    -- whoever changes notifications keeps the number, a process of an earlier release, too
    create function ops.keep_unread() returns trigger language plpgsql as $keep$
    declare
      become uuid[];
      were uuid[];
      one record;
    begin
      if tg_op <> 'DELETE' then
        become := array(select person_id from rows_after where deleted_at is null and read_at is null);
      end if;
      if tg_op <> 'INSERT' then
        were := array(select person_id from rows_before where deleted_at is null and read_at is null);
      end if;
      for one in
        select person_id, sum(change) as more
        from (select unnest(become), 1 union all select unnest(were), -1) as unread (person_id, change)
        group by person_id having sum(change) <> 0 order by person_id
      loop
        update ops.notification_inboxes set unread = unread + one.more where person_id = one.person_id;
      end loop;
      return null;
    end $keep$;
    create trigger added_unread after insert on ops.notifications
      referencing new table as rows_after for each statement execute function ops.keep_unread();
    create trigger changed_unread after update on ops.notifications
      referencing old table as rows_before new table as rows_after for each statement execute function ops.keep_unread();
    create trigger deleted_unread after delete on ops.notifications
      referencing old table as rows_before for each statement execute function ops.keep_unread();
  `,
  '0005_lists_by_index': `
    -- all of a person, for export and erasure; and of these, the list
    create index notifications_of_person on ops.notifications (person_id, (deleted_at is null), seq);
    drop index ops.notifications_listed;
    create index notifications_of_kind on ops.notifications (person_id, kind, seq) where deleted_at is null;
    drop index ops.notifications_unread;
    create index notifications_unread on ops.notifications (person_id, seq) where deleted_at is null and read_at is null;
    create index notifications_unread_of_kind on ops.notifications (person_id, kind, seq)
      where deleted_at is null and read_at is null;
    create index notifications_unread_in_place on ops.notifications
      (person_id, name, (coalesce(params ->> 'thread_id', params ->> 'topic_id')), ((params ->> 'seq')::bigint))
      where deleted_at is null and read_at is null and params ? 'seq';
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
      retention: [{ after: 'at', days: KEPT_DAYS, by: '`pruneNotifications`' }],
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
