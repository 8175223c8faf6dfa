/** Sellers get an SMS when their payout settings change, and operators see the change. */

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { changeOwnerSettings, setDefaultProvider } from '../../commands/payments/paymentSettings.ts';
import { recentSettingsChanges, settingsChangeMigrations } from '../../commands/payments/settingsChanges.ts';
import { keepPeriods } from '../../infra/retention.ts';
import { newPhone } from '../accounts/sms.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const nominalAccount = { bik: '044030827', accountNumber: '40702810900000002851', holder: 'Anna Orlova' };
const admin = contextOf(randomUUID(), 'admin');

let stage: Stage;
let sent: { phone: string; text: string }[];
/** How often the SMS sender fails before it works. */
let failures: number;
beforeEach(async () => {
  stage = await createStage(await freshStores());
  sent = [];
  failures = 0;
  const send = async (phone: string, text: string) => {
    if (failures > 0) {
      failures -= 1;
      throw new Error('the gateway is down');
    }
    sent.push({ phone, text });
  };
  stage.work(changed(stage.newNode(), { sms: { send } }));
});

const seller = async (phone: string | null = newPhone()) => {
  const email = `${randomUUID()}@example.test`;
  const who = { role: 'hotelier', email, phone, password: 'correct horse battery' } as const;
  return (await openAccount(stage.node, admin, { ...who, firstName: 'Anna', lastName: 'Orlova' })).accountId;
};
const changes = () => recentSettingsChanges(stage.node.pool);

it('a seller gets an SMS about a changed bank account, without its number', async () => {
  const phone = newPhone();
  const ownerId = await seller(phone);
  await changeOwnerSettings(stage.node, contextOf(ownerId, 'hotelier'), ownerId, { nominalAccount });
  await until(() => sent.length === 1);
  expect(sent[0]?.phone).toBe(phone);
  expect(sent[0]?.text).toMatch(
    /^Другой счёт для ваших выплат\. .*смените пароль.* \/ Another bank account for your payouts\. .*change your password/,
  );
  expect(sent[0]?.text).not.toMatch(/\d/);
  expect(await changes()).toEqual([
    expect.objectContaining({
      owner_id: ownerId,
      changed: 'bank_account',
      changed_by: { kind: 'user', id: ownerId, role: 'hotelier' },
    }),
  ]);
  expect(JSON.stringify(await changes())).not.toContain(nominalAccount.accountNumber);
});

it('every change is listed, newest first, with the admin who made it', async () => {
  const ownerId = await seller();
  await changeOwnerSettings(stage.node, admin, ownerId, { nominalAccount });
  await changeOwnerSettings(stage.node, contextOf(admin.actor.id, 'admin'), ownerId, { provider: 'tbank' });
  await changeOwnerSettings(stage.node, contextOf(admin.actor.id, 'admin'), ownerId, { nominalAccount: null });
  await until(async () => (await changes()).length === 3);
  expect((await changes()).map((each) => each.changed)).toEqual(['bank_account_removed', 'provider', 'bank_account']);
  for (const { changed_by } of await changes())
    expect(changed_by).toEqual({ kind: 'user', id: admin.actor.id, role: 'admin' });
  await until(() => sent.length === 3);
});

it('an SMS that cannot be sent is sent later', async () => {
  failures = 1;
  const ownerId = await seller();
  await changeOwnerSettings(stage.node, contextOf(ownerId, 'hotelier'), ownerId, { provider: 'tbank' });
  await until(() => failures === 0);
  await stage.runNow('security_sms', 1);
  await until(() => sent.length === 1);
});

it('lists a seller without a phone number, who gets no SMS; the default provider has no seller', async () => {
  const ownerId = await seller(null);
  await setDefaultProvider(stage.node, admin, 'tbank');
  await changeOwnerSettings(stage.node, contextOf(ownerId, 'hotelier'), ownerId, { provider: 'tbank' });
  await until(async () => (await changes()).length === 1);
  // Set with the change. The e-mail about it goes on waiting for a server.
  await until(async () => !(await stage.jobs()).some((kind) => ['settings_notice', 'security_sms'].includes(kind)));
  expect((await changes())[0]?.owner_id).toBe(ownerId);
  expect(sent).toEqual([]);
});

it('old changes are deleted', async () => {
  const ownerId = await seller();
  await changeOwnerSettings(stage.node, contextOf(ownerId, 'hotelier'), ownerId, { provider: 'tbank' });
  await until(async () => (await changes()).length === 1);
  await keepPeriods(stage.node.pool, [settingsChangeMigrations]);
  expect(await changes()).toHaveLength(1);
  await stage.node.pool.query(`update ops.payment_settings_changes set changed_at = now() - interval '91 days'`);
  await keepPeriods(stage.node.pool, [settingsChangeMigrations]);
  const { rows } = await stage.node.pool.query('select id from ops.payment_settings_changes');
  expect(rows).toEqual([]);
});
