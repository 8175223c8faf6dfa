/** Snapshot, then stream: the rows of a list, kept up to date without missing a change or applying one twice. */
import type { CallOptions } from '../rest/api.ts';
import { ApiError, askedMs } from '../rest/errors.ts';
import { backoffMs, wait } from '../wait.ts';
import {
  type Reset,
  report,
  type SubscribeOptions,
  type Subscription,
  type SubscriptionEnded,
} from './subscription.ts';
import type { Change, Cursor } from './types.ts';

/** Reads the rows. The options go into each call that it makes: `(options) => client.listOwnBookings({}, options)`. */
export type Snapshot<Row> = (options: CallOptions) => Promise<readonly Row[] | { readonly data: readonly Row[] }>;

export interface FollowOptions<E extends string, Row> {
  /** Which changes of the channel are of these rows: `booking`. */
  readonly entity: E;
  /** Called with all rows after the snapshot and after each change; new rows come last. */
  readonly onRows: (rows: readonly Row[]) => void;
  /** What tells the rows apart; `id` by default. */
  readonly key?: (row: Row) => string;
  /**
   * Which rows belong to the list; all by default. Give it where the snapshot is filtered, and where it is one page: a
   * change of a row beyond the page adds that row. It is asked after the snapshot was read, so that it can compare with
   * the first row of the page: `({ seq }) => seq >= first`.
   */
  readonly where?: (row: Row) => boolean;
  /** It has ended: the account may not read the rows, or not any more. */
  readonly onEnd?: (reason: SubscriptionEnded | ApiError) => void;
  /**
   * A snapshot failed and is read again; or `onRows`, `where` or `key` has thrown, for which nothing is read again.
   * Logged by default.
   */
  readonly onError?: (error: unknown) => void;
}

export interface Follow<Row> {
  /** As they are now; undefined until the first snapshot was read. */
  readonly rows: readonly Row[] | undefined;
  close(): void;
}

interface Subscriber {
  subscribe(channel: string, options: SubscribeOptions): Subscription;
}

interface Place extends Cursor {
  readonly channel: string;
}

/** A new epoch makes all clients read again: not all at the same moment. */
const SPREAD_MS = 3_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** The value of `x-channel-offset`: `"<channel>";epoch="<uuid>";offset=<n>`. */
export const parseChannelOffset = (value: string): Place | undefined => {
  const [, channel, epoch, offset] = /^"([^"]+)";epoch="([^"]+)";offset=(\d+)$/.exec(value) ?? [];
  return channel && epoch && offset ? { channel, epoch, offset: Number(offset) } : undefined;
};

const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![408, 409, 425, 429].includes(error.status);

const idOf = (row: unknown): string => String((row as { id?: unknown }).id);

export const follow = <E extends string, Row>(
  live: Subscriber,
  channel: string,
  snapshot: Snapshot<Row>,
  { entity, onRows, key = idOf, where = () => true, onEnd, onError = report }: FollowOptions<E, Row>,
): Follow<Row> => {
  let rows: Map<string, Row> | undefined;
  /** The snapshot shows the changes up to here. */
  let shown: Cursor | undefined;

  const show = (): void => {
    if (rows) onRows([...rows.values()]);
  };

  /** Of several pages, the first to be read shows the fewest changes: those of the others may be applied again. */
  const read = async (signal: AbortSignal): Promise<{ found: readonly Row[]; place: Place | undefined }> => {
    let place: Place | undefined;
    const onResponse = (response: Response): void => {
      place ??= parseChannelOffset(response.headers.get('x-channel-offset') ?? '');
    };
    const found = await snapshot({ signal, headers: { prefer: 'channel-offset' }, onResponse });
    return { found: 'data' in found ? found.data : found, place: place?.channel === channel ? place : undefined };
  };

  /** Whether the snapshot has it. False: it was read from a copy of the database that lags behind the hub's. */
  const take = ({ found, place }: Awaited<ReturnType<typeof read>>, { cursor }: Reset): boolean => {
    const isOlder = place && (place.epoch !== cursor.epoch || place.offset < cursor.offset);
    if (isOlder) return false;
    shown = place ?? cursor;
    rows = new Map(found.filter(where).map((row) => [key(row), row]));
    return true;
  };

  const load = async (reset: Reset): Promise<void> => {
    const { signal } = reset;
    if (rows) await wait(Math.random() * SPREAD_MS, signal).catch(() => undefined);
    for (let failures = 0; !signal.aborted; failures++) {
      let asked = 0;
      let result: Awaited<ReturnType<typeof read>> | undefined;
      try {
        result = await read(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) {
          subscription.close();
          return onEnd?.(error);
        }
        asked = askedMs(error);
        onError(error);
      }
      if (signal.aborted) return;
      // Outside of the `try`: what the caller's functions throw is no reason to read again.
      if (result && take(result, reset)) return show();
      await wait(asked + backoffMs(failures, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal).catch(() => undefined);
    }
  };

  const apply = ({ type, data, epoch, offset }: Change): void => {
    const [of, verb] = type.split('.');
    if (of !== entity || !rows || (shown?.epoch === epoch && offset <= shown.offset)) return;
    const row = data as Row;
    if (verb !== 'removed' && where(row)) rows.set(key(row), row);
    else rows.delete(key(row));
    show();
  };

  const subscription = live.subscribe(channel, {
    onReset: load,
    onChange: apply,
    onError,
    ...(onEnd && { onEnd }),
  });
  return {
    get rows() {
      return rows && [...rows.values()];
    },
    close: () => subscription.close(),
  };
};
