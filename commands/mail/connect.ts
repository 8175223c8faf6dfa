/** The port of e-mail, made from the settings. */
import { isIP } from 'node:net';
import type { ModuleConfig } from '../core/module.ts';
import type { MailPorts } from './deps.ts';
import { type mailSettings, SANDBOX_WEBHOOK_SECRET } from './settings.ts';
import { createSmtpTransport } from './smtp.ts';
import type { MailTransport } from './transport.ts';

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
    mailReportSecret: config.MAIL_WEBHOOK_SECRET ?? (config.NODE_ENV === 'production' ? null : SANDBOX_WEBHOOK_SECRET),
  },
});
