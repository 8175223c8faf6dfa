/** The environment settings of e-mail, and the port that is made from them. */
import { isIP } from 'node:net';
import { EMAIL_PATTERN } from '../../domain/accounts/identity.ts';
import { ESCAPED, text, unset } from '../../infra/settings.ts';
import type { ModuleConfig } from '../core/module.ts';
import type { MailPorts } from './deps.ts';
import { createSmtpTransport } from './smtp.ts';
import type { MailTransport } from './transport.ts';

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
type Config = ModuleConfig<typeof mailSettings>;

/** RFC 5321, 4.1.3: the host of the public address; an IP address is written as a literal. */
export const ownNameOf = (publicUrl: string): string => {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version === 0) return host;
  return version === 4 ? `[${host}]` : `[IPv6:${host}]`;
};

export const mailTransportOf = ({
  NODE_ENV,
  SMTP_URL,
  MAIL_FROM,
  SANDBOX_URL,
  SANDBOX_SMTP_PORT,
  PUBLIC_URL,
}: Config): MailTransport | null => {
  const isProduction = NODE_ENV === 'production';
  if (SMTP_URL === undefined && isProduction) return null;
  const url = SMTP_URL ?? `smtp://${new URL(SANDBOX_URL).hostname}:${SANDBOX_SMTP_PORT}`;
  return createSmtpTransport({ url, from: MAIL_FROM, requireTls: isProduction, ownName: ownNameOf(PUBLIC_URL) });
};

export const connectMail = (config: Config): MailPorts => ({
  mailTransport: mailTransportOf(config),
  settings: {
    senderName: config.MAIL_FROM.replace(/<.*$/, '').trim() || new URL(config.PUBLIC_URL).host,
    mailWebhookSecret: config.MAIL_WEBHOOK_SECRET ?? (config.NODE_ENV === 'production' ? null : SANDBOX_WEBHOOK_SECRET),
  },
});
