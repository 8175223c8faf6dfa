/**
 * Tells operators of what needs a person, without Prometheus. Every process reports what concerns it; one of them tells. It
 * goes on with what it sees itself while the database is away, which is a reason to tell.
 */
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { holderName } from '../../infra/leases.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { type Concern, createAlertWatch } from '../alerts/seen.ts';
import { type Channels, maskedOperator, sendToOperators } from './channels.ts';
import { type Due, dueOf, type Known, type Memory, noted, told, withOthers } from './decide.ts';
import { messageOf } from './message.ts';
import { holdMemory, keepMemory, leave, readReports, report } from './reports.ts';

export interface TellerOptions {
  readonly pool: Pool;
  readonly channels: Channels;
  /** Of this process, such as `api`. */
  readonly roles: string;
  readonly log: Logger;
  /** What concerns this process; by default what the alerts see in its metrics. */
  readonly look?: () => Promise<readonly Concern[]>;
  readonly everyMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const EVERY_MS = 15_000;
/** So long the others hear of what this process has told alone. Shorter than until they say that it is over. */
const HANDED_OVER_MS = 2 * MINUTE_MS;
const [RETRY_MS, LONGEST_RETRY_MS] = [MINUTE_MS, 5 * MINUTE_MS];

/** Sends what is due. @returns what is known afterwards */
const createSender = ({ channels, log }: Pick<TellerOptions, 'channels' | 'log'>) => {
  const backoff = createBackoff(RETRY_MS, LONGEST_RETRY_MS);
  const from = new URL(channels.publicUrl).host;
  let notBefore = 0;
  const send = async (due: Due): Promise<boolean> => {
    const { isTold, sent } = await sendToOperators(channels, messageOf(due, from), due);
    const failed = sent.flatMap(({ to, failed: why }) => (why === undefined ? [] : [`${maskedOperator(to)}: ${why}`]));
    const about = { begun: due.begun.map(({ alert }) => alert), over: due.over.map(({ alert }) => alert) };
    if (!isTold) log.error({ ...about, failed }, 'operators cannot be told what needs a person');
    else log.info({ ...about, operators: sent.length - failed.length }, 'operators were told');
    if (isTold && failed.length > 0) log.warn({ failed }, 'an operator cannot be told');
    return isTold;
  };
  return async (memory: Memory, now: number): Promise<Memory> => {
    const due = dueOf(memory, now);
    if (due === undefined || performance.now() < notBefore) return memory;
    const isTold = await send(due);
    if (isTold) backoff.reset();
    notBefore = isTold ? 0 : performance.now() + backoff.next();
    return isTold ? told(memory, due, now) : memory;
  };
};

export const startTeller = (options: TellerOptions): { stop(): Promise<void> } => {
  const { pool, roles, log, look = createAlertWatch(), everyMs = EVERY_MS, now = Date.now } = options;
  const process = holderName();
  const send = createSender(options);
  const stopping = new AbortController();
  /** Of the process that tells. */
  let memory: Memory | undefined;
  /** Since when the database is away for this process, and until when others hear of what it has told meanwhile. */
  let alone: { readonly since: number; readonly told: readonly Known[]; handOverUntil?: number } | undefined;

  const withDatabase = async (concerns: readonly Concern[]): Promise<void> => {
    await report(pool, { process, roles, concerns, told: alone?.told ?? [] });
    const held = await holdMemory(pool, process);
    if (held === undefined) {
      memory = undefined;
      if (alone) alone.handOverUntil ??= now() + HANDED_OVER_MS;
      if (now() > (alone?.handOverUntil ?? Number.POSITIVE_INFINITY)) alone = undefined;
      return;
    }
    const all = await readReports(pool, process);
    const own = alone && held.isStillOurs ? memory : undefined;
    const before = noted(withOthers(own ?? held.memory, [...all.told, ...(alone?.told ?? [])]), all.concerns, now());
    // Also what begins is kept, so that another process goes on counting.
    await keepMemory(pool, process, before);
    alone = undefined;
    memory = await send(before, now());
    await keepMemory(pool, process, memory);
  };
  /** Of what concerns others nothing is known meanwhile: it is neither new nor over. */
  const withoutDatabase = async (before: Memory, concerns: readonly Concern[]): Promise<void> => {
    alone ??= { since: now(), told: [] };
    const own = new Set(concerns.map(({ alert, about }) => `${alert} ${about}`));
    const ofOthers = before.known.filter(
      ({ alert, about, goneSince }) => goneSince === undefined && !own.has(`${alert} ${about}`),
    );
    memory = await send(noted(before, [...concerns, ...ofOthers], now()), now());
    const { since } = alone;
    alone = {
      since,
      told: memory.known.filter(({ toldAt = 0, goneSince }) => toldAt >= since && goneSince === undefined),
    };
  };
  let isAway = false;
  const round = async (): Promise<void> => {
    const concerns = await look();
    try {
      await withDatabase(concerns);
      if (isAway) log.info('over: what concerns this process cannot be reported');
      isAway = false;
    } catch (err) {
      if (!isAway) log.warn({ why: (err as Error).message }, 'what concerns this process cannot be reported');
      isAway = true;
      if (memory !== undefined) await withoutDatabase(memory, concerns);
    }
  };

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await round().catch((err: unknown) => log.error({ err }, 'operators cannot be told what needs a person'));
      await sleep(everyMs, stopping.signal);
    }
    await leave(pool, process).catch((err: unknown) => log.warn({ err }, 'the report of this process was not removed'));
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
