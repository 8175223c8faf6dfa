/** Read your own writes: waits by notification until the read models show a position of the log. */
import type { Position } from '../../domain/core/decider.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import { listen } from '../../infra/listen.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { createWaiters } from '../../infra/waiters.ts';
import { announced, ROWS_CHANNEL } from './announcements.ts';
import { groupPositions, PROJECTED_CHANNEL, projectedIn } from './checkpoint.ts';
import type { ReadModel } from './readModel.ts';
import { isCurrent, MODELS_CHANNEL, tableVersions } from './tableVersions.ts';

/** Some read models. */
type Needed = readonly { readonly name: string }[];

export interface Positions {
  /**
   * True as soon as the groups of the read models show `position`; false if they do not within `ms`, or if one of the
   * models waits for its rebuild: its rows are then those of before.
   * @param needed all by default
   */
  reached(position: Position, ms: number, needed?: Needed): Promise<boolean>;
  /** Whether none of these models waits for its rebuild, as after an upgrade that has brought or changed it. */
  areBuilt(needed: Needed): boolean;
  /**
   * Calls `onChange` when rows of these models may have changed, before `reached` shows it. The models must be
   * ones that announce their changes. `lines` say which rows, as the model announces them; none: any may have changed.
   */
  follow(followed: Needed, onChange: (lines: readonly string[]) => void): void;
  /** Whether changes are heard of at present. */
  isListening(): boolean;
  stop(): Promise<void>;
}

interface Follower {
  readonly names: ReadonlySet<string>;
  readonly onChange: (lines: readonly string[]) => void;
}

/** @param models those that replies wait for */
export const watchPositions = async (
  pool: Pool,
  databaseUrl: string,
  log: Logger,
  models: readonly ReadModel[],
): Promise<Positions> => {
  /** Group → the position that it shows. */
  const shown = new Map<string, Position>();
  /** Model → its group. */
  let groups: ReadonlyMap<string, string> = new Map();
  /** Model → which of its tables is live, and whether it is current. */
  let tables: ReadonlyMap<string, string> = new Map();
  /** The names of the models that wait for a rebuild. */
  let behind: ReadonlySet<string> = new Set();
  const waiters = createWaiters();
  const followers: Follower[] = [];
  let isListening = true;

  const advance = (group: string, to: Position): void => {
    const position = laterOf(shown.get(group) ?? null, to);
    if (position) shown.set(group, position);
  };
  /** @param model undefined: any may have changed */
  const changed = (model?: string, lines: readonly string[] = []): void => {
    for (const { names, onChange } of followers) if (model === undefined || names.has(model)) onChange(lines);
  };
  /** @returns whether it could be read */
  const read = async (): Promise<boolean> => {
    try {
      const [positions, live] = await Promise.all([groupPositions(pool), tableVersions(pool)]);
      for (const [group, position] of positions) advance(group, position);
      groups = new Map([...live].map(([name, { consumer }]) => [name, consumer]));
      const before = tables;
      tables = new Map([...live].map(([name, { version, epoch }]) => [name, `${version} ${epoch}`]));
      for (const [name, table] of tables) if (before.size > 0 && before.get(name) !== table) changed(name);
      behind = new Set(models.filter((model) => !isCurrent(model, live.get(model.name))).map(({ name }) => name));
      waiters.check();
      return true;
    } catch (err) {
      log.warn({ err }, 'cannot read the state of the read models');
      return false;
    }
  };
  const stopping = new AbortController();
  /** Again until it succeeds: otherwise nothing would ask before the next change of a read model. */
  const ask = async (): Promise<void> => {
    for (const backoff = createBackoff(); !stopping.signal.aborted && !(await read()); )
      await sleep(backoff.next(), stopping.signal);
  };
  const onRows = (payload: string): void => {
    const { model, lines } = announced(payload);
    changed(model, lines);
  };
  const onProjected = (payload: string): void => {
    const projected = projectedIn(payload);
    for (const group of projected?.groups ?? []) if (projected) advance(group, projected.position);
    waiters.check();
  };
  const onNotify = (channel: string, payload: string): void => {
    if (channel === ROWS_CHANNEL) onRows(payload);
    else if (channel === MODELS_CHANNEL) void ask();
    else onProjected(payload);
  };

  const listener = await listen(databaseUrl, [ROWS_CHANNEL, PROJECTED_CHANNEL, MODELS_CHANNEL], onNotify, {
    applicationName: 'positions',
    log,
    onLost: () => {
      isListening = false;
    },
    onReconnect: () => {
      isListening = true;
      shown.clear(); // a database that has crashed may show less than before
      changed(); // notifications may have been missed
      void ask();
    },
  });
  if (!(await read())) void ask();

  const isOutdated = (needed: Needed): boolean => needed.some(({ name }) => behind.has(name));
  const shownBy = ({ name }: Needed[number]): Position | null => shown.get(groups.get(name) ?? '') ?? null;
  const isShown = (position: Position, needed: Needed): boolean =>
    needed.every((model) => !isAfter(position, shownBy(model)));

  return {
    reached: async (position, ms, needed = models) =>
      !isOutdated(needed) && (await waiters.until(() => isShown(position, needed), ms)) && !isOutdated(needed),
    areBuilt: (needed) => !isOutdated(needed),
    follow: (followed, onChange) => {
      followers.push({ names: new Set(followed.map(({ name }) => name)), onChange });
    },
    isListening: () => isListening,
    stop: async () => {
      stopping.abort();
      waiters.giveUp();
      await listener.stop();
    },
  };
};
