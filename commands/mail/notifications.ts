/** What people are told in the app when e-mails do not reach them: they would wait for an e-mail about that in vain. */
import { Type } from '@sinclair/typebox';
import { addMs, DAY_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { OneOf } from '../../domain/core/schema.ts';
import { notification, setCue } from '../core/notification.ts';
import { stoppedMail, type Undeliverable, undeliverableCauses } from './addresses.ts';
import type { MailDeps } from './deps.ts';

type Cause = Undeliverable['cause'];

const MAIL_STOPPED = 'mail_stopped';
/** By then it is recorded what became of the e-mail. */
const SOON_MS = MINUTE_MS;

/**
 * Has the person told that an e-mail did not reach them, at most once a month for each cause. Call it before that is recorded:
 * if this process dies in between, the e-mail is tried, refused and told again.
 */
export const cueStoppedMail = (
  { pool, now }: Pick<MailDeps, 'pool' | 'now'>,
  { mailId, personId, cause }: { readonly mailId: string; readonly personId: string; readonly cause: Cause },
): Promise<void> => {
  const at = now();
  return setCue(
    pool,
    { correlationId: mailId },
    {
      name: MAIL_STOPPED,
      key: `${personId}:${cause}:${at.slice(0, 'YYYY-MM'.length)}`,
      about: { personId },
      eventAt: at,
      dueAt: addMs(at, SOON_MS),
    },
  );
};

const titles: Readonly<Record<NotificationLanguage, string>> = {
  ru: 'Наши письма до вас не доходят',
  en: 'Our e-mails do not reach you',
};

/** Why, and what to do. */
const bodies: Readonly<Record<NotificationLanguage, Readonly<Record<Cause, string>>>> = {
  ru: {
    refused: 'Почтовый сервер не знает адреса, указанного в профиле. Проверьте его или укажите другой.',
    bounced: 'Письма на адрес, указанный в профиле, возвращаются. Укажите другой адрес.',
    complained:
      'Наше письмо отметили как спам, и на этот адрес мы больше не пишем. Чтобы снова получать письма, укажите другой адрес или напишите в поддержку.',
    unsupported: 'На адрес, указанный в профиле, наша почта отправить не может. Укажите другой адрес.',
    full: 'Ваш почтовый ящик переполнен. Освободите место или укажите другой адрес.',
    blocked:
      'Ваш почтовый сервис не принимает наших писем. Мы с этим разбираемся. До тех пор читайте сообщения здесь или укажите другой адрес.',
  },
  en: {
    refused: 'The mail server does not know the address in your profile. Check it, or enter another one.',
    bounced: 'E-mails to the address in your profile come back. Enter another address.',
    complained:
      'One of our e-mails was marked as spam, so nothing more is sent to that address. To get e-mails again, enter another address or contact support.',
    unsupported: 'Our mail server cannot send to the address in your profile. Enter another address.',
    full: 'Your mailbox is full. Make room in it, or enter another address.',
    blocked:
      'Your mail provider does not take our e-mails. We are looking into it. Until then, read our messages here, or enter another address.',
  },
};

const mailStopped = notification(MAIL_STOPPED, {
  kind: 'system',
  urgency: 'normal',
  worthMs: 7 * DAY_MS,
  params: Type.Object({ cause: OneOf(undeliverableCauses) }),
  find: async ({ personId = '' }, { deps }) => {
    const stopped = await stoppedMail(deps, personId);
    return stopped === null ? [] : [{ to: personId, params: { cause: stopped.cause } }];
  },
  text: {
    ru: ({ cause }) => ({ title: titles.ru, body: bodies.ru[cause] }),
    en: ({ cause }) => ({ title: titles.en, body: bodies.en[cause] }),
  },
  link: () => '/settings/security',
});

export const mailNotifications = [mailStopped];
