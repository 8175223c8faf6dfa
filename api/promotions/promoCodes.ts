/** Promo codes, edited by admins. Guests name them when they book or buy. */

import { type Static, Type } from '@sinclair/typebox';
import { sentMinor } from '../../commands/core/amounts.ts';
import { changePromoCode, createPromoCode, loadPromoCode, type Promo } from '../../commands/promotions/promoCodes.ts';
import { SoldTypes } from '../../domain/catalog/soldTypes.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, Uuid } from '../../domain/core/schema.ts';
import { PromoCodeText, typedCode } from '../../domain/promotions/promoCode.ts';
import { Bearer, MOST_USES, PromoTerms, usualTerms } from '../../domain/promotions/terms.ts';
import { toSnake } from '../../infra/naming.ts';
import {
  type CountedPromoCode,
  listPromoCodes,
  listPromoUses,
  promoCodeById,
  promoCodes,
  promoUses,
} from '../../projections/promotions/promoCodes.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

const SHOWS_CODES = { none: 'shows rules of codes' };

const terms = PromoTerms.properties;
const Amount = Nullable(Type.Number({ exclusiveMinimum: 0 }));

/** The fields that an admin edits, amounts in major units. */
const fields = {
  discount_percent: {
    ...Nullable(Type.Number({ minimum: 0.01, maximum: 100 })),
    description: 'Percent of the price, with at most two decimals. Send either this or `discount`.',
  },
  discount: { ...Amount, description: 'An amount off the price.' },
  most_discount: { ...Amount, description: 'The most that a percentage takes off; null: any amount.' },
  borne_by: { ...Bearer, description: 'Who gives up the money. With `seller`, send `seller_id`.' },
  seller_id: { ...terms.sellerId, description: 'Only for what this seller sells; null: any seller.' },
  types: { ...SoldTypes, description: 'Types of bookings and services; empty: all.' },
  listing_ids: {
    ...terms.listingIds,
    description: 'Only for these hotels, tours, ski pass tariffs, insurance products, and so on; empty: all.',
  },
  usable_from: Nullable(Instant),
  usable_until: Nullable(Instant),
  starts_from: {
    ...Nullable(DateOnly),
    description: 'The first date on which it may start: a booking, or the validity of passes and insurance.',
  },
  starts_to: { ...Nullable(DateOnly), description: 'The last such date.' },
  least_total: Type.Number({ minimum: 0, description: 'The least price before the discount.' }),
  uses: Type.Integer({ minimum: 1, maximum: MOST_USES, description: 'By all guests together.' }),
  uses_per_person: Type.Integer({ minimum: 1, maximum: MOST_USES }),
  first_booking_only: Type.Boolean({
    description: 'Only for guests who have not paid for a booking before; never for ski passes and insurance.',
  }),
};
const Fields = Type.Partial(Type.Object({ currency: Currency, ...fields }));

const PromoCode = Type.Object(
  {
    id: Uuid,
    code: PromoCodeText,
    currency: Currency,
    ...fields,
    discount_minor: Nullable(Minor),
    most_discount_minor: Nullable(Minor),
    least_total_minor: Minor,
    paused: Type.Boolean(),
    uses_reserved: Type.Integer({ description: 'By what is not paid yet.' }),
    uses_taken: Type.Integer({ description: 'By what is paid.' }),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'PromoCode' },
);
const PromoUse = Type.Object(
  {
    kind: promoUses.row.properties.kind,
    item_id: { ...Uuid, description: 'The booking or the purchase.' },
    user_id: Uuid,
    status: promoUses.row.properties.status,
    at: Instant,
  },
  { $id: 'PromoUse' },
);

const shown = ({ row, reserved, taken }: CountedPromoCode): Static<typeof PromoCode> => {
  const { percent_bps, amount_minor, most_minor, least_total_minor, bearer, ...same } = row;
  const major = (minor: number | null) => (minor === null ? null : toMajor(minor, row.currency));
  return {
    ...same,
    discount_percent: percent_bps === null ? null : percent_bps / 100,
    discount: major(amount_minor),
    discount_minor: amount_minor,
    most_discount: major(most_minor),
    most_discount_minor: most_minor,
    least_total: toMajor(least_total_minor, row.currency),
    least_total_minor,
    borne_by: bearer,
    uses_reserved: reserved,
    uses_taken: taken,
  };
};

/** @throws Rejected `invalid` */
const bpsOf = (percent: number): number => {
  const bps = Math.round(percent * 100);
  if (bps / 100 !== percent)
    throw new Rejected('invalid', 'discount_percent must have at most two decimals.', { fields: ['discount_percent'] });
  return bps;
};

/** The terms that were sent, in minor units of the currency that counts. */
const termsOf = (sent: Static<typeof Fields>, currency: string): Partial<PromoTerms> => {
  const minor = (field: string, amount: number | null) => (amount === null ? null : sentMinor(field, amount, currency));
  const given = {
    currency: sent.currency,
    percentBps: sent.discount_percent && bpsOf(sent.discount_percent),
    amountMinor: sent.discount === undefined ? undefined : minor('discount', sent.discount),
    mostMinor: sent.most_discount === undefined ? undefined : minor('most_discount', sent.most_discount),
    bearer: sent.borne_by,
    sellerId: sent.seller_id,
    types: sent.types,
    listingIds: sent.listing_ids,
    usableFrom: sent.usable_from,
    usableUntil: sent.usable_until,
    startsFrom: sent.starts_from,
    startsTo: sent.starts_to,
    leastTotalMinor: sent.least_total === undefined ? undefined : sentMinor('least_total', sent.least_total, currency),
    uses: sent.uses,
    usesPerPerson: sent.uses_per_person,
    firstBookingOnly: sent.first_booking_only,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

/** The reply of a command: its terms, with the uses that the state has. */
const afterCommand = ({ promoCodeId: id, promo }: Promo, created_at: string, at: string) => {
  const { code, terms: now, isPaused: paused, uses } = promo;
  const taken = [...uses].filter(([, use]) => use.taken).length;
  const row = { id, code, ...toSnake(now), paused, created_at, updated_at: at };
  return shown({ row, reserved: uses.size - taken, taken });
};

const list = route('GET /api/v1/admin/promo-codes', {
  id: 'listPromoCodes',
  access: 'admin',
  harm: SHOWS_CODES,
  summary: 'List promo codes',
  description: 'Newest first, with their uses.',
  query: Type.Object({
    ...pagingQuery,
    q: Type.Optional(Type.String({ maxLength: 40, description: 'A part of the code.' })),
  }),
  reply: ListOf(PromoCode),
  reads: [promoCodes, promoUses],
  handle: ({ query }, { db }) => paged(query, (paging) => listPromoCodes(db, { ...paging, q: query.q }), shown),
});

const get = route('GET /api/v1/admin/promo-codes/:id', {
  id: 'getPromoCode',
  access: 'admin',
  harm: SHOWS_CODES,
  summary: 'Get a promo code',
  params: ById,
  reply: PromoCode,
  reads: [promoCodes, promoUses],
  errors: ['not_found'],
  handle: async ({ params }, { db }) => {
    const found = await promoCodeById(db, params.id);
    if (!found) throw notFound('promo code');
    return shown(found);
  },
});

const create = route('POST /api/v1/admin/promo-codes', {
  id: 'createPromoCode',
  access: 'admin',
  harm: 'money',
  summary: 'Create a promo code',
  description: `The code is stored in capital letters and cannot change. Without \`uses\` it can be used ${MOST_USES} times, and by each person once. A discount leaves at least 1 to pay, in the currency of the code.`,
  body: Type.Object(
    { code: Type.String({ pattern: '^\\s*[A-Za-z0-9][A-Za-z0-9_-]{2,31}\\s*$' }), ...Fields.properties },
    { $id: 'NewPromoCode' },
  ),
  status: 201,
  reply: PromoCode,
  errors: ['invalid', 'conflict'],
  projections: [promoCodes],
  handle: async ({ body: { code, ...sent }, context }, app) => {
    const given = termsOf(sent, sent.currency ?? usualTerms.currency);
    const made = await createPromoCode(app, context, typedCode(code), { ...usualTerms, ...given });
    return afterCommand(made, context.at, context.at);
  },
});

const change = route('PATCH /api/v1/admin/promo-codes/:id', {
  id: 'updatePromoCode',
  access: 'admin',
  harm: 'money',
  summary: 'Update a promo code',
  description:
    'Fields that are left out keep their values; with another currency, send its amounts, too. What was sold before keeps its discount. A paused code cannot be used; uses that are reserved stay.',
  params: ById,
  body: Type.Object(
    { ...Fields.properties, paused: Type.Optional(Type.Boolean()) },
    { minProperties: 1, $id: 'PromoCodeUpdate' },
  ),
  reply: PromoCode,
  errors: ['not_found', 'invalid'],
  projections: [promoCodes],
  handle: async ({ params: { id }, body: { paused, ...sent }, context }, app) => {
    const before = await loadPromoCode(app, id);
    const given = termsOf(sent, sent.currency ?? before.promo.terms.currency);
    const change = { terms: given, ...(paused !== undefined && { isPaused: paused }) };
    const after = await changePromoCode(app, context, id, change);
    const shownBefore = await promoCodeById(app.db, id);
    return afterCommand(after, shownBefore?.row.created_at ?? context.at, context.at);
  },
});

const uses = route('GET /api/v1/admin/promo-codes/:id/uses', {
  id: 'listPromoUses',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List the uses of a promo code',
  description: 'Newest first. Uses that were given back are left out.',
  params: ById,
  query: Type.Object(pagingQuery),
  reply: ListOf(PromoUse),
  reads: [promoUses],
  errors: ['not_found'],
  handle: async ({ params, query }, { db }) => {
    if (!(await promoCodeById(db, params.id))) throw notFound('promo code');
    return paged(
      query,
      (paging) => listPromoUses(db, params.id, paging),
      ({ promo_code_id: _, ...use }) => use,
    );
  },
});

export const promoCodeRoutes = [list, create, get, change, uses];
