/** `stock lost`: bookings whose places their listings do not offer any more, and which may have been sold again. */
import { Command } from 'commander';
import { type BookedPlaces, findLostPlaces, type LostPlaces } from '../../commands/catalog/lostPlaces.ts';
import { cellsBetween } from '../../domain/catalog/slots.ts';
import { bookingsAhead } from '../../projections/bookings/bookings.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { say, table, writeJson, writeLine } from './output.ts';
import { type CliContext, withStores } from './stores.ts';

const PAGE = 1_000;
type Row = Awaited<ReturnType<typeof bookingsAhead>>[number];

const placesOf = ({ id, type, listing_id, unit_id, slot_start, slot_end }: Row): BookedPlaces[] => {
  if (type === 'hotel' || slot_start === null || slot_end === null) return [];
  const isWhole = type === 'restaurant' || type === 'instructor';
  const keys = isWhole ? cellsBetween(slot_start, slot_end) : [slot_start];
  return [{ bookingId: id, type, listingId: listing_id, unitId: unit_id, keys }];
};

const find = async (cli: CliContext): Promise<LostPlaces[]> => {
  const db = readDb(cli.pool);
  const at = new Date().toISOString();
  const found: LostPlaces[] = [];
  let after: string | null = null;
  for (;;) {
    const rows: Row[] = await bookingsAhead(db, { at, after, limit: PAGE });
    found.push(...(await findLostPlaces(cli, rows.flatMap(placesOf))));
    after = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE || cli.signal.aborted) return found;
  }
};

const lost = ({ json }: { readonly json?: true }) =>
  withStores(async (cli) => {
    const found = (await find(cli)).map(({ keys, ...each }) => ({ ...each, start: keys[0] ?? null }));
    if (json) return writeJson({ count: found.length, bookings: found });
    if (found.length > 0) await writeLine(table(found.map((each) => ({ ...each }))));
    const listings = new Set(found.map(({ listingId }) => listingId)).size;
    say(
      `${found.length} bookings of ${listings} listings hold places that are not offered any more. Nothing was changed.`,
    );
  });

export const stockCommand = new Command('stock')
  .description('What listings have to sell')
  .addCommand(
    new Command('lost')
      .description('List bookings ahead whose table, vehicle or time is missing from their listing')
      .option('--json', 'print JSON')
      .action(lost),
  );
