/** What the holder of an account is told by e-mail about its security, on the real stores and on a clock of ours. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { cueSignIn } from '../../commands/accounts/notifications.ts';
import type { Message } from '../../commands/mail/transport.ts';
import { account } from '../../domain/accounts/account.ts';
import { addMs, DAY_MS, DAY_S } from '../../domain/core/instants.ts';
import { type PaymentSettings, paymentSettings } from '../../domain/payments/paymentSettings.ts';
import { newPhone } from '../accounts/sms.ts';
import { freshStores } from '../kit/stores.ts';
import { createNotificationStage } from './stage.ts';

let mails: Message[] = [];
const mailTransport = {
  send: async (mail: Message) => void mails.push(mail),
  check: async () => undefined,
  close: () => undefined,
};

const stores = await freshStores();
const { node, by, now, listOf, pass, work } = createNotificationStage(stores, { mailTransport });
beforeEach(() => {
  mails = [];
});

const addressOf = (): string => `${randomUUID()}@example.test`;
/** With an address that an admin has vouched for. */
const open = async (more: { readonly email?: string; readonly language?: string } = {}): Promise<string> => {
  const details = { role: 'tourist', phone: newPhone(), password: 'a-long-Passw0rd', language: 'en', ...more } as const;
  return (await openAccount(node, by('admin'), details)).accountId;
};
type Kind = 'email' | 'phone';
const revisionOf = async (person: string) => (await node.aggregates.load(account, person)).state.identifierRevision;
const change = async (person: string, kind: Kind, value: string | null, former: string | null = randomUUID()) => {
  const moved = { value, former, asOf: await revisionOf(person) };
  return node.aggregates.handle(account, person, { type: 'ChangeProfile', [kind]: moved }, by(person));
};
const changePassword = (person: string) =>
  node.aggregates.handle(account, person, { type: 'ChangePassword', passwordHash: 'x' }, by(person));
/** To whom which subject was sent since the last look. */
const sent = async (): Promise<string[]> => {
  await work();
  return mails.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
};
const titles = async (person: string): Promise<string[]> => (await listOf(person)).map(({ title }) => title).reverse();

it('tells of each change that a thief would make, in the language of the person', async () => {
  const email = addressOf();
  const person = await open({ email, language: 'ru' });
  await changePassword(person);
  await work();
  expect(mails).toMatchObject([{ to: email, subject: 'Пароль изменён' }]);
  expect(mails.splice(0)[0]?.text).toContain('Если это были не вы, смените пароль');
  await change(person, 'phone', newPhone());
  expect(await sent()).toEqual([`${email}: Номер телефона изменён`]);
  const asOf = await revisionOf(person);
  const link = { type: 'LinkProvider', provider: 'x', identityId: randomUUID(), byEmail: null, asOf } as const;
  await node.aggregates.handle(account, person, link, by(person));
  expect(await sent()).toEqual([`${email}: Добавлен новый способ входа`]);
  const session = `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
    values (gen_random_uuid(), $1, 0, $2::timestamptz, $2::timestamptz + interval '30 days')`;
  await stores.pool.query(session, [person, now()]);
  pass(7_200);
  await cueSignIn(node, by(person), person);
  expect(await sent()).toEqual([`${email}: Вход с нового устройства`]);
});

it('tells a verified address that was replaced, of this and for a week of what follows', async () => {
  const [own, other] = [addressOf(), addressOf()];
  const person = await open({ email: own });
  await change(person, 'email', other);
  expect(await sent(), 'nobody has proved the new one').toEqual([`${own}: Your e-mail address was changed`]);
  await node.aggregates.handle(account, person, { type: 'VerifyEmail', email: other }, by(person));
  pass(6 * DAY_S);
  await changePassword(person);
  expect((await sent()).toSorted()).toEqual(
    [`${own}: Your password was changed`, `${other}: Your password was changed`].toSorted(),
  );
  pass(2 * DAY_S);
  await changePassword(person);
  expect(await sent()).toEqual([`${other}: Your password was changed`]);
  await change(person, 'email', null);
  expect(await sent()).toEqual([`${other}: Your e-mail address was removed`]);
});

it('tells an address that was replaced also that the account will be deleted', async () => {
  const own = addressOf();
  const person = await open({ email: own });
  await change(person, 'email', addressOf());
  await sent();
  const dueAt = addMs(now(), 7 * DAY_MS);
  await node.aggregates.handle(account, person, { type: 'RequestErasure', dueAt }, by(person));
  expect(await sent()).toEqual([`${own}: Your account will be deleted`]);
});

it('tells what is added and removed from what is changed', async () => {
  const person = await open();
  await change(person, 'email', addressOf(), null);
  await work();
  await change(person, 'phone', null);
  await work();
  await change(person, 'phone', newPhone(), null);
  await work();
  expect(await titles(person)).toEqual([
    'An e-mail address was added',
    'Your phone number was removed',
    'A phone number was added',
  ]);
  const { accountId: byPhone } = await openAccount(node, by('admin'), { role: 'tourist', phone: newPhone() });
  await changePassword(byPhone);
  await work();
  await changePassword(byPhone);
  await work();
  expect(await titles(byPhone)).toEqual(['A password was added', 'Your password was changed']);
});

it('tells a seller that the account for the payouts was changed', async () => {
  const email = addressOf();
  const seller = await open({ email });
  const nominalAccount = { bik: '044525225', accountNumber: '30101810400000000225', holder: 'A seller' };
  const set = (changes: Partial<PaymentSettings>) =>
    node.aggregates.handle(paymentSettings, seller, { type: 'ChangePaymentSettings', ...changes }, by(seller));
  await set({ nominalAccount });
  expect(await sent()).toEqual([`${email}: Another bank account for your payouts`]);
  await set({ nominalAccount: null });
  expect(await sent()).toEqual([`${email}: The bank account for your payouts was removed`]);
  await set({ provider: 'tbank' });
  expect(await sent()).toEqual([`${email}: Another payment provider for your sales`]);
});
