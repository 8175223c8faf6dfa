/** What the holder of an account is told about its security. An SMS to the former phone is sent beside it: `notices.ts`. */
import { Type } from '@sinclair/typebox';
import { account } from '../../domain/accounts/account.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Instant, OneOf } from '../../domain/core/schema.ts';
import { dayAndTime } from '../../domain/core/wording.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { type Cue, notification, plainMail, setCue } from '../core/notification.ts';
import { type CredentialEvent, credentialChangeOf, credentialChanges } from './credentialChange.ts';
import { identityId } from './identityIds.ts';

const WEEK = 7 * DAY_MS;

const changes = [...credentialChanges, 'sign_in'] as const;
type Change = (typeof changes)[number];

/** What has changed, in a few words. */
export const securityTitles: Readonly<Record<NotificationLanguage, Readonly<Record<Change, string>>>> = {
  ru: {
    phone: 'Номер телефона изменён',
    phone_added: 'Добавлен номер телефона',
    phone_removed: 'Номер телефона удалён',
    email: 'Адрес почты изменён',
    email_added: 'Добавлен адрес почты',
    email_removed: 'Адрес почты удалён',
    email_lost: 'Ваш адрес почты подтвердил другой человек, и он удалён из аккаунта',
    password: 'Пароль изменён',
    password_added: 'Добавлен пароль',
    password_removed: 'Пароль удалён',
    provider: 'Добавлен новый способ входа',
    provider_removed: 'Способ входа удалён',
    sign_in: 'Вход с нового устройства',
  },
  en: {
    phone: 'Your phone number was changed',
    phone_added: 'A phone number was added',
    phone_removed: 'Your phone number was removed',
    email: 'Your e-mail address was changed',
    email_added: 'An e-mail address was added',
    email_removed: 'Your e-mail address was removed',
    email_lost: 'Somebody else has proved that your e-mail address is theirs, and it was removed',
    password: 'Your password was changed',
    password_added: 'A password was added',
    password_removed: 'Your password was removed',
    provider: 'Another way to sign in was added',
    provider_removed: 'A way to sign in was removed',
    sign_in: 'Sign-in from a new device',
  },
};

/** What to do when it was somebody else. */
export const securityAdvice: Readonly<Record<NotificationLanguage, string>> = {
  ru: 'Если это были не вы, смените пароль и напишите в поддержку.',
  en: 'If it was not you, change your password and contact support.',
};

/** Nobody has got into the account, but its person may have nothing left to sign in with. */
const addressLost: Readonly<Record<NotificationLanguage, string>> = {
  ru: 'Вы не подтвердили этот адрес. Добавьте телефон или другой адрес, чтобы входить и дальше.',
  en: 'You had not verified this address. Add a phone number or another address, so that you can go on signing in.',
};

/** What to do about a change. */
export const adviceOn = (change: Change): Readonly<Record<NotificationLanguage, string>> =>
  change === 'email_lost' ? addressLost : securityAdvice;

const cueOf = (event: CredentialEvent): Cue => ({
  about: { accountId: event.streamId, change: credentialChangeOf(event) },
});

const ACCOUNT_SECURITY = 'account_security';
/** A sign-in is told to devices that were signed in this long before, in milliseconds. */
const EARLIER_MS = HOUR_MS;

/** Whether another device, which a sign-in can be told to, was signed in some time before. */
const wasSignedIn = async ({ pool }: Pick<CoreDeps, 'pool'>, accountId: string, at: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'select from ops.sessions where account_id = $1 and ended_at is null and expires_at > $2 and started_at < $3 limit 1',
    [accountId, at, addMs(at, -EARLIER_MS)],
  );
  return rowCount === 1;
};

/** A sign-in is no event: this is where it is told from. */
export const cueSignIn = (
  { pool }: Pick<CoreDeps, 'pool'>,
  context: CommandContext,
  accountId: string,
): Promise<void> =>
  setCue(pool, context, {
    name: ACCOUNT_SECURITY,
    key: context.commandId,
    about: { accountId, change: 'sign_in' },
    eventAt: context.at,
    dueAt: context.at,
  });

const accountSecurity = notification(ACCOUNT_SECURITY, {
  kind: 'system',
  urgency: 'critical',
  worthMs: WEEK,
  params: Type.Object({ change: OneOf(changes) }),
  on: {
    PhoneChanged: cueOf,
    EmailChanged: cueOf,
    PasswordChanged: cueOf,
    PasswordRemoved: cueOf,
    ProviderLinked: cueOf,
    ProviderUnlinked: cueOf,
  },
  find: async ({ accountId = '', change: changed }, { deps, eventAt }) => {
    const change = changes.find((each) => each === changed);
    if (!change || (change === 'sign_in' && !(await wasSignedIn(deps, accountId, eventAt)))) return [];
    return [{ to: accountId, params: { change } }];
  },
  text: {
    ru: ({ change }) => ({
      title: securityTitles.ru[change],
      body: adviceOn(change).ru,
    }),
    en: ({ change }) => ({
      title: securityTitles.en[change],
      body: adviceOn(change).en,
    }),
  },
  link: () => '/settings/security',
  mail: plainMail,
  toFormerAddresses: true,
});

/** The first account is opened with a role; later ones are asked for. */
const roleAnswered = notification('role_request_answered', {
  kind: 'system',
  urgency: 'normal',
  worthMs: WEEK,
  params: Type.Object({ is_approved: Type.Boolean() }),
  on: {
    RoleRequestApproved: ({ streamId: accountId }) => ({ about: { accountId, answer: 'approved' } }),
    RoleRequestRejected: ({ streamId: accountId }) => ({ about: { accountId, answer: 'rejected' } }),
  },
  find: async ({ accountId = '', answer }) => [{ to: accountId, params: { is_approved: answer === 'approved' } }],
  text: {
    ru: ({ is_approved }) =>
      is_approved
        ? { title: 'Заявка одобрена', body: 'Теперь вы можете продавать на курорте. Войдите ещё раз.' }
        : { title: 'Заявка отклонена', body: 'Причина указана в заявке. Вы можете подать новую.' },
    en: ({ is_approved }) =>
      is_approved
        ? { title: 'Your request is approved', body: 'You can sell at the resort now. Sign in again.' }
        : { title: 'Your request is rejected', body: 'The request says why. You can make another one.' },
  },
  link: () => '/settings/role',
});

/** Whoever did not ask for it has until then to sign in. */
const erasurePending = notification('account_erasure_pending', {
  kind: 'system',
  urgency: 'critical',
  worthMs: WEEK,
  params: Type.Object({ due_at: Instant }),
  on: {
    ErasureRequested: ({ streamId: accountId, data: { dueAt } }) => ({ about: { accountId, dueAt }, key: accountId }),
  },
  takenBackBy: {
    ErasureWithdrawn: ({ streamId: to, at }) => ({ to, key: to, version: Date.parse(at) }),
  },
  find: async ({ accountId = '', dueAt: due_at = '' }, { eventAt }) => [
    { to: accountId, params: { due_at }, version: Date.parse(eventAt) },
  ],
  text: {
    ru: ({ due_at }) => ({
      title: 'Аккаунт будет удалён',
      body: `${dayAndTime('ru', 'UTC', due_at)} аккаунт и все ваши данные будут удалены навсегда. Чтобы сохранить их, войдите до этого времени.`,
    }),
    en: ({ due_at }) => ({
      title: 'Your account will be deleted',
      body: `On ${dayAndTime('en', 'UTC', due_at)} your account and all your data will be deleted for good. To keep them, sign in before then.`,
    }),
  },
  link: () => '/settings/privacy',
  mail: plainMail,
  toFormerAddresses: true,
});

const PHONE_REFUSED = 'phone_refused';

/** The SMS gateway will never send to this number: whoever has it is told in the app, once. @param phoneId its fingerprint */
export const cueRefusedPhone = (
  { pool }: Pick<CoreDeps, 'pool'>,
  context: CommandContext,
  { accountId, phoneId }: { readonly accountId: string; readonly phoneId: string },
): Promise<void> =>
  setCue(pool, context, {
    name: PHONE_REFUSED,
    key: `${accountId}:${phoneId}`,
    about: { accountId, phoneId },
    eventAt: context.at,
    dueAt: context.at,
  });

const phoneRefused = notification(PHONE_REFUSED, {
  kind: 'system',
  urgency: 'normal',
  worthMs: WEEK,
  params: Type.Object({}),
  find: async ({ accountId = '', phoneId }, { deps }) => {
    const { state } = await deps.aggregates.load(account, accountId);
    const phone = state.status === 'open' ? state.phone : null;
    const isStillTheirs = phone !== null && identityId(deps.vault, 'phone', phone) === phoneId;
    return isStillTheirs ? [{ to: accountId, params: {} }] : [];
  },
  text: {
    ru: () => ({
      title: 'Наши SMS до вас не доходят',
      body: 'На номер, указанный в профиле, SMS отправить нельзя. Проверьте его или укажите другой.',
    }),
    en: () => ({
      title: 'Our text messages do not reach you',
      body: 'No text messages can be sent to the number in your profile. Check it, or enter another one.',
    }),
  },
  link: () => '/settings/security',
});

export const accountNotifications = [accountSecurity, roleAnswered, erasurePending, phoneRefused];
