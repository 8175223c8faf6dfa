/**
 * A listing in the catalog. All kinds have the same lifecycle (added, changed, published, closed) and differ only in
 * their details, so a kind is one declaration: `listing({ name: 'Tour', … })`.
 */
import {
  type Static,
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import { isTimezone } from '../core/dates.ts';
import { type Decider, type EventDeclaration, Outdated, Rejected, requireExisting } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { assertCurrency } from '../core/money.ts';
import { Currency, isPersonal, MOST_MINOR, OneOf, Uuid, WebUrl } from '../core/schema.ts';
import { cancellationPolicyNames } from './cancellation.ts';
import { sealed, sealing } from './sealed.ts';

export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
export const Image = Type.Object({ url: WebUrl, isMain: Type.Boolean() });
export type Image = Static<typeof Image>;
export const Images = Type.Array(Image, { maxItems: 50 });
/** A price in minor units; sums of many of them are still exact. */
export const Price = Type.Integer({ minimum: 0, maximum: MOST_MINOR });
export const Location = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});
/** ISO 639-1 codes. */
export const Languages = Type.Array(Type.String({ pattern: '^[a-z]{2}$' }), { maxItems: 30, uniqueItems: true });
export const CancellationTerms = OneOf(cancellationPolicyNames);

/** Prices and times depend on these, so they never change. */
const Fixed = { ownerId: Uuid, timezone: Text(64), currency: Currency };
type FixedFields = typeof Fixed;

export const listingStatuses = ['closed', 'published'] as const;
export type ListingStatus = (typeof listingStatuses)[number];

export type OpenListing<Details> = Readonly<Details> & {
  readonly status: ListingStatus;
  readonly ownerId: string;
  /** IANA name. */
  readonly timezone: string;
  readonly currency: string;
  /** The last change of the owner's role that it was closed for; 0: none. */
  readonly roleChange: number;
  /** Counts its events. */
  readonly edition: number;
};
export type Listing<Details> = { readonly status: 'none' } | OpenListing<Details>;

export type ListingCommand<Details> =
  | {
      readonly type: 'Add';
      readonly ownerId: string;
      readonly timezone: string;
      readonly currency: string;
      readonly details: Details;
    }
  /** `edition`: the one that the change was made from. @throws Outdated where it has changed since */
  | { readonly type: 'ChangeDetails'; readonly details: Partial<Details>; readonly edition?: number }
  /** Makes every change outdated that was made from this edition. Nothing else changes. */
  | { readonly type: 'Renew'; readonly edition: number }
  /** `roleChange`: the changes of the owner's role that the right to publish was read after. Absent for admins. */
  | { readonly type: 'Publish'; readonly roleChange?: number }
  /** `roleChange`: because the owner lost the role that may own it, with this change of the role, counted from 1. */
  | { readonly type: 'Close'; readonly roleChange?: number };

type Optionals<P extends TProperties> = { [K in keyof P]: TOptional<P[K]> };
/** `L` of the fields are missing in events that were stored before the field existed. */
type Stored<P extends TProperties, L extends keyof P> = Omit<P, L> & Optionals<Pick<P, L>>;
/** `TourAdded`, `TourDetailsChanged`, `TourPublished`, `TourClosed`. */
export type ListingEvents<N extends string, P extends TProperties, L extends keyof P> = {
  readonly [T in `${N}Added`]: EventDeclaration<TObject<FixedFields & Stored<P, L>>>;
} & {
  readonly [T in `${N}DetailsChanged`]: EventDeclaration<TObject<{ ownerId: typeof Uuid } & Optionals<P>>>;
} & {
  readonly [T in `${N}Published`]: EventDeclaration<TObject<Record<never, never>>>;
} & {
  readonly [T in `${N}Closed`]: EventDeclaration<TObject<{ roleChange: TOptional<TInteger> }>>;
};

export type ListingEvent<N extends string, Details, L extends string = never> =
  | {
      readonly type: `${N}Added`;
      readonly data: { ownerId: string; timezone: string; currency: string } & Omit<Details, L> &
        Partial<Pick<Details, L & keyof Details>>;
    }
  | { readonly type: `${N}DetailsChanged`; readonly data: { ownerId: string } & Partial<Details> }
  | { readonly type: `${N}Published`; readonly data: Record<never, never> }
  | { readonly type: `${N}Closed`; readonly data: { readonly roleChange?: number } };

export interface Kind<N extends string, P extends TProperties, Details, L extends keyof P & string> {
  /** Names the events and, with a lower-case first letter, the category of the streams. */
  readonly name: N;
  readonly details: TObject<P>;
  /** The values of details that did not exist before, for events stored before. */
  readonly defaults?: { readonly [K in L]: Static<P[K]> };
  /** The noun in error messages: `This tour does not exist.` */
  readonly noun: string;
  /** The resort itself offers it: it stays whoever of the admins added it, and is in plain. */
  readonly isOfResort?: boolean;
  /** Checks that depend on several details. @throws Rejected `invalid` */
  readonly check?: (details: Details) => void;
}

/** @returns the kind's events and its decider */
export const listing = <
  const N extends string,
  P extends TProperties,
  Details extends object = Static<TObject<P>>,
  L extends keyof P & string = never,
>({
  name,
  details,
  defaults,
  noun,
  isOfResort = false,
  check = () => undefined,
}: Kind<N, P, Details, L>): {
  readonly events: ListingEvents<N, P, L>;
  readonly decider: Decider<Listing<Details>, ListingCommand<Details>, ListingEvent<N, Details, L>>;
} => {
  type State = Listing<Details>;
  type Event = ListingEvent<N, Details, L>;
  const nothing = { data: Type.Object({}) };
  const stored = isOfResort ? details : sealed(details);
  const added = Object.entries(stored.properties).map(([field, schema]) => [
    field,
    defaults && field in defaults ? Type.Optional(schema) : schema,
  ]);
  const before = Object.keys(details.properties).filter((field) => isPersonal(details.properties[field] as TSchema));
  const readable = isOfResort ? { person: 'ownerId' } : sealing(before);
  const events = {
    [`${name}Added`]: { data: Type.Object({ ...Fixed, ...Object.fromEntries(added) }), ...readable },
    [`${name}DetailsChanged`]: {
      data: Type.Object({ ownerId: Uuid, ...Type.Partial(stored).properties }),
      ...readable,
    },
    [`${name}Published`]: nothing,
    [`${name}Closed`]: { data: Type.Object({ roleChange: Type.Optional(Type.Integer({ minimum: 1 })) }) },
  } as unknown as ListingEvents<N, P, L>;
  // The compiler cannot derive the type of an event from a name that is put together when the program runs.
  const made = (suffix: string, data: object): Event[] => [{ type: `${name}${suffix}`, data } as unknown as Event];

  const add = (command: Extract<ListingCommand<Details>, { readonly type: 'Add' }>, state: State): Event[] => {
    const { ownerId, timezone, currency, details } = command;
    const data = { ownerId, timezone, currency, ...details };
    if (state.status !== 'none') {
      if (Object.keys(differences(state, data)).length > 0)
        throw new Rejected('conflict', `This ${noun} already exists with other details.`);
      return [];
    }
    if (!isTimezone(timezone))
      throw new Rejected('invalid', `${timezone} is not an IANA time zone.`, { fields: ['timezone'] });
    assertCurrency(currency);
    check(details);
    return made('Added', data);
  };

  const publish = (
    { roleChange }: Extract<ListingCommand<Details>, { readonly type: 'Publish' }>,
    state: OpenListing<Details>,
  ): Event[] => {
    if (state.status === 'published') return [];
    if (roleChange !== undefined && roleChange < state.roleChange)
      throw new Rejected('insufficient_rights', 'The owner has lost the role for this listing.');
    return made('Published', {});
  };

  const close = (
    { roleChange }: Extract<ListingCommand<Details>, { readonly type: 'Close' }>,
    state: OpenListing<Details>,
  ): Event[] => {
    if (roleChange === undefined) return state.status === 'closed' ? [] : made('Closed', {});
    // It may have been opened again since, on purpose.
    return roleChange <= state.roleChange ? [] : made('Closed', { roleChange });
  };

  const decide = (command: ListingCommand<Details>, state: State): Event[] => {
    if (command.type === 'Add') return add(command, state);
    requireExisting(state, noun);
    switch (command.type) {
      case 'ChangeDetails': {
        if ((command.edition ?? state.edition) !== state.edition) throw new Outdated();
        const changed = differences(state, command.details as object);
        if (Object.keys(changed).length === 0) return [];
        check({ ...state, ...changed } as Details);
        return made('DetailsChanged', { ownerId: state.ownerId, ...changed });
      }
      case 'Renew':
        return command.edition === state.edition ? made('DetailsChanged', { ownerId: state.ownerId }) : [];
      case 'Publish':
        return publish(command, state);
      case 'Close':
        return close(command, state);
    }
  };

  const evolve = (state: State, { type, data }: Event): State => {
    if (type === `${name}Added`)
      return { ...defaults, ...data, status: 'closed', roleChange: 0, edition: 1 } as unknown as OpenListing<Details>;
    if (state.status === 'none') return state;
    const edition = state.edition + 1;
    if (type === `${name}DetailsChanged`) return { ...state, ...data, edition };
    if (type === `${name}Published`) return { ...state, status: 'published', edition };
    const { roleChange = state.roleChange } = data as { readonly roleChange?: number };
    return { ...state, status: 'closed', roleChange, edition };
  };

  const category = name.charAt(0).toLowerCase() + name.slice(1);
  const short = 'its seller changes it now and then';
  return { events, decider: { category, short, events, initial: { status: 'none' }, decide, evolve } };
};
