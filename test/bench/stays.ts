/** Nights that can be booked, and bookings that are there to be read. */
import { holdExpiry } from '../../commands/bookings/policy.ts';
import type { Wiring } from '../../ops/wiring.ts';
import { answerTo, bearer } from './http.ts';
import type { Resort } from './resort.ts';

export interface Stay {
  readonly item_id: string;
  readonly check_in: string;
  readonly check_out: string;
}

/** Of each room that is booked: as many as let it sell often, so that it is known to the process that sells it. */
const NIGHTS_OF_A_ROOM = 30;

/**
 * The guests of the benchmark pay for nothing. Their earlier bookings no longer count as unpaid: nobody really has thousands
 * to be counted. Nor do their holds end: those of one line would while another one measures, and be counted as its own.
 */
const forgetUnpaid = async ({ pool }: Pick<Wiring, 'pool'>): Promise<void> => {
  await pool.query('delete from ops.unpaid_bookings');
  await pool.query(
    `update ops.jobs set run_at = run_at + interval '30 days' where kind = $1 and run_at < now() + interval '1 day'`,
    [holdExpiry.kind],
  );
};

/** Free nights, each of a room once, in no order. Few rooms sell many nights each, as in a season. */
export const stays = async (wiring: Pick<Wiring, 'pool'>, count: number): Promise<Stay[]> => {
  await forgetUnpaid(wiring);
  const { pool } = wiring;
  const { rows } = await pool.query<Stay>(
    `with free as (
       select n.room_id, n.night from read.room_nights n join read.rooms r on r.id = n.room_id
       where coalesce(n.min_stay, 1) = 1 and n.price_minor is not null and not n.stop_sell and not n.closed_to_arrival
         and n.taken < r.units and n.night > current_date + 2 and n.night < current_date + 110),
     chosen as (
       select room_id from free group by room_id having count(*) >= ${NIGHTS_OF_A_ROOM} order by random() limit $2)
     select room_id as item_id, night as check_in, night + 1 as check_out
     from free join chosen using (room_id) order by random() limit $1`,
    [count, Math.ceil(count / NIGHTS_OF_A_ROOM)],
  );
  if (rows.length < count) throw new Error(`only ${rows.length} of ${count} nights are free: delete .data/bench`);
  return rows;
};

const READ_BOOKINGS = 20;

/** A full page of bookings for the reader. They are cancelled, so that they stay as they are while they are read. */
export const fillBookings = async ({ system, wiring, reader }: Resort): Promise<Record<string, string>> => {
  const headers = bearer(reader.token);
  const mine = JSON.parse(await answerTo(system.api, { line: 'GET /api/v1/bookings/me', headers }));
  const missing = READ_BOOKINGS - mine.total;
  for (const stay of missing > 0 ? await stays(wiring, missing) : []) {
    const body = JSON.stringify({ type: 'hotel', ...stay, guests: 1 });
    const { id } = JSON.parse(await answerTo(system.api, { line: 'POST /api/v1/bookings/create', headers, body }));
    await answerTo(system.api, { line: `POST /api/v1/bookings/${id}/cancel`, headers, body: '{}' });
  }
  return headers;
};
