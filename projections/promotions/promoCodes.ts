/** Promo codes with their terms, and the uses that count. */

import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { promotionsPurpose } from '../../domain/promotions/index.ts';
import { PromoCodeText, usedBy } from '../../domain/promotions/promoCode.ts';
import { PromoTerms } from '../../domain/promotions/terms.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

export const promoCodes = readModel('promo_codes', {
  version: 2,
  row: Type.Object({
    id: Uuid,
    code: PromoCodeText,
    ...snakeSchema(PromoTerms).properties,
    paused: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  // Of a seller: whose goods it is for.
  personalData: {
    whose: null,
    why: promotionsPurpose,
    retention: { always: 'the offer of a seller, by id' },
    exported: 'the seller sees their codes',
  },
  on: {
    PromoCodeCreated: (_, { streamId: id, at, data: { code, terms } }) => ({
      id,
      code,
      ...toSnake(terms),
      paused: false,
      created_at: at,
      updated_at: at,
    }),
    PromoCodeTermsChanged: (row, { at, data }) => ({ ...existing(row), ...toSnake(data.terms), updated_at: at }),
    PromoCodePaused: (row, { at }) => ({ ...existing(row), paused: true, updated_at: at }),
    PromoCodeResumed: (row, { at }) => ({ ...existing(row), paused: false, updated_at: at }),
  },
  indexes: ['created_at desc, id'],
});
type PromoCodeRow = RowOf<typeof promoCodes>;

const use = (
  { streamId, at, data }: Recorded<EventOf<'PromoUseReserved' | 'PromoUseTaken'>>,
  status: 'reserved' | 'taken',
) => ({
  item_id: data.itemId,
  kind: data.kind,
  promo_code_id: streamId,
  user_id: data.userId,
  status,
  at,
});

/** Uses that were given back are not here. */
export const promoUses = readModel('promo_uses', {
  version: 2,
  row: Type.Object({
    /** The booking or the purchase. */
    item_id: Uuid,
    kind: OneOf(usedBy),
    promo_code_id: Uuid,
    user_id: Uuid,
    status: OneOf(['reserved', 'taken'] as const),
    at: Instant,
  }),
  key: 'item_id',
  personalData: { whose: 'user_id', why: promotionsPurpose, retention: forTheBooks },
  on: {
    PromoUseReserved: {
      keys: ({ data }) => [{ item_id: data.itemId }],
      fold: (_, event) => use(event, 'reserved'),
    },
    PromoUseTaken: {
      keys: ({ data }) => [{ item_id: data.itemId }],
      fold: (_, event) => use(event, 'taken'),
    },
    PromoUseReleased: { keys: ({ data }) => [{ item_id: data.itemId }], fold: () => null },
  },
  indexes: ['promo_code_id, at desc, item_id', 'user_id'],
});
export type PromoUseRow = RowOf<typeof promoUses>;

/** A code with its uses by status. */
export interface CountedPromoCode {
  readonly row: PromoCodeRow;
  readonly reserved: number;
  readonly taken: number;
}

const counted = async (db: ReadDb, rows: readonly PromoCodeRow[]): Promise<CountedPromoCode[]> => {
  const ids = rows.map(({ id }) => id);
  const found = await tables(db, promoUses)
    .selectFrom('promo_uses')
    .select(['promo_code_id', 'status', (q) => q.fn.countAll<number>().as('count')])
    .where(sql<boolean>`promo_code_id = any(${ids}::uuid[])`)
    .groupBy(['promo_code_id', 'status'])
    .execute();
  const countOf = (id: string, status: PromoUseRow['status']): number =>
    Number(found.find((each) => each.promo_code_id === id && each.status === status)?.count ?? 0);
  return rows.map((row) => ({ row, reserved: countOf(row.id, 'reserved'), taken: countOf(row.id, 'taken') }));
};

/** Newest first. @param q part of the code */
export const listPromoCodes = async (
  db: ReadDb,
  { q, ...paging }: Paging & { readonly q?: string | undefined },
): Promise<Page<CountedPromoCode>> => {
  const all = tables(db, promoCodes).selectFrom('promo_codes').selectAll();
  const part = q?.trim().toUpperCase();
  const matching = part ? all.where(sql<boolean>`strpos(code, ${part}) > 0`) : all;
  const { rows, total } = await pageOf(db, matching.orderBy('created_at', 'desc').orderBy('id'), paging);
  return { rows: await counted(db, rows), total };
};

export const promoCodeById = async (db: ReadDb, id: string): Promise<CountedPromoCode | undefined> => {
  const rows = await tables(db, promoCodes).selectFrom('promo_codes').selectAll().where('id', '=', id).execute();
  return (await counted(db, rows))[0];
};

/** Newest first. */
export const listPromoUses = (db: ReadDb, promoCodeId: string, paging: Paging): Promise<Page<PromoUseRow>> =>
  pageOf(
    db,
    tables(db, promoUses)
      .selectFrom('promo_uses')
      .selectAll()
      .where('promo_code_id', '=', promoCodeId)
      .orderBy('at', 'desc')
      .orderBy('item_id'),
    paging,
  );
