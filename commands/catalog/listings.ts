/**
 * Listings of every kind. Owners change their own, admins all; for anyone else they do not exist.
 */
import type { Image, Listing, ListingCommand, ListingStatus, OpenListing } from '../../domain/catalog/listing.ts';
import type { ListingKind } from '../../domain/catalog/listings.ts';
import { type AnyEvent, type Decider, notFound, Rejected, requireExisting } from '../../domain/core/decider.ts';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { derivedId } from '../../infra/ids.ts';
import type { LoadOptions } from '../core/aggregateCache.ts';
import type { CoreDeps } from '../core/deps.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, FOR_QUOTE, followUp, refuseIfOutdated } from '../core/handle.ts';
import type { Loaded } from '../core/stateReader.ts';
import { publishing } from './owners.ts';
import { listingUse, type PictureInput, withPictures } from './pictures.ts';
import { changeWithStock, listingStock, type StockDeps } from './stock.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** A listing or room as it is now, with its id. */
export type Identified<State> = State & { readonly id: string };

type PartInput<T> = T extends readonly Image[]
  ? readonly PictureInput[]
  : T extends readonly (infer Part)[]
    ? (Part extends { id: string } ? Omit<Part, 'id'> & { readonly id?: string } : Part)[]
    : T;
/** Details as owners enter them: tables and vehicles that are new have no `id` yet, pictures may name files. Prices are in minor units. */
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

/** The seeding tools act as an admin. */
const mayEdit = ({ actor }: CommandContext, ownerId: string): boolean => actor.role === 'admin' || actor.id === ownerId;

/** A listing of any status. @throws Rejected `not_found` */
export const loadListing = async <Details, Command, Event extends AnyEvent>(
  deps: Deps,
  decider: Decider<Listing<Details>, Command, Event>,
  id: string,
  options?: LoadOptions,
): Promise<OpenListing<Details>> => {
  const { state } = await deps.aggregates.load(decider, id, options);
  requireExisting(state, decider.category);
  return state;
};

/** A listing as it is quoted, with its revision. @throws Rejected `not_found` */
export const loadQuoted = async <Details, Command, Event extends AnyEvent>(
  deps: Deps,
  decider: Decider<Listing<Details>, Command, Event>,
  id: string,
): Promise<{ readonly of: OpenListing<Details>; readonly listingRevision: number }> => {
  const { state, revision } = await deps.aggregates.load(decider, id, FOR_QUOTE);
  requireExisting(state, decider.category);
  return { of: state, listingRevision: Number(revision) };
};

/** Whether nothing is left of what its seller said, because the seller was erased. */
const isErased = (listing: object): boolean => 'name' in listing && isPlaceholder(String(listing.name));

/**
 * A listing that the actor may change.
 * @throws Rejected `not_found`, also for a listing of another owner, and once its seller was erased
 */
export const ownListing = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  decider: ListingKind<Details, Event>['decider'],
  id: string,
): Promise<OpenListing<Details>> => {
  const found = await loadListing(deps, decider, id);
  if (isErased(found) || !mayEdit(context, found.ownerId)) throw notFound(decider.category);
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
    if (!own.has(part.id)) {
      const detail = `This listing has no ${parts} with the id ${part.id}. Leave the id out to add a new one.`;
      throw new Rejected('invalid', detail, { fields: [`${parts}/${index}/id`] });
    }
    return part;
  });
  // The compiler cannot see that the parts with their ids are the parts of the details.
  return { ...input, [parts]: identified } as unknown as Partial<Details>;
};

/** Writes details whose pictures are known. The compiler cannot see that the details of a kind may have pictures. */
const pictured = <Details, T>(
  deps: StockDeps,
  context: CommandContext,
  id: string,
  before: object,
  input: Partial<ListingInput<Details>>,
  writeDetails: (input: Partial<ListingInput<Details>>) => Promise<T>,
): Promise<T> => {
  const { images = [] } = before as { readonly images?: readonly Image[] };
  const shown = { usage: { kind: 'listing', id }, before: images, isUsed: listingUse };
  return withPictures(deps, context, shown, input as { images?: readonly PictureInput[] }, (details) =>
    writeDetails(details as Partial<ListingInput<Details>>),
  );
};

const write = async <Details extends object, Event extends AnyEvent>(
  deps: StockDeps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
  command: ListingCommand<Details>,
  before: Pick<Loaded<Listing<Details>>, 'state' | 'revision'>,
): Promise<OpenListing<Details>> => {
  const { state } = await changeWithStock(deps, context, listingStock(kind), id, command, before);
  requireExisting(state, kind.decider.category);
  return state;
};

/** @param isAlone whether nothing else is changed before it, so that the condition of the context is about it */
const setStatus = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
  command: ListingCommand<Details>,
  isAlone = false,
): Promise<void> => {
  const own = followUp(context, 'status');
  await deps.aggregates.handle(
    kind.decider,
    id,
    command,
    isAlone && context.onlyAt ? { ...own, onlyAt: context.onlyAt } : own,
  );
};

/** The command that leads to a status. @throws Rejected `insufficient_rights` to publish without the role for it */
const statusCommand = async <Details extends object, Event extends AnyEvent>(
  deps: Deps,
  { actor }: CommandContext,
  kind: ListingKind<Details, Event>,
  ownerId: string,
  status: ListingStatus,
): Promise<ListingCommand<Details>> =>
  status === 'published' ? publishing(deps, actor, ownerId, kind) : { type: 'Close' };

/**
 * Adds a listing; repeated with the same `context.commandId` it is the same one.
 * @throws Rejected `invalid` for an unknown time zone or currency, and for details that make no sense;
 * `insufficient_rights` where the owner has lost the role for it
 */
export const addListing = async <Details extends object, Event extends AnyEvent>(
  deps: StockDeps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  { status = 'published', details: input, ...fixed }: NewListing<Details>,
): Promise<Identified<OpenListing<Details>>> => {
  const id = derivedId(context.commandId, kind.decider.category);
  const change = await statusCommand(deps, context, kind, fixed.ownerId, status);
  const state = await pictured<Details, OpenListing<Details>>(deps, context, id, {}, input, (entered) => {
    const details = withIds(context, kind, id, entered, {}) as Details;
    const nothing = { state: kind.decider.initial, revision: null };
    return write(deps, context, kind, id, { type: 'Add', ...fixed, details }, nothing);
  });
  await setStatus(deps, context, kind, id, change);
  return { ...state, status, id };
};

/**
 * Changes the given details. Lowering the stock cancels no booking.
 * @throws Rejected `bookings_ahead` for tables, vehicles and times that are missing and have bookings ahead;
 * `not_found`, also for a file of somebody else; `invalid` for details that make no sense, and for parts
 * that are not its own;
 * `insufficient_rights` to publish it without the role that may own it; `outdated_revision` as the context wants
 */
export const changeListing = async <Details extends object, Event extends AnyEvent>(
  deps: StockDeps,
  context: CommandContext,
  kind: ListingKind<Details, Event>,
  id: string,
  { details: input = {}, status }: ListingChange<Details>,
): Promise<Identified<OpenListing<Details>>> => {
  const before = await ownListing(deps, context, kind.decider, id);
  const change = status && (await statusCommand(deps, context, kind, before.ownerId, status));
  // A list replaces the whole of the former one, so that it must be known what that is.
  const rewrite = (entered: Partial<ListingInput<Details>>) =>
    onFreshFacts(async () => {
      const now = await deps.aggregates.load(kind.decider, id);
      requireExisting(now.state, kind.decider.category);
      // Before places are withdrawn. A request that may be repeated is judged with its command, which knows what it has done.
      if (context.isFirstAttempt) refuseIfOutdated(context, kind.decider, id, now.revision);
      const details = withIds(context, kind, id, entered, now.state as Partial<Details>);
      const { edition } = now.state;
      return write(deps, context, kind, id, { type: 'ChangeDetails', details, edition }, now);
    });
  const state = await pictured<Details, OpenListing<Details>>(deps, context, id, before, input, rewrite);
  if (!status || !change) return { ...state, id };
  await setStatus(deps, context, kind, id, change, Object.keys(input).length === 0);
  return { ...state, status, id };
};
