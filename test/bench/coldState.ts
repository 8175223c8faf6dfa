/** Reads the states that a decision about a booking needs from the log, as a process does that has just started. */
import { createAggregates } from '../../commands/core/handle.ts';
import { createSnapshots } from '../../commands/core/snapshots.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { repeat, serveProgram } from './program.ts';
import { wireTo } from './resort.ts';
import type { Work } from './rounds.ts';
import { log, type StoreAddresses } from './stores.ts';

const MOST_BOOKINGS = 2_000;
const AT_ONCE = 16;

serveProgram(async (stores: StoreAddresses) => {
  const { pool, store, codec, vault } = wireTo(stores);
  // Of the copies, whose rooms nobody lists: their streams are as long in every log. One of each room, because loads of one
  // state at the same time are one read: a short log has few rooms, which would make its states look cheap.
  const { rows: bookings } = await pool.query<{ id: string; room: string }>(
    `select id, room from (
       select distinct on (item_id) id, item_id as room from read.bookings b
       where type = 'hotel' and not exists (select from read.rooms r where r.id = b.item_id)) of_rooms
     order by random() limit ${MOST_BOOKINGS}`,
  );
  if (bookings.length <= AT_ONCE) throw new Error(`only ${bookings.length} rooms: some would be read once for several`);
  // A cache of one state: each is read from the log.
  const aggregates = createAggregates(store, codec, { cacheSize: 1, snapshots: createSnapshots(pool, log, vault) });
  let next = 0;
  return ({ seconds }: { seconds: number }): Promise<Work> =>
    repeat(seconds, AT_ONCE, async () => {
      const { id, room } = bookings[next++ % bookings.length] ?? { id: '', room: '' };
      const loaded = [await aggregates.load(booking, id), await aggregates.load(inventory, room)];
      if (loaded.some(({ revision }) => revision === null)) throw new Error(`the booking ${id} has no events`);
    });
});
