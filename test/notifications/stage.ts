/** People and their notifications on the real stores, on a clock of ours. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { sendMessage } from '../../commands/chat/messages.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import type { NotificationDeclaration } from '../../commands/core/notification.ts';
import { moduleMigrations, notificationDeclarations } from '../../commands/modules.ts';
import { addNotices } from '../../commands/notifications/addNotifications.ts';
import { forgetTitles } from '../../commands/notifications/forgetTitles.ts';
import { inboxOf } from '../../commands/notifications/inbox.ts';
import { loadPeople } from '../../commands/notifications/namesAndLanguages.ts';
import { shownTo } from '../../commands/notifications/texts.ts';
import { instantOf } from '../../domain/core/instants.ts';
import type { Notification } from '../../domain/notifications/notification.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { pageOfNotifications } from '../../projections/notifications/notifications.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Changes, type Node, testDeps } from '../kit/deps.ts';
import type { Stores } from '../kit/stores.ts';
import { createMachine } from '../model/machine.ts';
import { withDevice } from './device.ts';

export const security = notificationDeclarations.find(
  ({ name }) => name === 'account_security',
) as NotificationDeclaration;

export const createNotificationStage = (stores: Stores, changes: Changes = {}) => {
  const time = { ms: Date.parse('2027-01-01T10:00:00Z') };
  const now = (): string => instantOf(time.ms);
  const pass = (seconds: number): void => {
    time.ms += seconds * 1_000;
  };
  const start = (): Node => testDeps(stores, { ...changes, now });
  const node = start();
  const machine = createMachine(start, time);
  const by = (person: string) => contextOf(person, 'tourist', now());

  return {
    time,
    now,
    pass,
    start,
    node,
    by,
    /** Opens the account of a person with a phone. @returns its id */
    open: async (firstName: string, language = 'en'): Promise<string> => {
      const details = { role: 'tourist', phone: newPhone(), firstName, lastName: 'Ivanova', language } as const;
      return withDevice(node, (await openAccount(node, by(randomUUID()), details)).accountId);
    },
    /** @param from the process that is asked; the caches of another one may know erased people */
    listOf: async (person: string, from = node): Promise<Notification[]> => {
      const filter = { unread: false, kind: undefined, before: undefined };
      const { rows } = await pageOfNotifications(readDb(stores.pool), person, filter, 100);
      const people = await loadPeople(
        from,
        [person],
        rows.map(({ of_person }) => of_person),
      );
      return rows.map((row) => shownTo(from, row, people));
    },
    unread: (person: string) => inboxOf(node, person).then(({ unread }) => unread),
    /** What was queued for the devices of the person. */
    pushesTo: async (person: string): Promise<object[]> => {
      const { rows } = await stores.pool.query<{ texts: { any: object } }>(
        'select texts, kind, urgency, link, collapse_key from ops.push_messages where person_id = $1 order by created_at',
        [person],
      );
      return rows.map(({ texts, ...message }) => ({ ...texts.any, ...message }));
    },
    /** What the person was told live. */
    toldLive: async (person: string): Promise<{ type: string; data: Record<string, unknown> }[]> => {
      const { rows } = await stores.pool.query<{ type: string; data: string }>(
        `select type, data from read.changes where channel = $1 order by "offset"`,
        [`realtime:user_${person}`],
      );
      return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }));
    },
    /** Tells a person something: by default that their password was changed. */
    tell: (to: string, key: string, at = now(), declaration = security, params: object = { change: 'password' }) =>
      addNotices(node, {
        declaration,
        notices: [{ to, params }],
        key,
        at,
        correlationId: randomUUID(),
      }),
    say: async (threadId: string, from: string, mentions: readonly string[] = []): Promise<void> => {
      const message = { threadId, kind: 'text', body: 'a secret', mentions, attachments: [] } as const;
      const sender = { accountId: from, isAgent: false };
      await sendMessage(node, by(from), sender, { ...message, replyTo: null, clientMessageId: null });
    },
    erase: async (person: string): Promise<void> => {
      const directory = path.join(tmpdir(), `tombstones-${randomUUID()}`);
      const plan = {
        modules: [{ after: forgetTitles }],
        tables: moduleMigrations,
        tombstones: createTombstones(directory),
      };
      await erasePerson(node, plan, person);
      await rm(directory, { recursive: true, force: true });
    },
    /** Policies and what is due within so many seconds. */
    work: async (seconds = 0): Promise<void> => {
      await machine.work('main');
      pass(seconds);
      await machine.work('main');
      await machine.work('main');
    },
  };
};
