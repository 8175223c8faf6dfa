/** Delivers a message to a device: decides whether it may be sent now, sends it, and settles what became of it. */
import { msBetween } from '../../domain/core/instants.ts';
import { quietUntil } from '../../domain/push/quietHours.ts';
import { gatherBy } from '../../infra/gather.ts';
import { metrics } from '../../infra/metrics.ts';
import type { Pool } from '../../infra/postgres.ts';
import { createBackoff, sleep, spread } from '../../infra/retry.ts';
import { hasConsent } from '../consents/consents.ts';
import type { PushDeps } from './deps.ts';
import { DOUBTED_MS, forgetDead, isDeadAgain, trustDevice } from './devices.ts';
import { type Settlement, settleDeliveries, type TakenDelivery } from './queue.ts';
import type { Device, PushOutcome, PushServiceName, ServiceMessage } from './service.ts';

const SETTLED_AT_ONCE = 500;
/** Backoff of one delivery. */
const [SHORTEST_MS, LONGEST_MS] = [1_000, 60_000];

const LANGUAGES = ['ru', 'en'];
/** The text in the language of the reader, else the first one. */
const textFor = ({ texts, language }: Pick<TakenDelivery, 'texts' | 'language'>): { title: string; body: string } => {
  const found = [language.slice(0, 2), ...LANGUAGES].find((name) => texts[name]);
  return (found ? texts[found] : Object.values(texts)[0]) ?? { title: '', body: '' };
};

const messageOf = (delivery: TakenDelivery): ServiceMessage => ({
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
const leftMs = ({ expires_at, taken_at }: TakenDelivery): number => Math.max(0, msBetween(taken_at, expires_at));

type Verdict = Omit<Settlement, 'messageId' | 'deviceId'>;
const verdictOf = (outcome: PushOutcome, delivery: TakenDelivery): Verdict => {
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
const withheld = async (deps: PushDeps, delivery: TakenDelivery): Promise<Verdict | undefined> => {
  const { kind, person_id: person, taken_at: now } = delivery;
  if (delivery.token === null) return settledAs('gone');
  if (delivery.is_expired) return settledAs('expired');
  if (delivery.is_muted) return settledAs('unwanted');
  if (kind === 'marketing' && !(await hasConsent(deps, person, 'marketing'))) return settledAs('unwanted');
  const until = delivery.passes_quiet_hours ? null : quietUntil(delivery.quiet_hours, now);
  if (until === null) return undefined;
  const laterMs = Math.min(leftMs(delivery), msBetween(now, until));
  return { outcome: null, reason: 'the person is not disturbed at this hour', laterMs, isTried: false };
};

const settle = gatherBy(
  async (pool: Pool, settled: readonly Settlement[]) => {
    await settleDeliveries(pool, settled);
    return settled;
  },
  SETTLED_AT_ONCE,
  1,
);
const bury = gatherBy(
  async (pool: Pool, dead: readonly { id: string; since: string }[]) => {
    await forgetDead(pool, dead);
    return dead;
  },
  SETTLED_AT_ONCE,
  1,
);

/** Until it is recorded, while the database is away: what was delivered must not be sent again. */
const record = async (deps: PushDeps, settlement: Settlement, stopping?: AbortSignal): Promise<void> => {
  for (const backoff = createBackoff(); ; )
    try {
      await settle(deps.pool, settlement);
      return;
    } catch (err) {
      deps.log.warn({ err }, 'the outcome of a push message was not recorded yet');
      if (stopping?.aborted) return;
      await sleep(backoff.next(), ...(stopping ? [stopping] : []));
    }
};

const attempt = async (deps: PushDeps, name: PushServiceName, delivery: TakenDelivery): Promise<Verdict> => {
  const { pushServices, pushCircuit: circuit, pool } = deps;
  const service = pushServices[name];
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
  if (outcome.kind === 'delivered' && delivery.is_doubted) await trustDevice(pool, delivery.device_id);
  if (outcome.kind !== 'dead') return verdictOf(outcome, delivery);
  const { taken_at: sent, device_id: id } = delivery;
  const since = outcome.since !== undefined && outcome.since < sent ? outcome.since : sent;
  if (outcome.isDoubtful && !(await isDeadAgain(pool, { id, since }))) {
    const reason = `${outcome.reason}, to be confirmed`;
    return verdictOf({ kind: 'later', reason, afterMs: DOUBTED_MS, isAway: false }, delivery);
  }
  await bury(pool, { id, since });
  return verdictOf(outcome, delivery);
};

/** Sends a delivery, or has it wait, and settles it. It never throws. @param stopping nothing is waited for any more */
export const deliver = async (
  deps: PushDeps,
  name: PushServiceName,
  delivery: TakenDelivery,
  stopping?: AbortSignal,
): Promise<void> => {
  const { message_id: messageId, device_id: deviceId } = delivery;
  try {
    const verdict = (await withheld(deps, delivery)) ?? (await attempt(deps, name, delivery));
    await record(deps, { messageId, deviceId, ...verdict }, stopping);
    metrics.pushDeliveries.inc({ service: name, outcome: verdict.outcome ?? 'later' });
  } catch (err) {
    // It is due again by itself.
    deps.log.warn({ err, service: name }, 'a push message was left to a later attempt');
  }
};
