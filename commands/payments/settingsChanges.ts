/**
 * A change of where a seller's money goes. The seller gets an SMS, so that a stranger cannot redirect the payouts
 * unnoticed, and operators find the change in the review list. The account number itself is in neither.
 */

import type { Recorded } from '../../domain/core/decider.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { paymentsPurpose } from '../../domain/payments/index.ts';
import { migrations } from '../../infra/migrations.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { inTransaction, type Queryable } from '../../infra/postgres.ts';
import { tellOwner } from '../accounts/notices.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from './deps.ts';

export const settingsChangeKinds = ['provider', 'bank_account', 'bank_account_removed'] as const;
export type SettingsChangeKind = (typeof settingsChangeKinds)[number];

export const settingsChangeMigrations = migrations('payments', {
  '0001_settings_changes': `
  create table ops.payment_settings_changes (
    -- of the event
    id uuid primary key,
    owner_id uuid not null,
    changed text not null,
    changed_at timestamptz not null,
    actor_kind text not null,
    actor_id text not null,
    actor_role text not null
  );
  create index payment_settings_changes_at on ops.payment_settings_changes (changed_at);
`,
  '0003_settings_changes_of_owners': `
    create index payment_settings_changes_owner_id on ops.payment_settings_changes (owner_id);
  `,
  personalData: {
    'ops.payment_settings_changes': {
      whose: 'owner_id',
      exported: ['changed', 'changed_at'],
      erased: { kept: 'ids only: who changed where money goes stays provable' },
      others: { actor_id: keptBecause.doneBy },
      why: paymentsPurpose,
      retention: [{ after: 'changed_at', days: 90 }],
      seenBy: ['self', 'admins'],
    },
  },
});

/** What has changed, in a few words. */
export const settingsTitles: Readonly<Record<NotificationLanguage, Readonly<Record<SettingsChangeKind, string>>>> = {
  ru: {
    provider: 'Другой платёжный сервис для ваших продаж',
    bank_account: 'Другой счёт для ваших выплат',
    bank_account_removed: 'Счёт для ваших выплат удалён',
  },
  en: {
    provider: 'Another payment provider for your sales',
    bank_account: 'Another bank account for your payouts',
    bank_account_removed: 'The bank account for your payouts was removed',
  },
};

/** Tells the seller by SMS. The job's id is the event's. */
export const settingsNotice = defineJob<{ ownerId: string; changed: SettingsChangeKind; at?: string }, PaymentDeps>(
  'settings_notice',
  async ({ id, data: { ownerId, changed, at } }, ctx) => {
    const change = { accountId: ownerId, at: at ?? ctx.deps.now() };
    await tellOwner(ctx, id, change, (language) => settingsTitles[language][changed]);
    return undefined;
  },
);

/** Records the change once and schedules the SMS to the seller. The settings of the whole platform have no seller. */
const recordChange =
  (changed: SettingsChangeKind) =>
  async (
    { id, streamId: ownerId, at, meta }: Recorded<EventOf<SettingsEvent>>,
    { deps }: PolicyContext<PaymentDeps>,
  ): Promise<void> => {
    if (ownerId === ONLY_ONE) return;
    const { kind, id: actorId, role } = meta.actor;
    await inTransaction(deps.pool, async (client) => {
      const { rowCount } = await client.query(
        `insert into ops.payment_settings_changes (id, owner_id, changed, changed_at, actor_kind, actor_id, actor_role)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing`,
        [id, ownerId, changed, at, kind, actorId, role],
      );
      if (rowCount !== 1) return;
      await settingsNotice.schedule(client, meta, { id, dueAt: deps.now(), data: { ownerId, changed, at } });
    });
  };
type SettingsEvent = 'PaymentProviderChosen' | 'NominalAccountSet' | 'NominalAccountRemoved';

export const settingsChangePolicy = policy<PaymentDeps>('payment_settings', {
  PaymentProviderChosen: recordChange('provider'),
  NominalAccountSet: recordChange('bank_account'),
  NominalAccountRemoved: recordChange('bank_account_removed'),
});

export interface SettingsChange {
  readonly id: string;
  readonly owner_id: string;
  readonly changed: SettingsChangeKind;
  readonly changed_at: string;
  readonly changed_by: { readonly kind: string; readonly id: string; readonly role: string };
}

/** The changes of the last 30 days, newest first, at most 100. */
export const recentSettingsChanges = async (db: Queryable): Promise<SettingsChange[]> => {
  const { rows } = await db.query<
    Omit<SettingsChange, 'changed_by'> & Record<`actor_${'kind' | 'id' | 'role'}`, string>
  >(
    `select id, owner_id, changed, changed_at, actor_kind, actor_id, actor_role from ops.payment_settings_changes
     where changed_at > now() - interval '30 days' order by changed_at desc, id limit 100`,
  );
  return rows.map(({ actor_kind, actor_id, actor_role, ...row }) => ({
    ...row,
    changed_by: { kind: actor_kind, id: actor_id, role: actor_role },
  }));
};
