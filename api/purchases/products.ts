/** What the resort itself sells: ski pass tariffs and insurance, for everyone to see and for admins to set. */
import { type Static, Type } from '@sinclair/typebox';
import type { Identified } from '../../commands/catalog/hotels.ts';
import { addListing, changeListing, ownListing } from '../../commands/catalog/listings.ts';
import { listingStatuses, type OpenListing } from '../../domain/catalog/listing.ts';
import { toMajor, toMinor } from '../../domain/core/money.ts';
import { Currency, Minor, OneOf, Uuid } from '../../domain/core/schema.ts';
import { InsuranceProductDetails, productKinds, SkiPassTariffDetails } from '../../domain/purchases/product.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import {
  type InsuranceProductRow,
  insuranceProducts,
  listInsurance,
  listTariffs,
  type SkiPassTariffRow,
  skiPassTariffs,
} from '../../projections/purchases/products.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

const { skiPassTariff, insuranceProduct } = productKinds;

/** Major units: whatever the currency, its minor units are then exact. */
const Amount = (maximum: number) => Type.Number({ exclusiveMinimum: 0, maximum });
const Price = Amount(1e7);
const fixed = {
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA; dates are days in it' }),
  currency: Currency,
};
const status = OneOf(listingStatuses, { description: '`closed`: not listed, not sold' });

const { price_minor: _price, ...tariffDetails } = snakeSchema(SkiPassTariffDetails).properties;
const Tariff = Type.Object({
  id: Uuid,
  ...tariffDetails,
  price: Type.Number({ description: 'Of one pass' }),
  price_minor: Minor,
  ...fixed,
  status,
});
const { description, images } = tariffDetails;
const tariffInput = { ...tariffDetails, price: Price };
const tariffDefaults = { description: '', images: [] };

const {
  price_per_person_day_minor: _daily,
  coverage: _coverage,
  ...insuranceDetails
} = snakeSchema(InsuranceProductDetails).properties;
const { risk } = snakeSchema(InsuranceProductDetails).properties.coverage.items.properties;
const Insurance = Type.Object({
  id: Uuid,
  ...insuranceDetails,
  coverage: Type.Array(Type.Object({ risk, limit: Type.Number(), limit_minor: Minor })),
  price_per_person_day: Type.Number(),
  price_per_person_day_minor: Minor,
  ...fixed,
  status,
});
const insuranceInput = {
  ...insuranceDetails,
  coverage: Type.Array(Type.Object({ risk, limit: Amount(1e9) }), { minItems: 1, maxItems: 20 }),
  price_per_person_day: Price,
};

type TariffColumns = Pick<SkiPassTariffRow, keyof Static<typeof Tariff> & keyof SkiPassTariffRow>;
const wireTariff = (row: TariffColumns): Static<typeof Tariff> => {
  const { id, name, description, images, age_group, duration, within_days, season } = row;
  const { price_minor, timezone, currency, status } = row;
  const details = { name, description, images, age_group, duration, within_days, season };
  return { id, ...details, price: toMajor(price_minor, currency), price_minor, timezone, currency, status };
};

type InsuranceColumns = Pick<InsuranceProductRow, keyof Static<typeof Insurance> & keyof InsuranceProductRow>;
const wireInsurance = (row: InsuranceColumns): Static<typeof Insurance> => {
  const { id, name, description, activities, max_days, timezone, currency, status } = row;
  const { price_per_person_day_minor } = row;
  return {
    id,
    name,
    description,
    activities,
    max_days,
    coverage: row.coverage.map((each) => ({ ...each, limit: toMajor(each.limit_minor, currency) })),
    price_per_person_day: toMajor(price_per_person_day_minor, currency),
    price_per_person_day_minor,
    timezone,
    currency,
    status,
  };
};

/** Just after an admin has changed it. */
const columnsOf = <D extends object>({ ownerId, ...listing }: Identified<OpenListing<D>>) => toSnake(listing);

/** Always asked again, cheaply: what somebody has just changed must show. */
const cache = { maxAge: 0 };
const tariffQuery = { ...pagingQuery, age_group: Type.Optional(tariffDetails.age_group) };

const tariffs = (key: 'GET /api/v1/ski-pass/tariffs' | 'GET /api/v1/pass/tariffs') =>
  route(key, {
    summary: 'What ski passes cost, the cheapest first',
    query: Type.Object(tariffQuery),
    reply: ListOf(Tariff),
    cache,
    handle: async ({ query }, { db }) => {
      const paging = pagingOf(query);
      const { rows, total } = await listTariffs(db, { ...paging, status: 'published', ageGroup: query.age_group });
      return listOf({ rows: rows.map(wireTariff), total }, paging);
    },
  });

const allTariffs = route('GET /api/v1/admin/ski-pass/tariffs', {
  summary: 'All ski pass tariffs, closed ones too',
  query: Type.Object({ ...tariffQuery, status: Type.Optional(status) }),
  reply: ListOf(Tariff),
  handle: async ({ query }, { db }) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTariffs(db, { ...paging, status: query.status, ageGroup: query.age_group });
    return listOf({ rows: rows.map(wireTariff), total }, paging);
  },
});

const addTariff = route('POST /api/v1/admin/ski-pass/tariffs', {
  summary: 'Add a ski pass tariff, for the resort',
  body: Type.Object({
    ...tariffInput,
    description: Type.Optional(description),
    images: Type.Optional(images),
    ...fixed,
    status: Type.Optional(status),
  }),
  reply: Tariff,
  status: 201,
  errors: ['invalid'],
  projections: [skiPassTariffs],
  idempotent: true,
  handle: async ({ body, caller, context }, app) => {
    const { timezone, currency, status = 'published', price, ...wanted } = toCamel(body);
    const details = { ...tariffDefaults, ...wanted, priceMinor: toMinor(price, currency) };
    const of = { ownerId: caller.id, timezone, currency, status, details };
    return wireTariff(columnsOf(await addListing(app, context, skiPassTariff, of)));
  },
});

const changeTariff = route('PATCH /api/v1/admin/ski-pass/tariffs/:id', {
  summary: 'Change, publish or close a ski pass tariff',
  description: 'What is left out stays. What has been bought keeps its price and dates.',
  params: Type.Object({ id: Uuid }),
  body: Type.Partial(Type.Object({ ...tariffInput, status }), { minProperties: 1 }),
  reply: Tariff,
  errors: ['not_found', 'invalid'],
  projections: [skiPassTariffs],
  handle: async ({ params: { id }, body, context }, app) => {
    const { status, price, ...wanted } = toCamel(body);
    const { currency } = await ownListing(app, context, skiPassTariff, id);
    const details = { ...wanted, ...(price !== undefined && { priceMinor: toMinor(price, currency) }) };
    const change = { details, ...(status && { status }) };
    return wireTariff(columnsOf(await changeListing(app, context, skiPassTariff, id, change)));
  },
});

const insurances = route('GET /api/v1/insurance/products', {
  summary: 'What insurance there is, the cheapest first',
  query: Type.Object(pagingQuery),
  reply: ListOf(Insurance),
  cache,
  handle: async ({ query }, { db }) => {
    const paging = pagingOf(query);
    const { rows, total } = await listInsurance(db, { ...paging, status: 'published' });
    return listOf({ rows: rows.map(wireInsurance), total }, paging);
  },
});

const allInsurances = route('GET /api/v1/admin/insurance/products', {
  summary: 'All insurance, closed too',
  query: Type.Object({ ...pagingQuery, status: Type.Optional(status) }),
  reply: ListOf(Insurance),
  handle: async ({ query }, { db }) => {
    const paging = pagingOf(query);
    const { rows, total } = await listInsurance(db, { ...paging, status: query.status });
    return listOf({ rows: rows.map(wireInsurance), total }, paging);
  },
});

const coverageOf = (coverage: { risk: Static<typeof risk>; limit: number }[], currency: string) =>
  coverage.map(({ risk, limit }) => ({ risk, limitMinor: toMinor(limit, currency) }));

const addInsurance = route('POST /api/v1/admin/insurance/products', {
  summary: 'Add insurance, for the resort',
  body: Type.Object({
    ...insuranceInput,
    description: Type.Optional(description),
    ...fixed,
    status: Type.Optional(status),
  }),
  reply: Insurance,
  status: 201,
  errors: ['invalid'],
  projections: [insuranceProducts],
  idempotent: true,
  handle: async ({ body, caller, context }, app) => {
    const { timezone, currency, status = 'published', coverage, pricePerPersonDay, ...wanted } = toCamel(body);
    const details = {
      description: '',
      ...wanted,
      coverage: coverageOf(coverage, currency),
      pricePerPersonDayMinor: toMinor(pricePerPersonDay, currency),
    };
    const of = { ownerId: caller.id, timezone, currency, status, details };
    return wireInsurance(columnsOf(await addListing(app, context, insuranceProduct, of)));
  },
});

const changeInsurance = route('PATCH /api/v1/admin/insurance/products/:id', {
  summary: 'Change, publish or close insurance',
  description: 'What is left out stays. What has been bought keeps its price and dates.',
  params: Type.Object({ id: Uuid }),
  body: Type.Partial(Type.Object({ ...insuranceInput, status }), { minProperties: 1 }),
  reply: Insurance,
  errors: ['not_found', 'invalid'],
  projections: [insuranceProducts],
  handle: async ({ params: { id }, body, context }, app) => {
    const { status, coverage, pricePerPersonDay: daily, ...wanted } = toCamel(body);
    const { currency } = await ownListing(app, context, insuranceProduct, id);
    const details = {
      ...wanted,
      ...(coverage && { coverage: coverageOf(coverage, currency) }),
      ...(daily !== undefined && { pricePerPersonDayMinor: toMinor(daily, currency) }),
    };
    const change = { details, ...(status && { status }) };
    return wireInsurance(columnsOf(await changeListing(app, context, insuranceProduct, id, change)));
  },
});

export const productRoutes = [
  tariffs('GET /api/v1/ski-pass/tariffs'),
  tariffs('GET /api/v1/pass/tariffs'),
  allTariffs,
  addTariff,
  changeTariff,
  insurances,
  allInsurances,
  addInsurance,
  changeInsurance,
];
