/** What the caller wants to be told by push, and when not. */
import { Type } from '@sinclair/typebox';
import { hasConsent } from '../../commands/consents/consents.ts';
import { stoppedMail, undeliverableCauses } from '../../commands/mail/addresses.ts';
import { changePreferences, ownPreferences } from '../../commands/notifications/preferences.ts';
import { Instant, Nullable, OneOf } from '../../domain/core/schema.ts';
import { type ChosenPreferences, NotificationPreferences } from '../../domain/notifications/preferences.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';

const Shown = Type.Object(
  {
    ...NotificationPreferences.properties,
    marketing_consent: Type.Boolean({
      description: 'Whether marketing is consented to (`POST /me/consent`); without it nothing of it is sent.',
    }),
    email_stopped: Nullable(
      Type.Object({
        cause: OneOf(undeliverableCauses),
        at: Instant,
      }),
    ),
  },
  { $id: 'NotificationPreferences' },
);

/** Whoever has not chosen gets marketing by their consent alone. */
const shown = async (app: App, person: string, { marketing, ...chosen }: ChosenPreferences) => {
  const [consent, email_stopped] = await Promise.all([hasConsent(app, person, 'marketing'), stoppedMail(app, person)]);
  return { ...chosen, marketing: marketing ?? consent, marketing_consent: consent, email_stopped };
};

const ABOUT =
  'Whatever is switched off is still listed in `/notifications`. What concerns the safety of a person or their account is always sent. In quiet hours pushes wait, except for urgent ones. `email_stopped` says since when and why e-mails do not reach the address of the account: there is no such mailbox (`refused`), an e-mail came back (`bounced`), or was called spam (`complained`); these start again with another address. Or the last e-mail was refused: the mail server cannot send to such an address (`unsupported`), the mailbox is full (`full`), or the mail server takes no e-mails of this system (`blocked`).';

const get = route('GET /api/v1/push/preferences', {
  id: 'getNotificationPreferences',
  access: 'user',
  summary: 'Get own notification preferences',
  description: ABOUT,
  reply: Shown,
  handle: async ({ caller }, app) => shown(app, caller.id, await ownPreferences(app, caller.id)),
});

const change = route('PATCH /api/v1/push/preferences', {
  id: 'changeNotificationPreferences',
  access: 'user',
  summary: 'Change own notification preferences',
  description: `Fields that are not sent stay. ${ABOUT}`,
  body: Type.Partial(NotificationPreferences, { minProperties: 1, $id: 'NotificationPreferencesUpdate' }),
  reply: Shown,
  handle: async ({ body, caller }, app) => shown(app, caller.id, await changePreferences(app, caller.id, body)),
});

export const preferenceRoutes = [get, change];
