/** The last e-mail to somebody whose account is erased: sent just before, and not queued, so that no address is kept for it. */

import { account } from '../../domain/accounts/account.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { certificateOf } from '../core/certificateParts.ts';
import type { CommandContext } from '../core/handle.ts';
import { mailAtOnce } from '../mail/mailAtOnce.ts';
import { type MailDeps, writtenLanguage } from '../mail/mailTo.ts';

const WORTH_MS = HOUR_MS;

const TEXTS = {
  ru: {
    subject: 'Ваш аккаунт удаляется',
    paragraphs: (certificate: string) => [
      'Вы попросили удалить аккаунт. Он и ваши данные удаляются навсегда; номера и суммы бронирований и платежей остаются, как требует закон.',
      `Номер свидетельства об удалении: ${certificate}. Сохраните его: оно показывает, что и где удалено.`,
    ],
    link: 'Свидетельство',
  },
  en: {
    subject: 'Your account is being deleted',
    paragraphs: (certificate: string) => [
      'You asked to delete your account. It and your data are deleted for good; numbers and amounts of bookings and payments stay, as the law demands.',
      `The number of the certificate: ${certificate}. Keep it: it shows what was erased, and where.`,
    ],
    link: 'Certificate',
  },
} as const;

/** It is tried once: the erasure does not wait for a mail server. */
export const sayFarewell = async (deps: MailDeps, context: CommandContext, accountId: string): Promise<void> => {
  const { state } = await deps.aggregates.load(account, accountId);
  if (state.status !== 'open') return;
  const certificateId = certificateOf(deps.vault, accountId);
  const language = await writtenLanguage(deps, accountId, state.language);
  const { subject, paragraphs, link } = TEXTS[language];
  await mailAtOnce(deps, accountId, {
    id: derivedId('farewell', certificateId),
    subject,
    paragraphs: paragraphs(certificateId),
    link: { text: link, path: `/api/v1/erasures/${certificateId}` },
    attachments: [],
    marketing: false,
    language,
    expiresAt: addMs(context.at, WORTH_MS),
  });
};
