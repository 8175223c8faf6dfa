/** Runs the checks of what is outside: at the start beside the roles, and again and again while they run. */
import { AccessDenied, StoreUnavailable } from '../../eventstore/client/index.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { deepestCause, isTlsFault, OutsideFault } from '../../infra/outsideFault.ts';
import { sleep, withTimeout } from '../../infra/retry.ts';
import { ConfigError } from '../../infra/settings.ts';
import type { Config } from '../config.ts';
import { lineOf } from './check.ts';
import { type PartCheck, parts } from './parts.ts';

const LIMIT_MS = 20_000;
const EVERY_MS = 600_000;
/** While something is wrong: whoever repairs it wants to see it soon. */
const AGAIN_MS = 30_000;

/** Errors whose message is ours: it names no secret, and nothing that somebody outside has written. */
const OURS = [OutsideFault, ConfigError, AccessDenied, StoreUnavailable];

const causeOf = (error: unknown): string =>
  OURS.some((kind) => error instanceof kind) && (error as Error).cause === undefined
    ? (error as Error).message
    : deepestCause(error);

/** What does not pass by itself, such as an outage does. */
const isForGood = (error: unknown): boolean => (error instanceof OutsideFault && error.isForGood) || isTlsFault(error);

/** One attempt. `line` says what is wrong, what may happen and what to do; undefined: nothing is wrong. */
export interface Tried {
  readonly check: PartCheck;
  readonly part: string;
  readonly line: string | undefined;
  /** Worth knowing, although nothing is wrong. */
  readonly note?: string;
}

/** All attempts of a check, side by side, each within seconds. */
export const tryParts = async (check: PartCheck, config: Config, log: Logger): Promise<Tried[]> => {
  const failed = (part: string, error: unknown): Tried => {
    const lasts = isForGood(error) ? ', which lasts until it is repaired' : '';
    const wrong = `${part}${check.isAdvice ? '' : ' cannot be used'}: ${causeOf(error)}${lasts}`;
    return { check, part, line: lineOf(check, { wrong, toDo: check.toDo }) };
  };
  try {
    const attempts = check.attempts(config, log);
    return await Promise.all(
      attempts.map(async ({ part, run }) => {
        try {
          const note = await withTimeout(
            Promise.resolve().then(run),
            LIMIT_MS,
            `no answer within ${LIMIT_MS / 1_000} s`,
          );
          return { check, part, line: undefined, ...(typeof note === 'string' && { note }) };
        } catch (error) {
          return failed(part, error);
        }
      }),
    );
  } catch (error) {
    return [failed(`what check ${check.name} looks at`, error)];
  }
};

export interface PartsWatch {
  /** For operators: what is wrong, and why. */
  remarks(): readonly string[];
  /** For everybody: without addresses and reasons. */
  brief(): readonly string[];
  stop(): Promise<void>;
}

/** Each outage is one line in the log when it begins or changes, and one when it is over. */
export const watchParts = (
  config: Config,
  role: 'api' | 'policies',
  log: Logger,
  checks: readonly PartCheck[] = parts,
  { everyMs = EVERY_MS, againMs = AGAIN_MS } = {},
): PartsWatch => {
  const stopping = new AbortController();
  const wrong = new Map<PartCheck, readonly Tried[]>();

  const note = (check: PartCheck, tried: readonly Tried[]): void => {
    const before = new Map(wrong.get(check)?.map(({ part, line }) => [part, line]));
    const now = tried.filter(({ line }) => line !== undefined);
    for (const { part, line } of now) {
      metrics.checkFailures.inc({ check: check.name });
      if (before.get(part) !== line) log.error({ check: check.name, part, why: line }, 'a check has failed');
    }
    for (const part of before.keys())
      if (!now.some((each) => each.part === part)) log.info({ check: check.name, part }, 'over: a check has failed');
    wrong.set(check, now);
    metrics.checkFailing.set({ check: check.name }, now.length);
  };
  const repeat = async (check: PartCheck): Promise<void> => {
    metrics.checkFailures.inc({ check: check.name }, 0);
    while (!stopping.signal.aborted) {
      const tried = await tryParts(check, config, log);
      if (stopping.signal.aborted) return;
      note(check, tried);
      const isWrong = tried.some(({ line }) => line !== undefined);
      await sleep(isWrong ? againMs : Math.min(everyMs, check.everyMs ?? everyMs), stopping.signal);
    }
  };
  const running = checks.filter(({ roles }) => roles.includes(role)).map(repeat);
  const failing = () => [...wrong.values()].flat();
  return {
    remarks: () => failing().map(({ line = '' }) => line),
    brief: () =>
      [...new Set(failing().map(({ check }) => check.name))].map(
        (name) => `The check "${name}" fails: the log of the process has the reason.`,
      ),
    stop: async () => {
      stopping.abort();
      // An attempt that hangs ends by its own limit, and does not hold up the end.
      await Promise.race([Promise.all(running), sleep(500)]);
    },
  };
};
