/** Read your own writes: waits by notification until the read models show a position of the log. */
import type { Position } from '../../domain/core/decider.ts';
import { parsePosition } from '../../eventstore/checkpoints.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';
import { listen, type Pool } from '../../infra/postgres.ts';
import { livePosition, PROJECTED_CHANNEL } from './checkpoint.ts';

export interface Positions {
  /** True as soon as the read models show `position`; false if they do not within `ms`. */
  reached(position: Position, ms: number): Promise<boolean>;
  stop(): Promise<void>;
}

interface Waiter {
  readonly position: Position;
  readonly resolve: (reached: boolean) => void;
}

export const watchPositions = async (pool: Pool, databaseUrl: string, log: Logger): Promise<Positions> => {
  let latest: Position | null = null;
  const waiting = new Set<Waiter>();

  const advance = (to: Position | null | undefined) => {
    latest = laterOf(latest, to ?? null);
    for (const waiter of waiting) if (!isAfter(waiter.position, latest)) waiter.resolve(true);
  };
  const ask = () => livePosition(pool).then(advance, (err: unknown) => log.warn({ err }, 'cannot read the checkpoint'));

  const listener = await listen(databaseUrl, [PROJECTED_CHANNEL], (_, payload) => advance(parsePosition(payload)), {
    applicationName: 'positions',
    log,
    onReconnect: ask, // notifications may have been missed
  });
  await ask();

  return {
    reached: (position, ms) =>
      !isAfter(position, latest)
        ? Promise.resolve(true)
        : new Promise((resolve) => {
            const settle = (reached: boolean) => {
              clearTimeout(timer);
              waiting.delete(waiter);
              resolve(reached);
            };
            const timer = setTimeout(() => settle(false), ms);
            const waiter: Waiter = { position, resolve: settle };
            waiting.add(waiter);
          }),
    stop: async () => {
      for (const waiter of waiting) waiter.resolve(false);
      await listener.stop();
    },
  };
};
