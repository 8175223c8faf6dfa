/** Insurance products: listed for everyone, edited by admins. */

import { type Static, Type } from '@sinclair/typebox';
import { addListing, changeListing, ownListing } from '../../commands/catalog/listings.ts';
import { sentMinor } from '../../commands/core/amounts.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Minor, Uuid } from '../../domain/core/schema.ts';
import { InsuranceProductDetails, insuranceKind } from '../../domain/purchases/insurance.ts';
import { snakeSchema, toCamel } from '../../infra/naming.ts';
import { type InsuranceProductRow, insuranceProducts, listInsurance } from '../../projections/purchases/insurance.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { Amount, cache, columnsOf, fixed, Price, status } from './products.ts';

const {
  price_per_person_day_minor: _daily,
  coverage: _coverage,
  ...insuranceDetails
} = snakeSchema(InsuranceProductDetails).properties;
const { risk } = snakeSchema(InsuranceProductDetails).properties.coverage.items.properties;
const Insurance = Type.Object(
  {
    id: Uuid,
    ...insuranceDetails,
    coverage: Type.Array(Type.Object({ risk, limit: Type.Number(), limit_minor: Minor })),
    price_per_person_day: Type.Number(),
    price_per_person_day_minor: Minor,
    ...fixed,
    status,
  },
  { $id: 'InsuranceProduct' },
);
const insuranceInput = {
  ...insuranceDetails,
  coverage: Type.Array(Type.Object({ risk, limit: Amount(1e9) }), { minItems: 1, maxItems: 20 }),
  price_per_person_day: Price,
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

const insurances = route('GET /api/v1/insurance/products', {
  id: 'listInsuranceProducts',
  access: 'public',
  summary: 'List insurance products',
  description: 'The cheapest first.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Insurance),
  cache,
  handle: ({ query }, { db }) =>
    paged(query, (paging) => listInsurance(db, { ...paging, status: 'published' }), wireInsurance),
});

const allInsurances = route('GET /api/v1/admin/insurance/products', {
  id: 'listAllInsuranceProducts',
  access: 'admin',
  harm: { none: 'shows prices and terms, which guests see too' },
  summary: 'List all insurance products',
  description: 'Includes closed ones.',
  query: Type.Object({ ...pagingQuery, status: Type.Optional(status) }),
  reply: ListOf(Insurance),
  handle: ({ query }, { db }) =>
    paged(query, (paging) => listInsurance(db, { ...paging, status: query.status }), wireInsurance),
});

const coverageOf = (coverage: { risk: Static<typeof risk>; limit: number }[], currency: string) =>
  coverage.map(({ risk, limit }, index) => ({
    risk,
    limitMinor: sentMinor(`coverage/${index}/limit`, limit, currency),
  }));

const addInsurance = route('POST /api/v1/admin/insurance/products', {
  id: 'createInsuranceProduct',
  access: 'admin',
  harm: 'money',
  summary: 'Create an insurance product',
  body: Type.Object(
    {
      ...insuranceInput,
      description: Type.Optional(insuranceDetails.description),
      ...fixed,
      status: Type.Optional(status),
    },
    { $id: 'NewInsuranceProduct' },
  ),
  reply: Insurance,
  status: 201,
  errors: ['invalid'],
  projections: [insuranceProducts],
  handle: async ({ body, caller, context }, app) => {
    const { timezone, currency, status = 'published', coverage, pricePerPersonDay, ...fields } = toCamel(body);
    const details = {
      description: '',
      ...fields,
      coverage: coverageOf(coverage, currency),
      pricePerPersonDayMinor: sentMinor('price_per_person_day', pricePerPersonDay, currency),
    };
    const of = { ownerId: caller.id, timezone, currency, status, details };
    return wireInsurance(columnsOf(await addListing(app, context, insuranceKind, of)));
  },
});

const changeInsurance = route('PATCH /api/v1/admin/insurance/products/:id', {
  id: 'updateInsuranceProduct',
  access: 'admin',
  harm: 'money',
  summary: 'Update an insurance product',
  description: 'Fields that are left out keep their values. Existing purchases keep their price and dates.',
  params: ById,
  body: Type.Partial(Type.Object({ ...insuranceInput, status }), { minProperties: 1, $id: 'InsuranceProductUpdate' }),
  reply: Insurance,
  errors: ['not_found', 'invalid'],
  projections: [insuranceProducts],
  handle: async ({ params: { id }, body, context }, app) => {
    const { status, coverage, pricePerPersonDay: daily, ...fields } = toCamel(body);
    const { currency } = await ownListing(app, context, insuranceKind.decider, id);
    const details = {
      ...fields,
      ...(coverage && { coverage: coverageOf(coverage, currency) }),
      ...(daily !== undefined && { pricePerPersonDayMinor: sentMinor('price_per_person_day', daily, currency) }),
    };
    const change = { details, ...(status && { status }) };
    return wireInsurance(columnsOf(await changeListing(app, context, insuranceKind, id, change)));
  },
});

export const insuranceRoutes = [insurances, allInsurances, addInsurance, changeInsurance];
