/** What promo codes and their uses look like to admins. */
import { expect, it } from 'vitest';
import type { PromoCodeEvent } from '../../domain/promotions/promoCode.ts';
import { toSnake } from '../../infra/naming.ts';
import { promoCodes, promoUses } from '../../projections/promotions/promoCodes.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { promoTerms } from './promoFixtures.ts';

const codesAfter = projection(promoCodes);
const usesAfter = projection(promoUses);
const CODE = id(50);
const on = (event: PromoCodeEvent, minutes: number) => happened('promoCode', CODE, event, at(minutes));
const created = on({ type: 'PromoCodeCreated', data: { code: 'SNOW', terms: promoTerms } }, 0);

it('a code has its newest terms, and whether it is paused', () => {
  const row = { id: CODE, code: 'SNOW', ...toSnake(promoTerms), paused: false, created_at: at(0), updated_at: at(0) };
  expect(codesAfter([created])).toEqual([row]);
  const paused = on({ type: 'PromoCodePaused', data: {} }, 1);
  expect(codesAfter([created, paused])).toEqual([{ ...row, paused: true, updated_at: at(1) }]);
  const resumed = on({ type: 'PromoCodeResumed', data: {} }, 2);
  const changed = on({ type: 'PromoCodeTermsChanged', data: { terms: { ...promoTerms, uses: 9 } } }, 3);
  expect(codesAfter([created, paused, resumed, changed])).toEqual([{ ...row, uses: 9, updated_at: at(3) }]);
});

it('a use is reserved, taken, and gone once it was given back', () => {
  const use = { kind: 'booking' as const, itemId: id(6), userId: GUEST };
  const reserved = on({ type: 'PromoUseReserved', data: { ...use, until: at(30) } }, 1);
  const row = { kind: 'booking', item_id: id(6), promo_code_id: CODE, user_id: GUEST };
  expect(usesAfter([reserved])).toEqual([{ ...row, status: 'reserved', at: at(1) }]);
  const taken = on({ type: 'PromoUseTaken', data: use }, 2);
  expect(usesAfter([reserved, taken])).toEqual([{ ...row, status: 'taken', at: at(2) }]);
  expect(usesAfter([reserved, taken, on({ type: 'PromoUseReleased', data: { itemId: id(6) } }, 3)])).toEqual([]);
});
