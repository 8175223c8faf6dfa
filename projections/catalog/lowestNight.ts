/** The lowest price at which a night can be booked, in SQL. A night has a price of its own, or that of its room. */
import { sql } from 'kysely';
import { tableOf } from '../engine/readDb.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import type { Sql } from './sql.ts';

interface Nights {
  /** Of a hotel or of a room: `id` is SQL. */
  readonly of: 'hotel' | 'room';
  readonly id: Sql;
  /** The first night, and the first that is not sold yet: dates in SQL. */
  readonly from: Sql;
  readonly until: Sql;
  readonly guests?: number;
}

/**
 * A subquery: null where no night can be booked. The first part usually reads one entry of an index. In the second, a room
 * has a night at its own price unless all are closed, taken or priced themselves.
 */
export const lowestNight = ({ of, id, from, until, guests = 1 }: Nights): Sql => {
  const [ofNights, ofRooms] = of === 'hotel' ? [sql`pn.hotel_id`, sql`pr.hotel_id`] : [sql`pn.room_id`, sql`pr.id`];
  return sql`(select min(price_minor) as price_minor from (
    (select pn.price_minor from ${tableOf(roomNights)} pn join ${tableOf(rooms)} pr on pr.id = pn.room_id
      where ${ofNights} = ${id} and pn.night >= ${from} and pn.price_minor is not null and not pn.stop_sell
        and pn.taken < pr.units and pr.capacity >= ${guests}
      order by pn.price_minor limit 1)
    union all
    (select min(pr.night_price_minor) from ${tableOf(rooms)} pr
      where ${ofRooms} = ${id} and pr.night_price_minor is not null and pr.units > 0 and pr.capacity >= ${guests}
        and (select count(*) from ${tableOf(roomNights)} pn
          where pn.room_id = pr.id and pn.night >= ${from} and pn.night < ${until}
            and (pn.has_price or pn.stop_sell or pn.taken >= pr.units)) < ${until} - ${from})
  ) as payable)`;
};
