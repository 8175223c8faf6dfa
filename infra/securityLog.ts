/**
 * What looks like an attack, in one form for whoever watches: a log line with `security` as its kind, the address and the
 * account, and a count of each kind. Unlike other lines these contain full addresses: keep them accordingly.
 */
import type { Logger } from './log.ts';
import { metrics } from './metrics.ts';

const texts = {
  sign_in_failed: 'a password or a code was wrong',
  others_identifier: 'an account tried to take an identifier of another one',
  locked: 'too many failed attempts: refused',
  delayed: 'too many failed attempts: the answer is delayed',
  refused: 'invalid credentials, or rights that the caller does not have',
  proof_missing: 'a sensitive change without a fresh proof',
  refresh_token_reused: 'a replaced refresh token was used again: the session ends',
  forged_notification: 'a notification that the provider did not send',
  key_from_wrong_domain: 'an API key was used from a domain that it does not allow',
  sms_capped: 'too many codes were requested',
} as const;
export type SecurityEvent = keyof typeof texts;
for (const event of Object.keys(texts)) metrics.securityEvents.inc({ event }, 0);

export interface Suspect {
  /** Where the request came from; null when it is not known. */
  readonly ip: string | null;
  /** The account or key that it is about, if it is known. */
  readonly account?: string | undefined;
  /** A keyed fingerprint of the target, where that may be nobody's: it tells apart and correlates, and names nobody. */
  readonly target?: string | undefined;
}

export const logSecurity = (log: Logger, event: SecurityEvent, { ip, account, target }: Suspect): void => {
  metrics.securityEvents.inc({ event });
  log.warn({ security: event, ip, ...(account && { account }), ...(target && { target }) }, texts[event]);
};
