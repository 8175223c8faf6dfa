/**
 * The uses of promo codes by one kind of item: bookings, or purchases. A use is reserved before the item is made. It is
 * taken before the item is recorded as paid, and released when the item was not made, not paid, or ended by somebody else
 * than the guest.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { AppliedPromotion } from '../../domain/promotions/appliedPromotion.ts';
import type { UsedBy } from '../../domain/promotions/promoCode.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { DryRun } from '../core/dryRun.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { isAccepted } from '../core/refusals.ts';
import { assertPromoUseFree, releasePromoUse, reservePromoUse, takePromoUse } from './promoCodes.ts';

type Deps = Pick<CoreDeps, 'aggregates' | 'pool' | 'log' | 'jobs'> & DryRun;

/** What became of an item that has a discount. */
export type Fate =
  /** It waits for its payment until then, or longer. */
  | { readonly is: 'payable'; readonly until: string }
  | { readonly is: 'paid'; readonly item: Discounted }
  /** It does not exist, or ended without money. */
  | { readonly is: 'nothing' }
  /** It ended after it was paid: whoever ended it has decided about the use. */
  | { readonly is: 'ended' };

/** An item whose price may have a discount. */
interface Discounted {
  readonly userId: string;
  readonly promotion?: AppliedPromotion;
}

/** After this time, what was attempted with a use has succeeded or failed. */
const SETTLED_MS = 10 * MINUTE_MS;
/** Some time after the last moment to pay, and after now. */
const later = (until: string, at: string): string =>
  instantOf(Math.max(Date.parse(until), Date.parse(at)) + SETTLED_MS);

interface NewUse extends Discounted {
  readonly itemId: string;
  /** When the item must have been made. */
  readonly until: string;
}

/** @param job the stored kind of the job that looks after a use */
export const promoUsesBy = (kind: UsedBy, job: string, fateOf: (deps: CoreDeps, itemId: string) => Promise<Fate>) => {
  /** Takes the use of an item that is about to be paid. @returns false when it was released, and none is left */
  const take = async (
    deps: Pick<Deps, 'aggregates'>,
    context: CommandContext,
    itemId: string,
    { promotion, userId }: Discounted,
  ): Promise<boolean> => {
    if (promotion === undefined) return true;
    const { promoCodeId } = promotion;
    return isAccepted(() => takePromoUse(deps, context, { promoCodeId, kind, itemId, userId }));
  };

  /**
   * Waits as long as the item can still be paid, and releases the use when the item does not exist or has ended unpaid. The
   * job's id is the item's.
   */
  const due = defineJob<{ promoCodeId: string }>(
    job,
    async ({ id: itemId, data: { promoCodeId } }, { deps, context }) => {
      const fate = await fateOf(deps, itemId);
      if (fate.is === 'payable') return { againAt: later(fate.until, context.at) };
      if (fate.is === 'paid') await take(deps, context, itemId, fate.item);
      if (fate.is === 'nothing') await releasePromoUse(deps, context, { promoCodeId, itemId }, { evenTaken: true });
      return undefined;
    },
  );

  /**
   * Reserves the use of a new item, makes the item with `work`, and releases the use if that was refused. A job is set
   * before, which releases what a process that dies leaves behind. A dry run reserves nothing.
   */
  const reserving = async <T>(
    deps: Deps,
    context: CommandContext,
    { itemId, userId, promotion, until }: NewUse,
    work: () => Promise<T>,
  ): Promise<T> => {
    if (promotion === undefined) return work();
    const { promoCodeId } = promotion;
    const use = { promoCodeId, kind, itemId, userId };
    if (deps.isDryRun) {
      await assertPromoUseFree(deps, context, use, until);
      return work();
    }
    await due.scheduleOnce(deps.jobs, context, {
      ...{ id: itemId, dueAt: later(until, context.at), data: { promoCodeId } },
    });
    await reservePromoUse(deps, context, use, until);
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error; // the item may exist: the job of the use will find out
      await releasePromoUse(deps, context, use).catch((err: unknown) => {
        deps.log.warn({ err, itemId }, 'the use of a promo code could not be released, its job will do it');
      });
      throw error;
    }
  };

  /** Refuses a use that could not be reserved now. @throws Rejected `promo_refused` */
  const assertFree = async (
    deps: Pick<Deps, 'aggregates' | 'pool'>,
    context: CommandContext,
    { itemId, userId, promotion, until }: NewUse,
  ): Promise<void> => {
    if (promotion === undefined) return;
    const use = { promoCodeId: promotion.promoCodeId, kind, itemId, userId };
    await assertPromoUseFree(deps, context, use, until);
  };

  /**
   * Gives back what the guest cannot use any more. A use that was taken meanwhile belongs to a payment that is just
   * settling for the item.
   */
  const giveBack = async (
    { deps, context }: PolicyContext<Pick<Deps, 'aggregates' | 'pool'>>,
    itemId: string,
    { promotion }: Discounted,
    { evenTaken = false } = {},
  ): Promise<void> => {
    if (promotion === undefined) return;
    await releasePromoUse(deps, context, { promoCodeId: promotion.promoCodeId, itemId }, { evenTaken });
  };

  /** Looks after a use that may have been taken for a payment that is refunded in the end. */
  const lookLater = async (
    { meta, at, streamId: promoCodeId, data }: Recorded<EventOf<'PromoUseTaken'>>,
    { deps }: PolicyContext<Deps>,
  ): Promise<void> => {
    if (data.kind !== kind) return;
    await due.schedule(deps.jobs, meta, { id: data.itemId, dueAt: later(at, at), data: { promoCodeId } });
  };

  /** Takes the use of an item that is paid, where it is not taken yet. */
  const paid = async ({ deps, context }: PolicyContext<Deps>, itemId: string, item: Discounted): Promise<void> => {
    if (!(await take(deps, context, itemId, item)))
      deps.log.error({ itemId, kind }, 'a paid item has a discount whose use was released and used by another');
  };

  return { due, take, reserving, assertFree, giveBack, lookLater, paid };
};
