/**
 * Caps on messages that anybody can have sent: they cost money, annoy their receivers, and each code is five guesses. A
 * device that signed in to the account before has a cap of its own, so that strangers cannot use up its messages.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_S, HOUR_S } from '../../domain/core/instants.ts';
import { rateKeyOf } from '../../infra/network.ts';
import { scaled } from '../../infra/scaled.ts';
import { logSecurity } from '../../infra/securityLog.ts';
import type { CommandContext } from '../core/handle.ts';
import type { CodeHolder } from './codes.ts';
import { type Counter, CounterFull, count, uncount } from './counters.ts';
import type { AccountDeps } from './deps.ts';

const PER_DEVICE = 10;

type Deps = Pick<AccountDeps, 'vault' | 'settings' | 'pool' | 'log'>;

const capsOf = ({ settings, vault }: Deps, { to, device }: CodeHolder, address: string): Counter[] => {
  const key = (...parts: string[]) => vault.fingerprint('sms_cap', parts.join('\u0000'));
  if (device !== undefined) return [{ key: key('device', device), max: PER_DEVICE, seconds: DAY_S }];
  const perAddress = scaled(settings.smsPerAddress, settings.rateLimits);
  return [
    { key: key('address', address), max: perAddress, seconds: HOUR_S },
    { key: key('number', to), max: settings.smsPerNumber, seconds: DAY_S },
    { key: key('all'), max: settings.smsPerDay, seconds: DAY_S },
  ];
};

/**
 * Counts one message. @returns a function that takes the count back, for a message that was not sent
 * @throws Rejected `too_many_attempts`, with `retry_after_s`
 */
export const countMessage = async (
  deps: Deps,
  context: Pick<CommandContext, 'ip' | 'at'>,
  to: CodeHolder,
): Promise<() => Promise<void>> => {
  const caps = capsOf(deps, to, rateKeyOf(context.ip ?? 'none'));
  try {
    await count(deps.pool, caps, context.at);
  } catch (error) {
    if (!(error instanceof CounterFull)) throw error;
    logSecurity(deps.log, 'sms_capped', { ip: context.ip, target: deps.vault.fingerprint('attempts', to.to) });
    if (to.device === undefined && error.key === caps.at(-1)?.key)
      deps.log.error({ max: deps.settings.smsPerDay }, 'SMS_PER_DAY is reached: no more codes are sent today');
    throw new Rejected('too_many_attempts', `Too many codes were sent. Try again in ${error.seconds} s.`, {
      retry_after_s: error.seconds,
    });
  }
  return () =>
    uncount(
      deps.pool,
      caps.map(({ key }) => key),
    );
};
