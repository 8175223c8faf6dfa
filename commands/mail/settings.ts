/** The environment settings of e-mail. */
import { EMAIL_PATTERN } from '../../domain/accounts/identity.ts';
import { ESCAPED, text, unset } from '../../infra/settings.ts';

/** Known to everybody, so never used in production. */
export const SANDBOX_WEBHOOK_SECRET = `whsec_${Buffer.from('reports of the sandbox about e-mails').toString('base64')}`;

/** The example of the specification that such reports follow. */
const EXAMPLE_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Anything but a user, a password, a host and a port is a part of one that was not escaped. */
const unreadableMailServer = (url: string): string | undefined => {
  try {
    const { username, password, hostname } = new URL(url);
    decodeURIComponent(username + password);
    if (hostname !== '' && /^smtps?:\/\/[^/?#]+\/?$/.test(url)) return undefined;
  } catch {
    // It is told below.
  }
  return `SMTP_URL is no smtps://user:password@host: ${ESCAPED}`;
};

export const mailSettings = {
  SMTP_URL: unset({
    secret: true,
    pattern: '^smtps?://',
    example: 'smtps://user:password@mail.example',
    unreadable: unreadableMailServer,
    description:
      'Mail server: `smtps://user:password@host`, or `smtp://` on port 587, which production always upgrades to TLS. Unset = the sandbox shows the e-mails; in production none are sent.',
  }),
  MAIL_WEBHOOK_SECRET: unset({
    secret: true,
    wellKnown: [SANDBOX_WEBHOOK_SECRET, EXAMPLE_WEBHOOK_SECRET],
    pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
    example: 'whsec_ and what openssl rand -base64 32 prints',
    description:
      'Signs the reports of the mail provider at `/api/v1/webhooks/email` about bounces and complaints (Standard Webhooks): `whsec_` and base64. Unset = production takes none.',
  }),
  MAIL_FROM: text('Resort <no-reply@resort.invalid>', {
    standIn: true,
    neededBy: 'SMTP_URL',
    pattern: `^[^<>\\r\\n]*<${EMAIL_PATTERN}>$`,
    example: 'Resort <no-reply@resort.example>',
    description: 'Sender of e-mails, as `Name <address>`. The domain must let the mail server send for it (SPF, DKIM).',
  }),
};
