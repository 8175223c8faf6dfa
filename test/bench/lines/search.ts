/** The line that searches over dates. */

import { answerTo, withLoad } from '../http.ts';
import { type Line, rateGoal } from '../line.ts';
import type { KoaOptions } from '../peers/koa.ts';
import { startProgram } from '../program.ts';
import type { Resort } from '../resort.ts';
import { compare } from '../rounds.ts';

type Statement = NonNullable<KoaOptions['statements']>[number];

/** All nights on some dates, without reading the table itself: what a search by SQL would have, and the product does not. */
const INDEX = `create index if not exists bench_nights on read.room_nights (night, room_id, price_minor, has_price, taken, stop_sell,
  min_stay, max_stay, closed_to_arrival, closed_to_departure)`;

/**
 * The same search by SQL alone: the rules of a stay as whoever keeps no index would write them. Nights are grouped by room
 * before anything is joined to them.
 */
const SEARCH = `
  with matched as (
    select id, folded_name from read.hotels
    where status = 'published' and $2::date - ($4::timestamptz at time zone timezone)::date <= 500
      and $1::date >= (($4::timestamptz + case confirmation when 'on_request' then interval '10.5 hours' else '0' end)
        at time zone timezone)::date
  ),
  rooms as (
    select r.id, r.hotel_id, r.units, r.night_price_minor
    from read.rooms r join matched m on m.id = r.hotel_id where r.capacity >= $3 and r.units > 0
  ),
  stays as (
    select room_id, max(taken) filter (where night < $2) as taken, count(*) filter (where night < $2 and has_price) as own,
      count(*) filter (where night < $2 and (stop_sell or (has_price and price_minor is null))) as closed,
      sum(price_minor) filter (where night < $2 and has_price) as own_minor,
      bool_and(case night
        when $1 then coalesce(min_stay, 0) <= $2::date - $1::date and coalesce(max_stay, $2::date - $1::date) >= $2::date - $1::date
          and not closed_to_arrival
        when $2 then not closed_to_departure
        else true end) as is_allowed
    from read.room_nights
    where night between $1 and $2 and room_id in (select id from rooms)
    group by room_id
  ),
  priced as (
    select hotel_id, coalesce(own_minor, 0) + case when coalesce(own, 0) = $2::date - $1::date then 0
      else ($2::date - $1::date - coalesce(own, 0)) * night_price_minor end as base
    from rooms left join stays on room_id = id
    where coalesce(closed, 0) = 0 and coalesce(is_allowed, true) and coalesce(taken, 0) < units
  ),
  found as (
    select m.id, m.folded_name, round(min(base) / ($2::date - $1::date))::bigint as price_minor
    from priced join matched m on m.id = hotel_id where base is not null group by m.id, m.folded_name
  )
  select (select count(*)::int from found) as total, h.wire, page.price_minor
  from (select * from found order by folded_name, id limit 20) as page join read.hotels h using (id)
  order by page.folded_name, id`;

/** @throws Error when SQL finds other hotels than the product */
const statementFor = async (
  { wiring: { pool } }: Resort,
  { checkIn, checkOut }: { checkIn: string; checkOut: string },
  ours: { readonly total: number; readonly data: readonly { readonly min_price_minor: number }[] },
): Promise<Statement> => {
  await pool.query(INDEX);
  await pool.query('vacuum analyze read.room_nights');
  const values = [checkIn, checkOut, 2, new Date().toISOString()];
  const { rows } = await pool.query<{ total: number; price_minor: number }>(SEARCH, values);
  const [sql, product] = [rows.map((row) => row.price_minor), ours.data.map((hotel) => hotel.min_price_minor)];
  if (rows[0]?.total !== ours.total || sql.join() !== product.join())
    throw new Error(`SQL finds ${rows[0]?.total} hotels, the product ${ours.total}, or at other prices`);
  return { text: SEARCH, values };
};

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const search: Line = {
  name: 'search',
  work: 'hotels with a free room over three nights, among 10,000 with a season',
  peer: 'the SQL of that search alone in bare Koa',
  goal: '≥ 20 ×',
  run: async ({ size, resort: open }) => {
    const resort = await open();
    const { stores, system } = resort;
    const stay = { checkIn: inDays(10), checkOut: inDays(13) };
    const line = `GET /api/v1/hotels?check_in=${stay.checkIn}&check_out=${stay.checkOut}&guests=2`;
    const answer = JSON.parse(await answerTo(system.api, { line }));
    const { total } = answer;
    if (total === 0) throw new Error('no hotel is free: the search would be too easy');
    const statements = [await statementFor(resort, stay, answer)];
    const peer = await startProgram('peers/koa', { databaseUrl: stores.postgres.url, statements });
    try {
      const url = await peer.ask<string>({});
      const { processes, counts } = system;
      const sql = {
        name: 'SQL in bare Koa',
        isPeer: true,
        processes: () => ({ koa: peer.pid, postgres: stores.postgres.pid }),
        load: { url, requests: [{ line: 'GET /query' }], status: 200 },
      };
      const ours = { name: 'ours', processes, counts, load: { url: system.api, requests: [{ line }], status: 200 } };
      const results = await withLoad([ours, sql], (contenders) => compare(contenders, size.plan));
      return [
        { name: 'search', results, goals: [rateGoal(results[0], results[1], 20)], note: `${total} hotels are found` },
      ];
    } finally {
      await peer.stop();
      await resort.wiring.pool.query('drop index read.bench_nights');
    }
  },
};
