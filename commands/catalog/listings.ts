/**
 * Listings of every kind. Owners change their own, admins all; for anyone else they do not exist.
 */
import { inventory } from '../../domain/catalog/inventory.ts';
import type { Listing, ListingCommand, ListingStatus, OpenListing } from '../../domain/catalog/listing.ts';
import type { ListingKind, Stock } from '../../domain/catalog/listings.ts';
import { type AnyEvent, type Decider, Rejected } from '../../domain/core/decider.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { assertMayPublish } from './owners.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** A listing or room as it is now, with its id. */
export type Identified<State> = State & { readonly id: string };

type PartInput<T> = T extends readonly (infer Part)[]
  ? (Part extends { id: string } ? Omit<Part, 'id'> & { readonly id?: string } : Part)[]
  : T;
/** Details as owners enter them: tables and vehicles that are new have no `id` yet. Prices are in minor units. */
export type ListingInput<Details> = { readonly [K in keyof Details]: PartInput<Details[K]> };

export interface NewListing<Details> {
  readonly ownerId: string;
  /** IANA name. */
  readonly timezone: string;
  readonly currency: string;
  readonly details: ListingInput<Details>;
  /** `published` by default. */
  readonly status?: ListingStatus;
}

/** Fields that are absent do not change. */
export interface ListingChange<Details> {
  readonly details?: Partial<ListingInput<Details>>;
  readonly status?: ListingStatus;
}

/** Items whose stock is set at the same time. */
const AT_ONCE = 16;

/** The seeding tools act as an admin. */
const mayEdit = ({ actor }: CommandContext, ownerId: string): boolean => actor.role === 'admin' || actor.id === ownerId;

const notThere = ({ decider }: { readonly decider: { readonly category: string } }) =>
  new Rejected('not_found', `This ${decider.category} does not exist.`);

/** A listing of any status. @throws Rejected `not_found` */
export const loadListing = async <Details, Command, Event extends AnyEvent>(
  deps: Deps,
  decider: Decider<Listing<Details>, Command, Event>,
  id: string,
): Promise<OpenListing<Details>> => {
  const { state } = await deps.aggregates.load(decider, id);
  if (state.status === 'none') throw notThere({ decider });
  return state;
};

/** A listing that the actor may change. @throws Rejected `not_found`, also for a listing of another owner */
export const ownListing = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
): Promise<OpenListing<Details>> => {
  const found = await loadListing(deps, kind.decider, id);
  if (!mayEdit(context, found.ownerId)) throw notThere(kind);
  return found;
};

type Part = { readonly id?: string };

/**
 * Gives new parts their ids, derived from the command. A given id must belong to a part of this listing, because it
 * names an inventory and nobody may change that of another owner.
 */
const withIds = <Details extends object>(
  { commandId }: CommandContext,
  { parts }: Pick<ListingKind<Details>, 'parts'>,
  id: string,
  input: Partial<ListingInput<Details>>,
  before: Partial<Details>,
): Partial<Details> => {
  const named = parts && (input[parts] as readonly Part[] | undefined);
  if (!named) return input as Partial<Details>;
  const own = new Set(((before[parts] ?? []) as readonly Part[]).map((part) => part.id));
  const identified = named.map((part, index) => {
    if (part.id === undefined) return { ...part, id: derivedId(commandId, id, parts, index) };
    if (!own.has(part.id))
      throw new Rejected(
        'invalid',
        `This listing has no ${parts} with the id ${part.id}. Leave the id out to add a new one.`,
      );
    return part;
  });
  // The compiler cannot see that the parts with their ids are the parts of the details.
  return { ...input, [parts]: identified } as unknown as Partial<Details>;
};

const stockOf = <Details extends object>(
  { stockOf: of }: Pick<ListingKind<Details>, 'stockOf'>,
  id: string,
  before: Listing<Details>,
  after: Listing<Details>,
): Stock[] => {
  const had = before.status === 'none' ? [] : of(id, before);
  const has = after.status === 'none' ? [] : of(id, after);
  const kept = new Set(has.map(({ unitId }) => unitId));
  return [...had.filter(({ unitId }) => !kept.has(unitId)).map((gone) => ({ ...gone, capacity: 0 })), ...has];
};

/**
 * The inventory is changed first. If a crash follows, no more is sold than the owner wants, and the same request again
 * completes the change. The listing's own checks run before both.
 */
const write = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
  command: ListingCommand<Details>,
): Promise<OpenListing<Details>> => {
  const { decider } = kind;
  const { state: before } = await deps.aggregates.load(decider, id);
  const after = decider.decide(command, before).reduce(decider.evolve, before);
  await concurrentEach(stockOf(kind, id, before, after), AT_ONCE, async ({ unitId, capacity }) => {
    const told = followUp(context, `stock of ${unitId}`);
    await deps.aggregates.handle(inventory, unitId, { type: 'SetCapacity', capacity }, told);
  });
  const { state } = await deps.aggregates.handle(decider, id, command, context);
  if (state.status === 'none') throw notThere(kind);
  return state;
};

const setStatus = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
  status: ListingStatus,
): Promise<void> => {
  const type = status === 'published' ? 'Publish' : 'Close';
  await deps.aggregates.handle(kind.decider, id, { type }, followUp(context, 'status'));
};

/**
 * Adds a listing; repeated with the same `context.commandId` it is the same one.
 * @throws Rejected `invalid` for an unknown time zone or currency, and for details that make no sense
 */
export const addListing = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  { status = 'published', details: input, ...fixed }: NewListing<Details>,
): Promise<Identified<OpenListing<Details>>> => {
  const id = derivedId(context.commandId, kind.decider.category);
  const details = withIds(context, kind, id, input, {}) as Details;
  const state = await write(deps, context, kind, id, { type: 'Add', ...fixed, details });
  await setStatus(deps, context, kind, id, status);
  return { ...state, status, id };
};

/**
 * Changes the given details. Lowering the stock cancels no booking.
 * @throws Rejected `not_found`; `invalid` for details that make no sense, and for parts that are not its own;
 * `insufficient_rights` to publish it without the role that may own it
 */
export const changeListing = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
  { details: input = {}, status }: ListingChange<Details>,
): Promise<Identified<OpenListing<Details>>> => {
  const before = await ownListing(deps, context, kind, id);
  if (status === 'published') await assertMayPublish(deps, context.actor, before.ownerId, kind);
  const details = withIds(context, kind, id, input, before as Partial<Details>);
  const state = await write(deps, context, kind, id, { type: 'ChangeDetails', details });
  if (status === undefined) return { ...state, id };
  await setStatus(deps, context, kind, id, status);
  return { ...state, status, id };
};
