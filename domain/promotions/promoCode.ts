/**
 * A promo code and its uses. A use is reserved for a booking or a purchase before that is made, taken when it is paid, and
 * released when it comes to nothing. Reserved and taken uses count, so that there are never more than the terms allow.
 */
import { type Static, Type } from '@sinclair/typebox';
import {
  type Decider,
  type EventDeclarations,
  type EventsOf,
  Rejected,
  requireExisting,
  snapshot,
} from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { hasCome, isBefore } from '../core/instants.ts';
import { Instant, Nullable, OneOf, Uuid } from '../core/schema.ts';
import { assertAmountsSent, assertTerms, FIRST_DAY, LAST_DAY, PromoTerms, refused } from './terms.ts';

/** As it is stored and shown: `promoCodeOf` writes it like that. */
export const PromoCodeText = Type.String({ pattern: '^[A-Z0-9][A-Z0-9_-]{2,31}$', examples: ['SNOW-2027'] });
/** A code as people type it: in any letter case, with spaces around it. */
export const typedCode = (text: string): string => text.trim().toUpperCase();

/** What has a discount. */
export const usedBy = ['booking', 'purchase'] as const;
export type UsedBy = (typeof usedBy)[number];

const Use = { kind: OneOf(usedBy), itemId: Uuid, userId: Uuid };

const promoCodeEvents = {
  PromoCodeCreated: { data: Type.Object({ code: PromoCodeText, terms: PromoTerms }) },
  /** The new terms count from then on. */
  PromoCodeTermsChanged: { data: Type.Object({ terms: PromoTerms }) },
  PromoCodePaused: { data: Type.Object({}) },
  PromoCodeResumed: { data: Type.Object({}) },
  /** `until`: when the item must have been made. */
  PromoUseReserved: { data: Type.Object({ ...Use, until: Instant }) },
  /** The item is paid. */
  PromoUseTaken: { data: Type.Object(Use) },
  /** The item was not made, not paid, or ended by the seller. */
  PromoUseReleased: { data: Type.Object({ itemId: Uuid }) },
} as const satisfies EventDeclarations;
export type PromoCodeEvent = EventsOf<typeof promoCodeEvents>;

interface PromoUse {
  readonly userId: string;
  readonly taken: boolean;
}
export interface OpenPromoCode {
  readonly status: 'open';
  readonly code: string;
  readonly terms: PromoTerms;
  readonly isPaused: boolean;
  /** By the id of the item. */
  readonly uses: ImmutableMap<PromoUse>;
}
export type PromoCode = { readonly status: 'none' } | OpenPromoCode;

interface UseOf {
  readonly kind: UsedBy;
  readonly itemId: string;
  readonly userId: string;
}
export type PromoCodeCommand =
  | { readonly type: 'CreatePromoCode'; readonly code: string; readonly terms: PromoTerms }
  /** Fields that are absent do not change. */
  | { readonly type: 'ChangePromoTerms'; readonly terms: Partial<PromoTerms> }
  | { readonly type: 'PausePromoCode' | 'ResumePromoCode' }
  | ({ readonly type: 'ReservePromoUse'; readonly until: string; readonly at: string } & UseOf)
  | ({ readonly type: 'TakePromoUse' } & UseOf)
  /** `evenTaken`: also the use of a paid item. */
  | { readonly type: 'ReleasePromoUse'; readonly itemId: string; readonly evenTaken: boolean };
type Of<T extends PromoCodeCommand['type']> = Extract<PromoCodeCommand, { type: T }>;

const decide = (command: PromoCodeCommand, state: PromoCode): PromoCodeEvent[] => {
  if (command.type === 'CreatePromoCode') return create(command, state);
  requireExisting(state, 'promo code');
  switch (command.type) {
    case 'ChangePromoTerms':
      return change(command, state);
    case 'PausePromoCode':
      return state.isPaused ? [] : [{ type: 'PromoCodePaused', data: {} }];
    case 'ResumePromoCode':
      return state.isPaused ? [{ type: 'PromoCodeResumed', data: {} }] : [];
    case 'ReservePromoUse':
      return reserve(command, state);
    case 'TakePromoUse':
      return take(command, state);
    case 'ReleasePromoUse': {
      const { itemId, evenTaken } = command;
      const use = state.uses.get(itemId);
      return use && (evenTaken || !use.taken) ? [{ type: 'PromoUseReleased', data: { itemId } }] : [];
    }
  }
};

const create = ({ code, terms }: Of<'CreatePromoCode'>, state: PromoCode): PromoCodeEvent[] => {
  if (state.status === 'open') {
    if (Object.keys(differences(state.terms, terms)).length === 0) return [];
    throw new Rejected('conflict', 'This promo code exists already. Change it, or choose another code.');
  }
  assertTerms(terms);
  return [{ type: 'PromoCodeCreated', data: { code, terms } }];
};

const change = ({ terms }: Of<'ChangePromoTerms'>, state: OpenPromoCode): PromoCodeEvent[] => {
  const changed = differences(state.terms, terms);
  if (Object.keys(changed).length === 0) return [];
  assertAmountsSent(state.terms, terms);
  const after = { ...state.terms, ...changed };
  assertTerms(after);
  return [{ type: 'PromoCodeTermsChanged', data: { terms: after } }];
};

/** @throws Rejected `promo_refused` when there is no use left in all, or for this person */
const assertFree = ({ uses, terms }: OpenPromoCode, userId: string): void => {
  if (uses.size >= terms.uses) throw refused('used_up', 'This promo code was used up.');
  let theirs = 0;
  for (const [, use] of uses) if (use.userId === userId) theirs += 1;
  if (theirs >= terms.usesPerPerson)
    throw refused(
      'used_by_you',
      'You have used this promo code as often as it allows, or have an unpaid order with it.',
    );
};

/** A repeated request finds the use that it has reserved, even if the code has ended meanwhile. */
const reserve = (
  { kind, itemId, userId, until, at }: Of<'ReservePromoUse'>,
  state: OpenPromoCode,
): PromoCodeEvent[] => {
  if (state.uses.get(itemId)) return [];
  const { usableFrom, usableUntil } = state.terms;
  if (state.isPaused) throw refused('paused', 'This promo code cannot be used at present.');
  if (isBefore(at, usableFrom ?? FIRST_DAY))
    throw refused('not_yet', `This promo code can be used from ${usableFrom} on.`);
  if (hasCome(usableUntil ?? LAST_DAY, at)) throw refused('over', 'This promo code has expired.');
  assertFree(state, userId);
  return [{ type: 'PromoUseReserved', data: { kind, itemId, userId, until } }];
};

/** Money that comes after the use was released takes it again where one is left: the item was made in time. */
const take = ({ kind, itemId, userId }: Of<'TakePromoUse'>, state: OpenPromoCode): PromoCodeEvent[] => {
  const use = state.uses.get(itemId);
  if (use?.taken) return [];
  if (!use) assertFree(state, userId);
  return [{ type: 'PromoUseTaken', data: { kind, itemId, userId } }];
};

const evolve = (state: PromoCode, event: PromoCodeEvent): PromoCode => {
  if (event.type === 'PromoCodeCreated')
    return { status: 'open', ...event.data, isPaused: false, uses: ImmutableMap.empty() };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PromoCodeTermsChanged':
      return { ...state, terms: event.data.terms };
    case 'PromoCodePaused':
      return { ...state, isPaused: true };
    case 'PromoCodeResumed':
      return { ...state, isPaused: false };
    case 'PromoUseReserved':
      return withUse(state, event.data, false);
    case 'PromoUseTaken':
      return withUse(state, event.data, true);
    case 'PromoUseReleased':
      return { ...state, uses: state.uses.delete(event.data.itemId) };
  }
};

const withUse = (state: OpenPromoCode, { itemId, userId }: UseOf, taken: boolean): OpenPromoCode => ({
  ...state,
  uses: state.uses.set(itemId, { userId, taken }),
});

const Packed = Nullable(
  Type.Object({
    code: Type.String(),
    terms: PromoTerms,
    isPaused: Type.Boolean(),
    uses: Type.Array(Type.Object({ item: Type.String(), user: Type.String(), taken: Type.Boolean() })),
  }),
);

const pack = (state: PromoCode): Static<typeof Packed> => {
  if (state.status === 'none') return null;
  const { status, uses, ...rest } = state;
  return { ...rest, uses: [...uses].map(([item, { userId, taken }]) => ({ item, user: userId, taken })) };
};

const unpack = (packed: Static<typeof Packed>): PromoCode => {
  if (packed === null) return { status: 'none' };
  const uses = packed.uses.map(({ item, user, taken }) => [item, { userId: user, taken }] as const);
  return { status: 'open', ...packed, uses: ImmutableMap.from(uses) };
};

export const promoCode: Decider<PromoCode, PromoCodeCommand, PromoCodeEvent> = {
  category: 'promoCode',
  events: promoCodeEvents,
  initial: { status: 'none' },
  decide,
  evolve,
  snapshot: snapshot({ version: 2, packed: Packed, pack, unpack }),
};
