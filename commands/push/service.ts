/** The port to the services that deliver to devices: one adapter each for FCM, APNs and Web Push. */

import { pushPurpose } from '../../domain/push/index.ts';
import type { Answer } from '../../infra/outside/exchange.ts';
import { knownCause } from '../../infra/outsideFault.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';

export const pushedMessages: ExternalPersonalData = {
  what: 'device tokens and messages at FCM, APNs and Web Push services (bodies of Web Push are encrypted)',
  where: 'provider',
  why: pushPurpose,
  retention: { until: 'the message is delivered or expires, at the service' },
  exported: '`ops.push_devices` and `ops.push_messages`',
  erased: 'nothing is sent any more; the service forgets a token with the app',
};

export const pushServices = ['fcm', 'apns', 'web'] as const;
export type PushServiceName = (typeof pushServices)[number];

export interface Device {
  readonly platform: 'ios' | 'android' | 'web';
  readonly environment: 'production' | 'sandbox';
  /** Of Web Push: the address of the subscription. */
  readonly token: string;
  /** Of Web Push: base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string } | null;
}

/** A message in the language of its reader. */
export interface ServiceMessage {
  /** The same for every attempt. */
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly link: string;
  readonly urgency: 'normal' | 'high';
  /** The device shows only the last message with the same key. */
  readonly collapseKey: string;
  /** RFC 3339. Nobody delivers it later. */
  readonly expiresAt: string;
}

export type PushOutcome =
  /** The service has taken it over. */
  | { readonly kind: 'delivered' }
  /**
   * The token is of no use any more, by the service since `since` (RFC 3339), if it says so. `isDoubtful`: somebody between
   * could have said it, so that it counts only if it is said again much later.
   */
  | { readonly kind: 'dead'; readonly reason: string; readonly since?: string; readonly isDoubtful?: true }
  /** This message will never be taken, but others may be. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Not now. `afterMs`: when the service said. `isAway`: nothing that is sent to the same destination would be taken. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs?: number; readonly isAway: boolean };

export interface PushService {
  /** What is away together: one server. */
  destinationOf(device: Device): string;
  /** It never throws. It takes at most some seconds. */
  send(device: Device, message: ServiceMessage): Promise<PushOutcome>;
  /** Whether the service accepts our keys, without sending anything to anybody. @throws what is wrong with them */
  check(): Promise<void>;
  close(): void;
}

/** Milliseconds from a `Retry-After` of seconds or a date; undefined without one. */
export const retryAfterMs = (header: string | undefined, now: number): number | undefined => {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

/** What every service means by 429 and 5xx. */
export const later = (status: number, reason: string, retryAfter: string | undefined, now: number): PushOutcome => {
  const afterMs = retryAfterMs(retryAfter, now);
  return {
    kind: 'later',
    reason: `${status} ${reason}`.trim(),
    isAway: true,
    ...(afterMs !== undefined && { afterMs }),
  };
};

/** An answer that the service did not write, such as a page of a proxy: nothing is known about the message. */
export const foreign = ({ status, headers }: Pick<Answer, 'status' | 'headers'>, now: number): PushOutcome =>
  later(status, 'was not answered by the service', status >= 500 ? headers['retry-after'] : undefined, now);

/** A request that failed without an answer. */
export const failed = (error: unknown): PushOutcome => ({
  kind: 'later',
  reason: knownCause(error) ?? (error instanceof Error ? error.message : String(error)),
  isAway: true,
});
