/**
 * Reports of the mail provider about e-mails that it had taken: bounces that came later, and complaints. They are signed as
 * Standard Webhooks (https://www.standardwebhooks.com) are, which several providers send by themselves.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { metrics } from '../../infra/metrics.ts';
import { validator } from '../../infra/validation.ts';
import { markUndeliverable } from './addresses.ts';
import type { MailDeps } from './deps.ts';
import { cueStoppedMail } from './notifications.ts';
import { sentMail } from './queue.ts';

/** A copied report is worth nothing after this time. */
const FRESH_MS = 5 * MINUTE_MS;

export const MailReport = Type.Object(
  {
    type: Type.String({
      examples: ['email.bounced'],
      description: '`email.bounced` and `email.complained` are read, others are ignored.',
    }),
    data: Type.Object(
      {
        message_id: Type.String({ maxLength: 400, description: 'The `Message-ID` of the e-mail.' }),
        permanent: Type.Optional(
          Type.Boolean({ default: true, description: 'Of a bounce: false where the address may take e-mails again.' }),
        ),
        code: Type.Optional(
          Type.Integer({ minimum: 400, maximum: 599, description: 'Of a bounce: the reply code of the mail server.' }),
        ),
      },
      { additionalProperties: true },
    ),
  },
  { $id: 'MailReport', additionalProperties: true },
);
const isReport = validator(MailReport);
const isUuid = validator(Uuid);

/** What a report was sent with. */
export interface SignedReport {
  readonly rawBody: string;
  /** `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` (`v1,<base64>`, several divided by spaces). */
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** The report was not signed with our secret, or too long ago. */
export class ForgedMailReport extends Error {
  override readonly name = 'ForgedMailReport';
}

/** @param secret `whsec_` and base64 */
export const signatureOf = (secret: string, { id, timestamp, rawBody }: Omit<SignedReport, 'signature'>): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${rawBody}`)
    .digest('base64')}`;

/** @throws ForgedMailReport */
const verify = (secret: string, report: SignedReport, now: string): void => {
  const expected = Buffer.from(signatureOf(secret, report));
  const isOurs = report.signature.split(' ').some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  const age = Math.abs(Date.parse(now) - Number(report.timestamp) * 1_000);
  if (!isOurs || !(age <= FRESH_MS)) throw new ForgedMailReport();
};

type Cause = 'bounced' | 'complained';
const causeOf = ({ type, data: { permanent = true } }: Static<typeof MailReport>): Cause | undefined => {
  if (type === 'email.complained') return 'complained';
  return type === 'email.bounced' && permanent ? 'bounced' : undefined;
};

/** undefined: it is no JSON */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `<id@domain>` → id */
const rowIdIn = (messageId: string): string => messageId.replace(/^</, '').replace(/@.*$/s, '').toLowerCase();

/**
 * Verifies and applies a report: nothing more is sent to an address that bounced for good, or whose owner complained. What is
 * not about an e-mail of ours changes nothing. Safe to repeat.
 * @param admit called once the sender is verified; throws to refuse
 * @throws ForgedMailReport, also where no secret is set
 */
export const receiveMailReport = async (
  deps: Pick<MailDeps, 'pool' | 'log' | 'now' | 'settings'>,
  report: SignedReport,
  admit: () => Promise<void>,
): Promise<void> => {
  const { mailWebhookSecret } = deps.settings;
  if (mailWebhookSecret === null) throw new ForgedMailReport();
  verify(mailWebhookSecret, report, deps.now());
  await admit();
  const body = parsed(report.rawBody);
  if (!isReport(body)) return;
  const cause = causeOf(body);
  const rowId = rowIdIn(body.data.message_id);
  if (cause === undefined || !isUuid(rowId)) return;
  const sent = await sentMail(deps.pool, rowId);
  if (sent === null) return;
  await cueStoppedMail(deps, { mailId: rowId, personId: sent.personId, cause });
  await markUndeliverable(deps.pool, { ...sent, cause, code: body.data.code ?? null });
  metrics.mails.inc({ outcome: cause });
  deps.log.warn({ person: sent.personId, cause, error_code: body.data.code }, 'an e-mail came back');
};
