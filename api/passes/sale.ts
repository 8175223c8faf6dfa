/** Ski passes: what they cost, and their purchase. */
import { Type } from '@sinclair/typebox';
import { closedDates } from '../../commands/passes/closures.ts';
import { quotedPasses } from '../../commands/passes/passes.ts';
import { DateOnly, Uuid } from '../../domain/core/schema.ts';
import { tariffsLike } from '../../projections/passes/tariffs.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import { bought, buying, MOST, PAYING, QUOTED, quoted, quoting, split } from '../purchases/purchases.ts';
import { inEverySpelling } from './pathSpellings.ts';

const what = {
  tariff_id: Uuid,
  valid_from: DateOnly,
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, default: 1 })),
  with_cards: Type.Optional(Type.Boolean({ default: false, description: 'Pay deposits for cards, too.' })),
};
/** What each pass costs alone matters only when some of several are given back. */
const quoteOf = async (
  { db }: Pick<App, 'db'>,
  item: { tariff_id: string; valid_from: string; quantity?: number; with_cards?: boolean },
) => {
  const { tariff_id: tariffId, valid_from: validFrom, quantity = 1, with_cards: withCards = false } = item;
  return quotedPasses({ tariffId, validFrom, quantity, withCards, singleTariffIds: await tariffsLike(db, tariffId) });
};

const closed_dates = Type.Array(DateOnly, {
  description:
    'Dates from `valid_from` to `valid_to` on which the mountain is declared closed already. Nothing is given back for them.',
});
const closedWithin = async (app: App, { valid_from, valid_to }: { valid_from: string; valid_to: string }) => ({
  closed_dates: (await closedDates(app))
    .map(({ date }) => date)
    .filter((date) => valid_from <= date && date <= valid_to)
    .toSorted(),
});
const quotingPasses = quoting(what);
const buyingPasses = buying(what);
const PassQuote = Type.Object({ ...quotingPasses.reply.properties, closed_dates }, { $id: 'SkiPassQuote' });
const BoughtPasses = Type.Object({ ...buyingPasses.reply.properties, closed_dates }, { $id: 'StartedSkiPassPurchase' });
const CLOSED =
  'Passes that could not be used in full on the dates on which the mountain is not declared closed are not sold (409 `not_bookable`); `closed_dates` tells of others.';

const quote = inEverySpelling((spelling, name) =>
  route(`POST /api/v1/${spelling}/quote`, {
    id: `quote${name}es`,
    previews: `POST /api/v1/${spelling}/purchase`,
    ...quotingPasses,
    reply: PassQuote,
    summary: 'Preview the price of ski passes',
    description: `${QUOTED} Deposits for cards are not discounted. ${CLOSED}`,
    handle: async ({ body, ...by }, app) => {
      const { promo, ...item } = body;
      const offer = await quoted(app, by, await quoteOf(app, item), promo);
      return { ...offer, ...(await closedWithin(app, offer)) };
    },
  }),
);

const purchase = inEverySpelling((spelling, name) =>
  route(`POST /api/v1/${spelling}/purchase`, {
    id: `purchase${name}`,
    access: 'user',
    rate: 'money',
    ...buyingPasses,
    reply: BoughtPasses,
    summary: 'Purchase ski passes',
    description: `All passes of a purchase have the same tariff; of a family tariff, \`quantity\` counts families. Once it is paid, issue each pass. ${CLOSED} ${PAYING}`,
    handle: async ({ body, context, request }, app) => {
      const { item, means } = split(body, request);
      const started = await bought(app, context, await quoteOf(app, item), means);
      return { ...started, ...(await closedWithin(app, started)) };
    },
  }),
);

export const saleRoutes = [quote, purchase].flat();
