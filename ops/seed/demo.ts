/** Creates demo data through commands. Every id derives from a name, so that an interrupted seeding can be repeated. */
import { createHash } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { addRoom, priceNights } from '../../commands/catalog/rooms.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { createApiKey } from '../../commands/partners/apiKeys.ts';
import { defaultConfirmation } from '../../domain/catalog/confirmation.ts';
import type { HotelDetails } from '../../domain/catalog/hotel.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { todayIn } from '../../domain/core/dates.ts';
import type { Position } from '../../domain/core/decider.ts';
import type { Scope } from '../../domain/partners/apiKey.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { laterOf } from '../../eventstore/subscribe.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import type { Logger } from '../../infra/log.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { putFile } from '../../infra/wholeFiles.ts';
import { watchPositions } from '../../projections/engine/positions.ts';
import { models } from '../../projections/modules.ts';
import type { Config } from '../config.ts';
import { wire } from '../wiring.ts';
import { seedBadges } from './badges.ts';
import { seedContent } from './content.ts';
import { seedForums } from './forums.ts';
import { seedMountain } from './lifts.ts';
import { seedListings } from './listings.ts';
import { seedProducts } from './products.ts';
import { CHARGES, CURRENCY, image, type SampleHotel, type SampleRoom, sampleHotels, TIMEZONE } from './resort.ts';
import { season } from './season.ts';

const DEMO_PASSWORD = 'demo-Passw0rd';
const DEMO_NIGHTS = 180;
const LARGE_NIGHTS = 60;
/** The dependencies of seeding. */
const PARTNER_SCOPES: Scope[] = ['hotels:read', 'rooms:read', 'availability:read'];
/** Number of hotels that are created at the same time. */
const AT_ONCE = 32;

const people = {
  tourist: { role: 'tourist', firstName: 'Anna', lastName: 'Orlova' },
  tourist2: { role: 'tourist', firstName: 'Boris', lastName: 'Lebedev' },
  hotelier: { role: 'hotelier', firstName: 'Vera', lastName: 'Sokolova' },
  touroperator: { role: 'tour_operator', firstName: 'Roman', lastName: 'Kuznetsov' },
  transfer: { role: 'transfer_provider', firstName: 'Oleg', lastName: 'Gusev' },
  instructor: { role: 'instructor', firstName: 'Ilya', lastName: 'Morozov' },
  restaurant: { role: 'restaurant', firstName: 'Nino', lastName: 'Beridze' },
  admin: { role: 'admin', firstName: 'Gleb', lastName: 'Vorontsov' },
  // Marks as paid and approves what the other one asked for.
  admin2: { role: 'admin', firstName: 'Daria', lastName: 'Belova' },
} as const;
type Person = keyof typeof people;

/** Content of `$DATA_DIR/demo.json`: sign-ins and a partner key. */
export interface Demo {
  readonly password: string;
  readonly accounts: Readonly<Record<Person, { readonly id: string; readonly email: string }>>;
  readonly partner_key: string;
}

export interface Seeded {
  /** Position in the log after which all demo data exists. */
  readonly position: Position | null;
}

const demoFile = (dataDir: string): string => join(dataDir, 'demo.json');

/** Contexts for commands, by the name of what they create. The position of the last outcome is kept, to wait for it. */
const seeder = (at: string) => {
  let position: Position | null = null;
  const contextFor = (...name: string[]): CommandContext => {
    const commandId = derivedId('seed', ...name);
    return {
      correlationId: commandId,
      causationId: commandId,
      commandId,
      actor: { kind: 'seed', id: 'seed', role: 'admin' },
      ip: null,
      at,
      onSettled: (appended) => {
        position = laterOf(position, appended);
      },
    };
  };
  return { at, contextFor, seeded: (): Seeded => ({ position }) };
};
type Seeder = ReturnType<typeof seeder>;

const detailsOf = (sample: SampleHotel): HotelDetails => {
  const { slug, name, city, address, stars, description, latitude, longitude, cancellationPolicy } = sample;
  return {
    name,
    city,
    address,
    stars,
    description,
    amenities: [...sample.amenities],
    images: [image(slug, 'front'), image(slug, 'room', false)],
    location: { latitude, longitude },
    cancellationPolicy,
    confirmation: defaultConfirmation.hotel,
    charges: [...CHARGES],
  };
};

const seedRoom = async (deps: CommandDeps, seed: Seeder, hotelId: string, room: SampleRoom, nights: number) => {
  const { name, capacity, units, price } = room;
  const input = { name, capacity, units, pricePerNight: price, description: '', amenities: [], images: [] };
  const { id } = await addRoom(deps, seed.contextFor('room', hotelId, name), hotelId, input);
  const today = todayIn(TIMEZONE, seed.at);
  await priceNights(deps, seed.contextFor('nights', id, today), id, season(today, nights, price));
};

const seedHotel = async (deps: CommandDeps, seed: Seeder, ownerId: string, sample: SampleHotel, nights: number) => {
  const hotel = { ownerId, timezone: TIMEZONE, currency: CURRENCY, details: detailsOf(sample) };
  const { id } = await addListing(deps, seed.contextFor('hotel', sample.slug), listingKinds.hotel, hotel);
  for (const room of sample.rooms) await seedRoom(deps, seed, id, room, nights);
};

const seedPeople = async (deps: CommandDeps, seed: Seeder): Promise<Demo['accounts']> => {
  const accounts: [string, Demo['accounts'][Person]][] = [];
  for (const person of Object.keys(people) as Person[]) {
    const email = `${person}@demo.test`;
    const input = { ...people[person], email, password: DEMO_PASSWORD };
    accounts.push([
      person,
      { id: (await openAccount(deps, seed.contextFor('account', person), input)).accountId, email },
    ]);
  }
  return Object.fromEntries(accounts) as Demo['accounts'];
};

/** The same secret each time for one master key. */
const partnerSecret = ({ vault }: CommandDeps): string =>
  createHash('sha256').update(vault.fingerprint('seed', 'partner key')).digest('hex');

/** So often is seeding begun anew where the event store does not answer in time, as on a machine that is busy. */
const ATTEMPTS = 8;

/**
 * Seeds a resort with a dozen hotels and other offers, an account of every role and a partner key, and writes the
 * sign-ins to `$DATA_DIR/demo.json` at the end. Safe to repeat.
 * @throws StoreUnavailable when the event store goes on not to answer
 */
export const seedDemo = async (deps: CommandDeps, dataDir: string, at: string): Promise<Seeded> => {
  const backoff = createBackoff();
  for (let attempt = 1; ; attempt += 1)
    try {
      return await seedAll(deps, dataDir, at);
    } catch (err) {
      if (!(err instanceof StoreUnavailable) || attempt === ATTEMPTS) throw err;
      deps.log.warn({ err }, 'seeding goes on: the event store did not answer');
      await sleep(backoff.next());
    }
};

const seedAll = async (deps: CommandDeps, dataDir: string, at: string): Promise<Seeded> => {
  const seed = seeder(at);
  const accounts = await seedPeople(deps, seed);
  await concurrentEach(sampleHotels, AT_ONCE, (sample) =>
    seedHotel(deps, seed, accounts.hotelier.id, sample, DEMO_NIGHTS),
  );
  await seedListings(deps, seed.contextFor, accounts);
  await seedProducts(deps, seed.contextFor, accounts.admin.id, at);
  await seedContent(deps, seed.contextFor, at);
  await seedForums(deps, seed.contextFor, [accounts.tourist.id, accounts.tourist2.id]);
  await seedMountain(deps, seed.contextFor, at);
  await seedBadges(deps, seed.contextFor);
  const details = { name: 'Demo partner', scopes: PARTNER_SCOPES, allowedDomains: [], expiresAt: null };
  const { key } = await createApiKey(deps, seed.contextFor('partner key'), details, partnerSecret(deps));
  const demo: Demo = { password: DEMO_PASSWORD, accounts, partner_key: key };
  const text = `${JSON.stringify(demo, undefined, 2)}\n`;
  await putFile(demoFile(dataDir), (next) => writeFile(next, text, { mode: 0o600 }));
  return seed.seeded();
};

/** How long the first start waits until the read models show the demo. */
const SHOWN_WITHIN_MS = 60_000;

/**
 * Seeds the demo at the first start, and waits until the read models show it. The stores and a projector must be
 * running.
 */
export const seedDemoOnce = async (config: Config, log: Logger): Promise<void> => {
  const present = await access(demoFile(config.DATA_DIR)).then(
    () => true,
    () => false,
  );
  if (present) return;
  const wiring = wire(config, 'seed', log);
  try {
    const { position } = await seedDemo(wiring, config.DATA_DIR, new Date().toISOString());
    const positions = await watchPositions(wiring.pool, wiring.databaseUrl, log, models);
    const shown = position === null || (await positions.reached(position, SHOWN_WITHIN_MS));
    await positions.stop();
    if (!shown) log.warn('the demo was seeded, but the read models do not show it yet');
  } finally {
    await wiring.close();
  }
};

/** The n-th hotel of a large resort: one of the dozen, with its own name, place and price. */
const numbered = (n: number): SampleHotel => {
  const sample = sampleHotels[n % sampleHotels.length] as SampleHotel;
  const factor = 0.7 + ((n * 37) % 100) / 100;
  return {
    ...sample,
    slug: `large-${n}`,
    name: `${sample.name} ${n}`,
    address: `${sample.address}/${n}`,
    latitude: sample.latitude + ((n * 7) % 200) / 1_000,
    longitude: sample.longitude + ((n * 13) % 200) / 1_000,
    rooms: sample.rooms.map((room) => ({ ...room, price: Math.round((room.price * factor) / 100) * 100 })),
  };
};

interface SeedHotelsOptions {
  /** From today, for which each room has a price. */
  readonly nights?: number;
  /** Gets the number of finished hotels. */
  readonly onProgress?: (done: number) => void;
}

/** Seeds many hotels of one owner, for measurements. Safe to repeat. */
export const seedHotels = async (
  deps: CommandDeps,
  count: number,
  at: string,
  { nights = LARGE_NIGHTS, onProgress = () => undefined }: SeedHotelsOptions = {},
): Promise<Seeded> => {
  const seed = seeder(at);
  const owner = { role: 'hotelier', email: 'large@demo.test', password: DEMO_PASSWORD } as const;
  const { accountId } = await openAccount(deps, seed.contextFor('account', 'large'), owner);
  let done = 0;
  const numbers = Array.from({ length: count }, (_, n) => n);
  await concurrentEach(numbers, AT_ONCE, async (n) => {
    await seedHotel(deps, seed, accountId, numbered(n), nights);
    done += 1;
    onProgress(done);
  });
  return seed.seeded();
};
