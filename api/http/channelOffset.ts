/**
 * Snapshot, then stream: a reply that says up to which change of a channel it shows. Whoever subscribes to the channel
 * from there misses no change and gets none twice.
 */
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { type ChannelPosition, channelPosition } from '../../projections/engine/changes.ts';
import { readDbIn } from '../../projections/engine/readDb.ts';
import type { App } from './app.ts';

export const CHANNEL_OFFSET_HEADER = 'x-channel-offset';

/** Whether a client asks for it, in its `Prefer` header. It costs a transaction, so that other requests go without. */
export const asksForChannelOffset = (prefer: string): boolean => /\bchannel-offset\b/i.test(prefer);

/** One value: `"realtime:user_<id>";epoch="<uuid>";offset=42`. */
const formatChannelOffset = (channel: string, { epoch, offset }: ChannelPosition): string =>
  `"${channel}";epoch="${epoch}";offset=${offset}`;

/** Runs all statements on one connection. Whoever has it and waits for another one could wait for those who do the same. */
const poolOf = (client: PoolClient): Pool => {
  const connect = () => Promise.reject(new Error('A read at an offset takes no connection besides its own.'));
  return { query: client.query.bind(client), connect } as unknown as Pool;
};

/** A process keeps nothing in memory that it has read on a snapshot, because this does not show what changes meanwhile. */
const unheard = { follow: () => undefined, isListening: () => false };

/**
 * Runs `read` on one snapshot of the read models. A row and its change are written together, so that the snapshot shows
 * exactly the changes up to the position that is returned.
 * @param address of the channel, with its id in place
 */
export const readAtOffset = <T>(
  app: App,
  address: string,
  read: (app: App) => Promise<T>,
): Promise<{ readonly reply: T; readonly offset: string | undefined }> =>
  inTransaction(app.pool, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    const position = await channelPosition(client, address);
    const positions = { ...app.positions, ...unheard };
    const reply = await read({ ...app, pool: poolOf(client), db: readDbIn(client), positions });
    return { reply, offset: position && formatChannelOffset(address, position) };
  });
