/**
 * Tells the rescuers of a request that nobody has acknowledged: the first on duty at once, the next one every minute, then
 * all admins, every few minutes and later more rarely, until somebody answers. A person who cannot be reached costs no
 * minute, and while nobody at all can be reached, they are told again soon. A message is rather sent twice than never.
 */

import { account } from '../../domain/accounts/account.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { sos } from '../../domain/sos/incident.ts';
import { metrics } from '../../infra/metrics.ts';
import { withTimeout } from '../../infra/retry.ts';
import { allAdmins } from '../accounts/admins.ts';
import { defineJob } from '../core/jobs.ts';
import type { SosDeps } from './deps.ts';
import { loadDuty, rescuersOnDuty } from './duty.ts';

/** A person on duty has this long to answer before the next one is told, in milliseconds. */
export const ANSWER_MS = MINUTE_MS;
/** All admins are told this often, at first. */
const AGAIN_MS = 5 * MINUTE_MS;
const OFTEN = 12;
/** So many rounds that reach nobody are repeated soon: then it is no short outage, or no admin has a phone. */
const SOON = 10;
const LATER_MS = 30 * MINUTE_MS;
const SEND_MS = 10_000;

/**
 * Which language a rescuer reads is not known: `en` is also the language of everybody who has chosen none. Texts that are not
 * only Latin have 70 characters in one SMS.
 */
export const textOf = (level: number | 'again'): string => {
  if (level === 'again') return 'SOS: просят снова! Откройте доску SOS / asked again, open SOS board';
  return level === 0
    ? 'SOS: нужна помощь, откройте доску SOS / help needed, open SOS board'
    : 'SOS: ответа нет! Откройте доску SOS / no answer yet, open SOS board';
};

/**
 * How long the rescuers who were told have, in milliseconds.
 * @param round of all admins, 0 for the first; below 0: somebody on duty was told
 */
const patienceIn = (round: number, isReached: boolean): number => {
  // Nobody on duty has read anything: the next one is told at once.
  if (round < 0) return isReached ? ANSWER_MS : 0;
  if (isReached) return round < OFTEN ? AGAIN_MS : LATER_MS;
  if (round < SOON) return ANSWER_MS;
  return round < SOON + OFTEN ? AGAIN_MS : LATER_MS;
};

/** Sends an SMS. A failure is no reason not to tell the others. @returns whether it was sent */
export const tell = async (deps: SosDeps, accountId: string, text: string): Promise<boolean> => {
  try {
    const { state } = await deps.aggregates.load(account, accountId);
    const phone = state.status === 'open' ? state.phone : null;
    if (phone === null || isPlaceholder(phone)) {
      metrics.sosNotices.inc({ outcome: 'no_phone' });
      deps.log.warn({ account: accountId }, 'a rescuer has no phone number: no SMS about an SOS request');
      return false;
    }
    await withTimeout(deps.sms.send(phone, text), SEND_MS, 'the SMS sender took too long');
    metrics.sosNotices.inc({ outcome: 'sent' });
    return true;
  } catch (err) {
    metrics.sosNotices.inc({ outcome: 'failed' });
    deps.log.error({ err, account: accountId }, 'a rescuer could not be told of an SOS request by SMS');
    return false;
  }
};

/** The job's id is the incident's. */
export const sosEscalation = defineJob<{ personId: string }, SosDeps>(
  'sos_escalation',
  async ({ id: incidentId, data: { personId } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(sos, personId);
    if (state?.incidentId !== incidentId || state.status !== 'new') return undefined;
    const { level } = state;
    const duty = await rescuersOnDuty(deps, await loadDuty(deps), context.at);
    const next = duty[level];
    const notified = next === undefined ? await allAdmins(deps.pool) : [next];
    if (notified.length === 0)
      deps.log.error({ incidentId }, 'nobody can be told of an SOS request: there are no admins');
    const told = await Promise.all(notified.map((person) => tell(deps, person, textOf(level))));
    const escalate = { type: 'EscalateSos', incidentId, level: level + 1, notified } as const;
    await deps.aggregates.handle(sos, personId, escalate, context);
    const round = level - duty.length;
    if (round >= OFTEN) deps.log.error({ incidentId, level }, 'nobody answers an SOS request');
    return { againAt: addMs(context.at, patienceIn(round, told.includes(true))) };
  },
  // After a failure the same people may be told again.
  { urgentMs: ANSWER_MS },
);
