/** Ski pass tariffs: listed for everyone, edited by admins. */

import { type Static, Type } from '@sinclair/typebox';
import { addListing, changeListing, ownListing } from '../../commands/catalog/listings.ts';
import { sentMinor } from '../../commands/core/amounts.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Minor, Uuid } from '../../domain/core/schema.ts';
import { SkiPassTariffDetails, tariffDefaults, tariffKind } from '../../domain/passes/tariff.ts';
import { snakeSchema, toCamel } from '../../infra/naming.ts';
import { listTariffs, type SkiPassTariffRow, skiPassTariffs } from '../../projections/passes/tariffs.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { cache, columnsOf, fixed, Price, status } from '../purchases/products.ts';
import { inEverySpelling } from './pathSpellings.ts';

const {
  price_minor: _price,
  season_prices: _prices,
  deposit_minor: _deposit,
  ...tariffDetails
} = snakeSchema(SkiPassTariffDetails).properties;
const period = tariffDetails.season.properties;
const Tariff = Type.Object(
  {
    id: Uuid,
    ...tariffDetails,
    price: Type.Number({ description: 'Price of one pass, or of one family.' }),
    price_minor: Minor,
    season_prices: Type.Array(Type.Object({ ...period, price: Type.Number(), price_minor: Minor }), {
      description: 'Other prices for passes whose first valid date is in a period.',
    }),
    deposit: Type.Number({ description: 'For the card of one pass; 0: there are no cards.' }),
    deposit_minor: Minor,
    ...fixed,
    status,
  },
  { $id: 'SkiPassTariff' },
);
const { description, images, ages, family, areas, refunds_unused } = tariffDetails;
const SeasonPrices = Type.Array(Type.Object({ ...period, price: Price }), { maxItems: 20 });
const Deposit = Type.Number({ minimum: 0, maximum: 1e6 });
const tariffInput = { ...tariffDetails, price: Price, season_prices: SeasonPrices, deposit: Deposit };

type TariffColumns = Pick<SkiPassTariffRow, keyof Static<typeof Tariff> & keyof SkiPassTariffRow>;
const wireTariff = (row: TariffColumns): Static<typeof Tariff> => {
  const { id, name, description, images, age_group, ages, family, duration, within_days, season } = row;
  const { areas, refunds_unused, price_minor, season_prices, deposit_minor, timezone, currency, status } = row;
  const major = (minor: number) => toMajor(minor, currency);
  return {
    ...{ id, name, description, images, age_group, ages, family, duration, within_days, season, areas, refunds_unused },
    price: major(price_minor),
    price_minor,
    season_prices: season_prices.map((each) => ({ ...each, price: major(each.price_minor) })),
    deposit: major(deposit_minor),
    deposit_minor,
    ...{ timezone, currency, status },
  };
};

/** The amounts of a request in minor units. */
const amountsOf = (
  asked: {
    price?: number | undefined;
    deposit?: number | undefined;
    seasonPrices?: readonly { readonly from: string; readonly to: string; readonly price: number }[] | undefined;
  },
  currency: string,
) => ({
  ...(asked.price !== undefined && { priceMinor: sentMinor('price', asked.price, currency) }),
  ...(asked.deposit !== undefined && {
    depositMinor: sentMinor('deposit', asked.deposit, currency, SkiPassTariffDetails.properties.depositMinor.maximum),
  }),
  ...(asked.seasonPrices && {
    seasonPrices: asked.seasonPrices.map(({ price, ...dates }, index) => ({
      ...dates,
      priceMinor: sentMinor(`season_prices/${index}/price`, price, currency),
    })),
  }),
});

const unlessGiven = { description: '', images: [], ...tariffDefaults };

const tariffQuery = { ...pagingQuery, age_group: Type.Optional(tariffDetails.age_group) };

const tariffs = inEverySpelling((spelling, name) =>
  route(`GET /api/v1/${spelling}/tariffs`, {
    id: `list${name}Tariffs`,
    access: 'public',
    summary: 'List ski pass tariffs',
    description: 'The cheapest first.',
    query: Type.Object(tariffQuery),
    reply: ListOf(Tariff),
    cache,
    handle: ({ query }, { db }) =>
      paged(
        query,
        (paging) => listTariffs(db, { ...paging, status: 'published', ageGroup: query.age_group }),
        wireTariff,
      ),
  }),
);

const allTariffs = route('GET /api/v1/admin/ski-pass/tariffs', {
  id: 'listAllSkiPassTariffs',
  access: 'admin',
  harm: { none: 'shows prices and terms, which guests see too' },
  summary: 'List all ski pass tariffs',
  description: 'Includes closed ones.',
  query: Type.Object({ ...tariffQuery, status: Type.Optional(status) }),
  reply: ListOf(Tariff),
  handle: ({ query }, { db }) =>
    paged(
      query,
      (paging) => listTariffs(db, { ...paging, status: query.status, ageGroup: query.age_group }),
      wireTariff,
    ),
});

const addTariff = route('POST /api/v1/admin/ski-pass/tariffs', {
  id: 'createSkiPassTariff',
  access: 'admin',
  harm: 'money',
  summary: 'Create a ski pass tariff',
  body: Type.Object(
    {
      ...tariffInput,
      description: Type.Optional(description),
      images: Type.Optional(images),
      ages: Type.Optional(ages),
      family: Type.Optional(family),
      areas: Type.Optional(areas),
      refunds_unused: Type.Optional(refunds_unused),
      season_prices: Type.Optional(SeasonPrices),
      deposit: Type.Optional(Deposit),
      ...fixed,
      status: Type.Optional(status),
    },
    { $id: 'NewSkiPassTariff' },
  ),
  reply: Tariff,
  status: 201,
  errors: ['invalid'],
  projections: [skiPassTariffs],
  handle: async ({ body, caller, context }, app) => {
    const { timezone, currency, status = 'published', price, deposit, seasonPrices, ...fields } = toCamel(body);
    const priceMinor = sentMinor('price', price, currency);
    const amounts = amountsOf({ deposit, seasonPrices }, currency);
    const details = { ...unlessGiven, ...fields, priceMinor, ...amounts };
    const of = { ownerId: caller.id, timezone, currency, status, details };
    return wireTariff(columnsOf(await addListing(app, context, tariffKind, of)));
  },
});

const changeTariff = route('PATCH /api/v1/admin/ski-pass/tariffs/:id', {
  id: 'updateSkiPassTariff',
  access: 'admin',
  harm: 'money',
  summary: 'Update a ski pass tariff',
  description: 'Fields that are left out keep their values. Existing purchases keep their price and dates.',
  params: ById,
  body: Type.Partial(Type.Object({ ...tariffInput, status }), { minProperties: 1, $id: 'SkiPassTariffUpdate' }),
  reply: Tariff,
  errors: ['not_found', 'invalid'],
  projections: [skiPassTariffs],
  handle: async ({ params: { id }, body, context }, app) => {
    const { status, price, deposit, seasonPrices, ...fields } = toCamel(body);
    const { currency } = await ownListing(app, context, tariffKind.decider, id);
    const details = { ...fields, ...amountsOf({ price, deposit, seasonPrices }, currency) };
    const change = { details, ...(status && { status }) };
    return wireTariff(columnsOf(await changeListing(app, context, tariffKind, id, change)));
  },
});

export const tariffRoutes = [...tariffs, allTariffs, addTariff, changeTariff];
