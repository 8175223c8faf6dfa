/**
 * Promo codes: edited by admins, and used by bookings and purchases. The id of a code derives from its text, so that none
 * exists twice.
 */
import { changedNothing, existing } from '../../domain/core/decider.ts';
import {
  type OpenPromoCode,
  type PromoCode,
  promoCode,
  typedCode,
  type UsedBy,
} from '../../domain/promotions/promoCode.ts';
import { type PromoTerms, refused } from '../../domain/promotions/terms.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { dryRun } from '../core/dryRun.ts';
import { type CommandContext, FOR_QUOTE, followUp } from '../core/handle.ts';
import { claimFirstBooking, couldBeFirst, unclaimFirstBooking } from './firstBookings.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type UseDeps = Pick<CoreDeps, 'aggregates' | 'pool'>;

/** A promo code and its id. */
export interface Promo {
  readonly promoCodeId: string;
  readonly promo: OpenPromoCode;
}

/** @param code as it was typed */
export const promoCodeId = (code: string): string => derivedId('promo code', typedCode(code));

const promoOf = (id: string, state: PromoCode): Promo => ({ promoCodeId: id, promo: existing(state, 'promo code') });

/** @throws Rejected `conflict` when the code exists with other terms, `invalid` for terms that contradict each other */
export const createPromoCode = async (
  { aggregates }: Deps,
  context: CommandContext,
  code: string,
  terms: PromoTerms,
): Promise<Promo> => {
  const id = promoCodeId(code);
  const create = { type: 'CreatePromoCode', code: typedCode(code), terms } as const;
  return promoOf(id, (await aggregates.handle(promoCode, id, create, context)).state);
};

export interface PromoChange {
  readonly terms: Partial<PromoTerms>;
  readonly isPaused?: boolean;
}

/** What was sold before keeps its discount. @throws Rejected `not_found`, `invalid` */
export const changePromoCode = async (
  { aggregates }: Deps,
  context: CommandContext,
  id: string,
  { terms, isPaused }: PromoChange,
): Promise<Promo> => {
  const changed = await aggregates.handle(promoCode, id, { type: 'ChangePromoTerms', terms }, context);
  if (isPaused === undefined) return promoOf(id, changed.state);
  const type = isPaused ? 'PausePromoCode' : 'ResumePromoCode';
  return promoOf(id, (await aggregates.handle(promoCode, id, { type }, followUp(context, 'paused'))).state);
};

/** @throws Rejected `not_found` */
export const loadPromoCode = async ({ aggregates }: Deps, id: string): Promise<Promo> =>
  promoOf(id, (await aggregates.load(promoCode, id)).state);

/** The code that a guest has typed, for a quote. @throws Rejected `promo_refused` for one that does not exist */
export const promoCodeFor = async ({ aggregates }: Deps, code: string): Promise<Promo> => {
  const id = promoCodeId(code);
  const { state } = await aggregates.load(promoCode, id, FOR_QUOTE);
  if (state.status === 'none') throw refused('unknown', 'This promo code does not exist. Check its spelling.');
  return { promoCodeId: id, promo: state };
};

export interface UseRequest {
  readonly promoCodeId: string;
  readonly kind: UsedBy;
  readonly itemId: string;
  readonly userId: string;
}

const notFirst = () => refused('not_first', 'This promo code is only for your first booking.');

/**
 * Reserves a use for an item that is about to be made. Repeated, it is the same use.
 * @throws Rejected `promo_refused`
 */
export const reservePromoUse = async (
  { aggregates, pool }: UseDeps,
  context: CommandContext,
  { promoCodeId: id, ...use }: UseRequest,
  until: string,
): Promise<void> => {
  const { promo } = promoOf(id, (await aggregates.load(promoCode, id, FOR_QUOTE)).state);
  const { kind, itemId, userId } = use;
  const ofFirst = { userId, bookingId: itemId };
  if (promo.terms.firstBookingOnly && !(kind === 'booking' && (await claimFirstBooking(pool, ofFirst))))
    throw notFirst();
  const reserve = { type: 'ReservePromoUse', ...use, until, at: context.at } as const;
  try {
    await aggregates.handle(promoCode, id, reserve, followUp(context, 'promo'));
  } catch (error) {
    if (changedNothing(error) && promo.terms.firstBookingOnly) await unclaimFirstBooking(pool, itemId);
    throw error;
  }
};

/** Refuses what `reservePromoUse` would refuse now. Nothing is reserved. @throws Rejected `promo_refused` */
export const assertPromoUseFree = async (
  { aggregates, pool }: UseDeps,
  context: CommandContext,
  { promoCodeId: id, ...use }: UseRequest,
  until: string,
): Promise<void> => {
  const { promo } = promoOf(id, (await aggregates.load(promoCode, id, FOR_QUOTE)).state);
  const { kind, itemId: bookingId, userId } = use;
  if (promo.terms.firstBookingOnly && !(kind === 'booking' && (await couldBeFirst(pool, { userId, bookingId }))))
    throw notFirst();
  const reserve = { type: 'ReservePromoUse', ...use, until, at: context.at } as const;
  await dryRun({ aggregates }).aggregates.handle(promoCode, id, reserve, followUp(context, 'promo'));
};

/** The item is paid. @throws Rejected `promo_refused` where the use was released before, and none is left */
export const takePromoUse = async (
  { aggregates }: Deps,
  context: CommandContext,
  { promoCodeId: id, ...use }: UseRequest,
): Promise<void> => {
  await aggregates.handle(promoCode, id, { type: 'TakePromoUse', ...use }, followUp(context, 'take promo'));
};

/** Gives a use back. One that was not reserved changes nothing. */
export const releasePromoUse = async (
  { aggregates, pool }: UseDeps,
  context: CommandContext,
  { promoCodeId: id, itemId }: Pick<UseRequest, 'promoCodeId' | 'itemId'>,
  { evenTaken = false } = {},
): Promise<void> => {
  const release = { type: 'ReleasePromoUse', itemId, evenTaken } as const;
  await aggregates.handle(promoCode, id, release, followUp(context, 'release promo'));
  await unclaimFirstBooking(pool, itemId);
};
