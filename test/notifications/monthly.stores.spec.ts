/** What people are told by the calendar: sellers of their month, admins of flags that have expired. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { createFlag, deleteFlag } from '../../commands/flags/flags.ts';
import { commandOwnerAccount } from '../../commands/ledger/ownerAccounts.ts';
import { requestPayout } from '../../commands/ledger/payouts.ts';
import { changePreferences } from '../../commands/notifications/preferences.ts';
import { DAY_S } from '../../domain/core/instants.ts';
import { newPhone } from '../accounts/sms.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { createNotificationStage } from './stage.ts';

const CURRENCY = 'RUB';

let stores: Stores;
let stage: ReturnType<typeof createNotificationStage>;
beforeEach(async () => {
  stores = await freshStores();
  stage = createNotificationStage(stores);
});

const account = async (role: 'hotelier' | 'admin'): Promise<string> => {
  const details = {
    role,
    email: `${randomUUID()}@example.test`,
    password: 'a-long-Passw0rd-of-ours',
    phone: newPhone(),
  };
  const by = { ...stage.by(randomUUID()), actor: { kind: 'user', id: randomUUID(), role: 'admin' } } as const;
  return (await openAccount(stage.node, by, { ...details, language: 'en' })).accountId;
};
const mailsTo = async (person: string): Promise<number> =>
  (await stores.pool.query<{ count: number }>('select count(*) from ops.mails where person_id = $1', [person])).rows[0]
    ?.count ?? 0;
const titlesTo = async (person: string) => (await stage.listOf(person)).map(({ title }) => title);
const goTo = async (instant: string): Promise<void> => {
  stage.time.ms = Date.parse(instant);
  await stage.work();
};

it('sends sellers the statement of the month on the first of the next one, at the resort, once', async () => {
  const [seller, silent] = [await account('hotelier'), await account('hotelier')];
  await changePreferences(stage.node, silent, { statement: false });
  const credit = (ownerId: string, amountMinor: number) =>
    commandOwnerAccount(
      stage.node,
      stage.by(ownerId),
      { ownerId, currency: CURRENCY },
      {
        type: 'RecordChange',
        ownerId,
        currency: CURRENCY,
        causeId: randomUUID(),
        causedAt: stage.now(),
        amountMinor,
      },
    );
  for (const ownerId of [seller, silent]) await credit(ownerId, 500_000);
  await stage.work();
  await requestPayout(stage.node, stage.by(seller), { ownerId: seller, currency: CURRENCY, amount: 3_000 });
  await stage.work();
  // February has begun in Moscow, not yet in UTC.
  await goTo('2027-01-31T22:30:00Z');
  await credit(seller, 70_000);
  await stage.work();
  expect(await titlesTo(seller)).toEqual([]);
  await goTo('2027-02-01T04:59:00Z');
  expect(await titlesTo(seller)).toEqual([]);
  await goTo('2027-02-01T05:00:30Z');
  expect(await titlesTo(seller)).toEqual(['Statement: January 2027']);
  expect((await stage.listOf(seller))[0]?.body.replaceAll(/\s/g, ' ')).toBe(
    'Available at the beginning of the month: RUB 0. Earned RUB 5,000, taken back RUB 0, paid out RUB 3,000. Available at its end: RUB 2,000.',
  );
  await stage.work(DAY_S);
  expect([await mailsTo(seller), await mailsTo(silent)]).toEqual([1, 0]);
  expect(await titlesTo(silent)).toEqual(['Statement: January 2027']);
  await goTo('2027-03-01T05:00:30Z');
  expect(await titlesTo(seller)).toEqual(['Statement: February 2027', 'Statement: January 2027']);
  expect(await titlesTo(silent)).toHaveLength(1);
  await goTo('2027-04-01T05:00:30Z');
  expect(await titlesTo(seller)).toHaveLength(2);
});

it('reminds admins once a week of flags that have expired', async () => {
  const [admin, seller] = [await account('admin'), await account('hotelier')];
  const flag = (expires: string) => ({
    enabled: true,
    definition: { description: '', condition: { strategies: [], parents: [] }, payload: { variants: [] }, expires },
    reason: null,
  });
  await createFlag(stage.node, stage.by(admin), 'old', flag('2027-01-10'));
  await createFlag(stage.node, stage.by(admin), 'older', flag('2027-01-12'));
  await stage.work();
  // Mondays: the 4th, 11th, 18th and 25th.
  await goTo('2027-01-04T06:01:00Z');
  expect(await titlesTo(admin)).toEqual([]);
  await goTo('2027-01-11T06:01:00Z');
  expect((await stage.listOf(admin)).map(({ body }) => body)).toEqual([
    '1 flag is past the expiry date. Delete them, or give them another date.',
  ]);
  await stage.work(3 * DAY_S);
  expect(await titlesTo(admin)).toHaveLength(1);
  await goTo('2027-01-18T06:01:00Z');
  expect((await stage.listOf(admin))[0]?.body).toContain('2 flags are past');
  for (const key of ['old', 'older']) await deleteFlag(stage.node, stage.by(admin), key);
  await goTo('2027-01-25T06:01:00Z');
  expect(await titlesTo(admin)).toHaveLength(2);
  expect(await titlesTo(seller)).toEqual([]);
  const { rows } = await stores.pool.query(`select id from ops.jobs where kind = 'flag_review'`);
  expect(rows).toEqual([]);
});
