/**
 * Closes the listings of an account that lost the role which may own them, or was erased. Bookings stay, and their seller
 * still answers them. Only an admin, or the owner with the role again, opens a listing afterwards: a listing is closed once
 * for each change of the role, however often the event is handled. Before an owner is erased, their listings are closed and
 * the pictures that others have uploaded are deleted, too, because they may show the person: afterwards nothing says which.
 */
import { type Account, account } from '../../domain/accounts/account.ts';
import { type ListingKind, listingKinds, mayOwn } from '../../domain/catalog/listings.ts';
import { room } from '../../domain/catalog/room.ts';
import type { AnyEvent, Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { migrations } from '../../infra/migrations.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { ErasureStep } from '../core/erasure.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { removePictures, roomOwner } from './pictures.ts';

type KindName = keyof typeof listingKinds;

/** The log cannot be asked for what an owner has, so a policy writes it down, from the first event on. */
export const ownedListingMigrations = migrations('catalog', {
  personalData: { 'ops.owned_listings': { nothing: 'ids of listings, rooms and accounts' } },
  '0001_owned_listings': `
    create table ops.owned_listings (
      id uuid primary key,
      kind text not null,
      owner_id uuid not null
    );
    create index owned_listings_owner on ops.owned_listings (owner_id);
  `,
});

interface Owned {
  readonly id: string;
  readonly kind: KindName | 'room';
}

type Deps = Pick<CoreDeps, 'aggregates'>;
type Close = (deps: Deps, context: CommandContext, id: string, roleChange?: number) => Promise<unknown>;

const close =
  <Details extends object, Event extends AnyEvent>({ decider }: ListingKind<Details, Event>): Close =>
  (deps, context, id, roleChange) =>
    deps.aggregates.handle(
      decider,
      id,
      { type: 'Close', ...(roleChange !== undefined && { roleChange }) },
      followUp(context, `close ${id}`),
    );

const closeOf: Readonly<Record<KindName, Close>> = {
  hotel: close(listingKinds.hotel),
  tour: close(listingKinds.tour),
  restaurant: close(listingKinds.restaurant),
  transfer: close(listingKinds.transfer),
  instructor: close(listingKinds.instructor),
  company: close(listingKinds.company),
};

/** What an erased account had. What never had an account as its owner is the operator's. */
const closeErased = async (
  deps: Deps,
  context: CommandContext,
  { id, kind }: Owned,
  ownerId: string,
): Promise<void> => {
  // The events of an old room name nobody: without this, nothing would tell whose words they are.
  if (kind === 'room')
    await deps.aggregates.handle(room, id, { type: 'SealRoom', ownerId }, followUp(context, `seal ${id}`));
  else await closeOf[kind](deps, context, id);
  await removePictures(deps, context, { kind: kind === 'room' ? kind : 'listing', id });
};

const closeUnowned = async (
  { deps, context }: PolicyContext<Deps>,
  ownerId: string,
  owner: Account,
  all: readonly Owned[],
): Promise<void> => {
  for (const owned of all) {
    const { id, kind } = owned;
    if (owner.status === 'none') {
      if (owner.isErased) await closeErased(deps, context, owned, ownerId);
    } else if (kind !== 'room' && !mayOwn(owner.role, listingKinds[kind]))
      await closeOf[kind](deps, context, id, owner.roleChanges);
  }
};

const ownedBy = async ({ pool }: Pick<CoreDeps, 'pool'>, ownerId: string): Promise<readonly Owned[]> => {
  const { rows } = await pool.query<Owned>('select id, kind from ops.owned_listings where owner_id = $1', [ownerId]);
  return rows;
};

const closeLost = async ({ streamId }: Recorded, ctx: PolicyContext): Promise<void> => {
  const { state } = await ctx.deps.aggregates.load(account, streamId);
  await closeUnowned(ctx, streamId, state, await ownedBy(ctx.deps, streamId));
};

/** The owner may have lost the role since: events of two streams are handled in any order. */
const remember = async (ctx: PolicyContext, owned: Owned, ownerId: string): Promise<void> => {
  const { pool, aggregates } = ctx.deps;
  await pool.query(
    'insert into ops.owned_listings (id, kind, owner_id) values ($1, $2, $3) on conflict (id) do nothing',
    [owned.id, owned.kind, ownerId],
  );
  const { state } = await aggregates.load(account, ownerId);
  await closeUnowned(ctx, ownerId, state, [owned]);
};

/** Before the words of a seller are erased: nobody is shown a listing without them. */
export const closeAllOf: ErasureStep<CoreDeps> = async (deps, context, person) => {
  for (const owned of await ownedBy(deps, person)) await closeErased(deps, context, owned, person);
};

type Added = `${'Hotel' | 'Tour' | 'Restaurant' | 'Transfer' | 'Instructor' | 'Company'}Added`;

const added =
  (kind: KindName) =>
  ({ streamId: id, data: { ownerId } }: Recorded<EventOf<Added>>, ctx: PolicyContext): Promise<void> =>
    remember(ctx, { id, kind }, ownerId);

export const catalogPolicy = policy('catalog', {
  HotelAdded: added('hotel'),
  TourAdded: added('tour'),
  RestaurantAdded: added('restaurant'),
  TransferAdded: added('transfer'),
  InstructorAdded: added('instructor'),
  CompanyAdded: added('company'),
  RoomAdded: async ({ streamId: id }, ctx) => {
    const ownerId = await roomOwner(ctx.deps, id);
    if (ownerId !== undefined) await remember(ctx, { id, kind: 'room' }, ownerId);
  },
  RoleGranted: closeLost,
  PersonErased: closeLost,
});
