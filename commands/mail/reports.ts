/**
 * Reports of the mail provider about e-mails that it had taken: bounces that came later, and complaints. They are signed as
 * Standard Webhooks (`infra/standardWebhooks.ts`), which several providers send by themselves.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { metrics } from '../../infra/metrics.ts';
import { signatureFault, type WebhookHeaders } from '../../infra/standardWebhooks.ts';
import { validator } from '../../infra/validation.ts';
import { markUndeliverable } from './addresses.ts';
import type { MailDeps } from './deps.ts';
import { cueStoppedMail } from './notifications.ts';
import { sentMail } from './queue.ts';

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

/** A report as it came. */
export interface SignedReport {
  readonly headers: WebhookHeaders;
  readonly rawBody: string;
}

/** The report was not signed with our secret, or too long ago. */
export class ForgedMailReport extends Error {
  override readonly name = 'ForgedMailReport';
}

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
  { headers, rawBody }: SignedReport,
  admit: () => Promise<void>,
): Promise<void> => {
  const { mailReportSecret } = deps.settings;
  if (mailReportSecret === null || signatureFault(mailReportSecret, headers, rawBody, Date.parse(deps.now())))
    throw new ForgedMailReport();
  await admit();
  const body = parsed(rawBody);
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
