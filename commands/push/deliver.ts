/**
 * Delivers what is queued: one loop for each lane and service, so that neither a broadcast nor a service that is away
 * delays anything else. How much is in memory is bounded.
 */
import { msBetween } from '../../domain/core/instants.ts';
import { quietUntil } from '../../domain/push/quietHours.ts';
import { type Bell, createBell } from '../../infra/bell.ts';
import { gather } from '../../infra/gather.ts';
import { listen } from '../../infra/listen.ts';
import { metrics } from '../../infra/metrics.ts';
import { createBackoff, sleep, spread } from '../../infra/retry.ts';
import { type Renewing, whileRenewing } from '../../infra/whileRenewing.ts';
import { hasConsent } from '../consents/consents.ts';
import type { Background } from '../core/background.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import type { PushDeps } from './deps.ts';
import { DOUBTED_MS, forgetDead, isDeadAgain, trustDevice } from './devices.ts';
import {
  CLAIM_MS,
  type ClaimedDelivery,
  claimDeliveries,
  type Lane,
  renewClaims,
  type Settlement,
  settleDeliveries,
  untilNextDelivery,
} from './queue.ts';
import { type Device, type PushOutcome, type PushServiceName, pushServices, type ServiceMessage } from './service.ts';
import { PUSH_CHANNEL } from './tables.ts';

/**
 * Deliveries of a lane and service at the same time. HTTP/2 connections take 100 streams or more. Encrypting for Web Push
 * takes most of a millisecond, and nothing else runs meanwhile.
 */
const AT_ONCE: Readonly<Record<PushServiceName, number>> = { fcm: 200, apns: 200, web: 100 };
/** The queue is read at least this often: a notification may get lost. */
const IDLE_MS = 30_000;
/** What another worker has claimed must not cause a busy loop. */
const LEAST_WAIT_MS = 20;
const SETTLED_AT_ONCE = 500;
/** Twice before a claim runs out. */
const RENEW_MS = CLAIM_MS / 3;
/** Backoff of one delivery. */
const [SHORTEST_MS, LONGEST_MS] = [1_000, 60_000];

const LANGUAGES = ['ru', 'en'];
/** The text in the language of the reader, else the first one. */
const textFor = ({ texts, language }: Pick<ClaimedDelivery, 'texts' | 'language'>): { title: string; body: string } => {
  const found = [language.slice(0, 2), ...LANGUAGES].find((name) => texts[name]);
  return (found ? texts[found] : Object.values(texts)[0]) ?? { title: '', body: '' };
};

const messageOf = (delivery: ClaimedDelivery): ServiceMessage => ({
  id: delivery.message_id,
  kind: delivery.kind,
  ...textFor(delivery),
  link: delivery.link,
  urgency: delivery.urgency,
  // A message that is sent twice, because a worker died before it knew the answer, is shown once.
  collapseKey: delivery.collapse_key ?? delivery.message_id,
  expiresAt: delivery.expires_at,
});

const backoffMs = (attempts: number): number => spread(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (attempts - 1)));

/** Until it expires: then it is due again at the latest, to be settled. */
const leftMs = ({ expires_at, claimed_at }: ClaimedDelivery): number => Math.max(0, msBetween(claimed_at, expires_at));

type Verdict = Omit<Settlement, 'messageId' | 'deviceId'>;
const verdictOf = (outcome: PushOutcome, delivery: ClaimedDelivery): Verdict => {
  const isTried = true;
  if (outcome.kind === 'delivered') return { outcome: 'delivered', reason: null, laterMs: 0, isTried };
  if (outcome.kind !== 'later') return { outcome: outcome.kind, reason: outcome.reason, laterMs: 0, isTried };
  const laterMs = Math.min(leftMs(delivery), Math.max(outcome.afterMs ?? 0, backoffMs(delivery.attempts)));
  return { outcome: null, reason: outcome.reason, laterMs, isTried };
};

const settledAs = (outcome: Settlement['outcome']): Verdict => ({ outcome, reason: null, laterMs: 0, isTried: false });

/**
 * Asked at the sending, however long ago it was queued: whether the person is still there, wants and consents to it, and may
 * be disturbed.
 * @returns what becomes of a delivery that is not sent now; undefined: it is sent
 */
const withheld = async (deps: PushDeps, delivery: ClaimedDelivery): Promise<Verdict | undefined> => {
  const { kind, person_id: person, claimed_at: now } = delivery;
  if (delivery.token === null) return settledAs('gone');
  if (delivery.is_expired) return settledAs('expired');
  if (delivery.is_muted) return settledAs('unwanted');
  if (kind === 'marketing' && !(await hasConsent(deps, person, 'marketing'))) return settledAs('unwanted');
  const until = delivery.passes_quiet_hours ? null : quietUntil(delivery.quiet_hours, now);
  if (until === null) return undefined;
  const laterMs = Math.min(leftMs(delivery), msBetween(now, until));
  return { outcome: null, reason: 'the person is not disturbed at this hour', laterMs, isTried: false };
};

export interface Courier {
  /** Sends a delivery, or has it wait, and settles it. It never throws. @returns whether it is attempted again */
  deliver(name: PushServiceName, delivery: ClaimedDelivery, signal: AbortSignal): Promise<boolean>;
}

/** @param circuit which destinations are away @param renewMs how often claims are renewed */
export const createCourier = (
  deps: PushDeps,
  circuit: Circuit = createCircuit(),
  renewMs: number = RENEW_MS,
): Courier => {
  const settle = gather(
    async (settled: readonly Settlement[]) => {
      await settleDeliveries(deps.pool, settled);
      return settled;
    },
    SETTLED_AT_ONCE,
    1,
  );
  const bury = gather(
    async (dead: readonly { id: string; since: string }[]) => {
      await forgetDead(deps.pool, dead);
      return dead;
    },
    SETTLED_AT_ONCE,
    1,
  );

  const renew = gather(
    async (claimed: readonly ClaimedDelivery[]) => {
      await renewClaims(deps.pool, claimed);
      return claimed;
    },
    SETTLED_AT_ONCE,
    1,
  );
  const renewing = (delivery: ClaimedDelivery): Renewing => ({
    everyMs: renewMs,
    renew: () => renew(delivery),
    onFailure: (err) => deps.log.warn({ err }, 'the claim of a push message was not renewed'),
  });

  /** Until it is recorded, while the database is away: what was delivered must not be sent again. */
  const record = async (settlement: Settlement, signal: AbortSignal): Promise<void> => {
    for (const backoff = createBackoff(); ; )
      try {
        await settle(settlement);
        return;
      } catch (err) {
        deps.log.warn({ err }, 'the outcome of a push message was not recorded yet');
        if (signal.aborted) return;
        await sleep(backoff.next(), signal);
      }
  };

  const attempt = async (name: PushServiceName, delivery: ClaimedDelivery): Promise<Verdict> => {
    const service = deps.pushServices[name];
    if (!service) return { outcome: 'refused', reason: `${name} is not set up`, laterMs: 0, isTried: false };
    const device: Device = { ...delivery, token: delivery.token as string };
    // Chrome's Web Push has the host of FCM: a quota of the one must not stop the other.
    const destination = `${name} ${service.destinationOf(device)}`;
    const waitMs = circuit.waitMs(destination);
    if (waitMs > 0) {
      const laterMs = Math.min(leftMs(delivery), waitMs + Math.random() * SHORTEST_MS);
      return { outcome: null, reason: 'the service is away', laterMs, isTried: false };
    }
    const outcome = await service.send(device, messageOf(delivery));
    // Any other answer says that the service is there, also that it takes no more for this device.
    if (outcome.kind === 'later' && outcome.isAway) circuit.isAway(destination, outcome.afterMs);
    else circuit.isBack(destination);
    if (outcome.kind === 'delivered' && delivery.is_doubted) await trustDevice(deps.pool, delivery.device_id);
    if (outcome.kind !== 'dead') return verdictOf(outcome, delivery);
    const { claimed_at: sent, device_id: id } = delivery;
    const since = outcome.since !== undefined && outcome.since < sent ? outcome.since : sent;
    if (outcome.isDoubtful && !(await isDeadAgain(deps.pool, { id, since }))) {
      const reason = `${outcome.reason}, to be confirmed`;
      return verdictOf({ kind: 'later', reason, afterMs: DOUBTED_MS, isAway: false }, delivery);
    }
    await bury({ id, since });
    return verdictOf(outcome, delivery);
  };

  return {
    deliver: async (name, delivery, signal) => {
      const { message_id: messageId, device_id: deviceId } = delivery;
      try {
        const verdict =
          (await withheld(deps, delivery)) ?? (await whileRenewing(renewing(delivery), () => attempt(name, delivery)));
        await record({ messageId, deviceId, ...verdict }, signal);
        metrics.pushDeliveries.inc({ service: name, outcome: verdict.outcome ?? 'later' });
        return verdict.outcome === null;
      } catch (err) {
        // The claim runs out, and it is attempted again.
        deps.log.warn({ err, service: name }, 'a push message was left to a later attempt');
        return true;
      }
    },
  };
};

/** Delivers one lane of one service until `signal` fires, then finishes what has begun. */
const runLane = async (
  deps: PushDeps,
  { lane, name, courier, bell }: { lane: Lane; name: PushServiceName; courier: Courier; bell: Bell },
  signal: AbortSignal,
): Promise<void> => {
  const running = new Map<string, Promise<void>>();
  /** Whether more was due than could begin. */
  let isMore = false;
  const most = AT_ONCE[name];
  const begin = (delivery: ClaimedDelivery): void => {
    const key = `${delivery.message_id} ${delivery.device_id}`;
    // The claim ran out while the database was away, or this process stood still: it is still at work on it.
    if (running.has(key)) return;
    const work = courier.deliver(name, delivery, signal).then((isAgain) => {
      running.delete(key);
      if (isAgain || (isMore && running.size <= most / 2)) bell.ring();
    });
    running.set(key, work);
  };
  /** @returns milliseconds until it is looked again, unless the bell rings */
  const round = async (): Promise<number> => {
    const free = most - running.size;
    if (free < most / 2) return IDLE_MS;
    const claimed = await claimDeliveries(deps.pool, lane, name, free);
    claimed.forEach(begin);
    isMore = claimed.length === free;
    if (isMore) return running.size > most / 2 ? IDLE_MS : 0;
    const next = await untilNextDelivery(deps.pool, lane, name);
    return Math.min(IDLE_MS, Math.max(LEAST_WAIT_MS, next ?? IDLE_MS));
  };
  for (const backoff = createBackoff(); !signal.aborted; )
    try {
      const waitMs = await round();
      backoff.reset();
      if (waitMs > 0) await bell.heard(waitMs);
    } catch (err) {
      deps.log.warn({ err, lane, service: name }, 'the push messages cannot be read');
      await sleep(backoff.next(), signal);
    }
  await Promise.all(running.values());
};
/** Delivers everything, until `signal` fires. */
export const deliverPush: Background<PushDeps> = async (deps, signal) => {
  const courier = createCourier(deps);
  const lanes = (['direct', 'broadcast'] as const).flatMap((lane) =>
    pushServices.map((name) => ({ lane, name, courier, bell: createBell() })),
  );
  const ringAll = (): void => {
    for (const { bell } of lanes) bell.ring();
  };
  const ring = (service: string): void => {
    for (const { lane, name, bell } of lanes)
      if (service === '' || (lane === 'direct' && name === service)) bell.ring();
  };
  signal.addEventListener('abort', ringAll);
  const listening = listen(deps.databaseUrl, [PUSH_CHANNEL], (_, service) => ring(service), {
    applicationName: 'push',
    log: deps.log,
    onReconnect: ringAll,
    signal,
  });
  void listening.then(ringAll); // what was sent before it listened
  await Promise.all(lanes.map((lane) => runLane(deps, lane, signal)));
  signal.removeEventListener('abort', ringAll);
  await (await listening).stop();
  for (const service of Object.values(deps.pushServices)) service.close();
};
