/** Read your own writes: waits by notification until the read models show a position of the log. */
import type { Position } from '../../domain/core/decider.ts';
import { parsePosition } from '../../eventstore/checkpoints.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';
import { listen, type Pool } from '../../infra/postgres.ts';
import { livePosition, PROJECTED_CHANNEL } from './checkpoint.ts';
import type { ReadModel } from './readModel.ts';
import { MODELS_CHANNEL, outdatedModels } from './tableVersions.ts';

export interface Positions {
  /**
   * True as soon as the read models show `position`; false if they do not within `ms`, or if one of them waits for its
   * rebuild: its rows are then those of before.
   * @param needed all by default
   */
  reached(position: Position, ms: number, needed?: readonly { readonly name: string }[]): Promise<boolean>;
  stop(): Promise<void>;
}

interface Waiter {
  readonly position: Position;
  readonly resolve: (reached: boolean) => void;
}

/** @param models those that replies wait for */
export const watchPositions = async (
  pool: Pool,
  databaseUrl: string,
  log: Logger,
  models: readonly ReadModel[],
): Promise<Positions> => {
  let latest: Position | null = null;
  /** The names of the models that wait for a rebuild. */
  let behind: ReadonlySet<string> = new Set();
  const waiting = new Set<Waiter>();

  const advance = (to: Position | null | undefined) => {
    latest = laterOf(latest, to ?? null);
    for (const waiter of waiting) if (!isAfter(waiter.position, latest)) waiter.resolve(true);
  };
  const askPosition = () =>
    livePosition(pool).then(advance, (err: unknown) => log.warn({ err }, 'cannot read the checkpoint'));
  const askModels = () =>
    outdatedModels(pool, models).then(
      (outdated) => {
        behind = new Set(outdated.map(({ name }) => name));
      },
      (err: unknown) => log.warn({ err }, 'cannot read the versions of the read models'),
    );
  const ask = async () => void (await Promise.all([askPosition(), askModels()]));
  const onNotify = (channel: string, payload: string) =>
    channel === MODELS_CHANNEL ? void askModels() : advance(parsePosition(payload));

  const listener = await listen(databaseUrl, [PROJECTED_CHANNEL, MODELS_CHANNEL], onNotify, {
    applicationName: 'positions',
    log,
    onReconnect: () => void ask(), // notifications may have been missed
  });
  await ask();

  const shows = (needed: readonly { readonly name: string }[] = models): boolean =>
    !needed.some(({ name }) => behind.has(name));
  const passes = (position: Position, ms: number): Promise<boolean> =>
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
        });

  return {
    reached: async (position, ms, needed) => shows(needed) && (await passes(position, ms)) && shows(needed),
    stop: async () => {
      for (const waiter of waiting) waiter.resolve(false);
      await listener.stop();
    },
  };
};
