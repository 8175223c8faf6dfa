/** One-time codes by SMS. An account is read only for a device that signed in before. */

import { Rejected } from '../../domain/core/decider.ts';
import { withTimeout } from '../../infra/retry.ts';
import type { CommandContext } from '../core/handle.ts';
import { type CodeStatus, issueCode, RESEND_MS } from './codes.ts';
import type { AccountDeps } from './deps.ts';
import { deviceOf } from './devices.ts';
import { findHolder } from './identities.ts';
import { identifier } from './identityIds.ts';
import { countMessage } from './smsCaps.ts';

const SEND_MS = 10_000;

type Deps = Pick<AccountDeps, 'aggregates' | 'pool' | 'vault' | 'settings' | 'log' | 'sms'>;

/**
 * Somebody who asks for a code may have no account yet, and so no language. Texts that are not only Latin have 70
 * characters in one SMS.
 */
export const codeText = (code: string): string => `Код/code: ${code}. 5 мин/min. Никому не говорите / never share it.`;

/** For log lines: enough to recognise one's own number. */
export const masked = (phone: string): string => `${phone.slice(0, 2)}***${phone.slice(-2)}`;

/**
 * Sends a new code; the one before it is void.
 * @throws Rejected `too_many_attempts` when it is too soon or too often, `invalid` for an invalid phone number,
 * `sms_unavailable`
 */
export const sendCode = async (
  deps: Deps,
  context: CommandContext,
  phoneAsTyped: string,
  deviceToken?: string,
): Promise<CodeStatus> => {
  const phone = identifier('phone', phoneAsTyped);
  const holder = deviceToken === undefined ? null : await findHolder(deps, 'phone', phone);
  const device = await deviceOf(deps, deviceToken, holder?.accountId);
  const uncount = await countMessage(deps, context, { to: phone, device });
  const { code, status } = await issueCode(deps, context, { to: phone, device }).catch(async (error: unknown) => {
    await uncount();
    throw error;
  });
  await deliver(deps, context, phone, codeText(code));
  return status;
};

const deliver = async (
  { sms, log }: Pick<AccountDeps, 'sms' | 'log'>,
  { correlationId: correlation_id }: Pick<CommandContext, 'correlationId'>,
  phone: string,
  text: string,
): Promise<void> => {
  try {
    await withTimeout(sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
    log.info({ to: masked(phone), correlation_id }, 'one-time code sent');
  } catch (err) {
    log.error({ err, to: masked(phone), correlation_id }, 'one-time code not sent');
    const wait = RESEND_MS / 1_000;
    throw new Rejected('sms_unavailable', `The code could not be sent. Try again in ${wait} s.`, {
      retry_after_s: wait,
    });
  }
};
