/** Ski pass tariffs: listed for everyone, edited by admins. */
import { type Static, Type } from '@sinclair/typebox';
import { addListing, changeListing, ownListing } from '../../commands/catalog/listings.ts';
import { toMajor, toMinor } from '../../domain/core/money.ts';
import { Minor, Uuid } from '../../domain/core/schema.ts';
import { SkiPassTariffDetails, tariffKind } from '../../domain/passes/tariff.ts';
import { snakeSchema, toCamel } from '../../infra/naming.ts';
import { listTariffs, type SkiPassTariffRow, skiPassTariffs } from '../../projections/passes/tariffs.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { cache, columnsOf, fixed, Price, status } from '../purchases/products.ts';

const { price_minor: _price, ...tariffDetails } = snakeSchema(SkiPassTariffDetails).properties;
const Tariff = Type.Object(
  {
    id: Uuid,
    ...tariffDetails,
    price: Type.Number({ description: 'Price of one pass.' }),
    price_minor: Minor,
    ...fixed,
    status,
  },
  { $id: 'SkiPassTariff' },
);
const { description, images } = tariffDetails;
const tariffInput = { ...tariffDetails, price: Price };
const tariffDefaults = { description: '', images: [] };

type TariffColumns = Pick<SkiPassTariffRow, keyof Static<typeof Tariff> & keyof SkiPassTariffRow>;
const wireTariff = (row: TariffColumns): Static<typeof Tariff> => {
  const { id, name, description, images, age_group, duration, within_days, season } = row;
  const { price_minor, timezone, currency, status } = row;
  const details = { name, description, images, age_group, duration, within_days, season };
  return { id, ...details, price: toMajor(price_minor, currency), price_minor, timezone, currency, status };
};

const tariffQuery = { ...pagingQuery, age_group: Type.Optional(tariffDetails.age_group) };

const tariffs = (key: 'GET /api/v1/ski-pass/tariffs' | 'GET /api/v1/pass/tariffs', id: string) =>
  route(key, {
    id,
    access: 'public',
    summary: 'List ski pass tariffs',
    description: 'The cheapest first.',
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
  id: 'listAllSkiPassTariffs',
  access: 'admin',
  summary: 'List all ski pass tariffs',
  description: 'Includes closed ones.',
  query: Type.Object({ ...tariffQuery, status: Type.Optional(status) }),
  reply: ListOf(Tariff),
  handle: async ({ query }, { db }) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTariffs(db, { ...paging, status: query.status, ageGroup: query.age_group });
    return listOf({ rows: rows.map(wireTariff), total }, paging);
  },
});

const addTariff = route('POST /api/v1/admin/ski-pass/tariffs', {
  id: 'createSkiPassTariff',
  access: 'admin',
  summary: 'Create a ski pass tariff',
  body: Type.Object(
    {
      ...tariffInput,
      description: Type.Optional(description),
      images: Type.Optional(images),
      ...fixed,
      status: Type.Optional(status),
    },
    { $id: 'NewSkiPassTariff' },
  ),
  reply: Tariff,
  status: 201,
  errors: ['invalid'],
  projections: [skiPassTariffs],
  idempotent: true,
  handle: async ({ body, caller, context }, app) => {
    const { timezone, currency, status = 'published', price, ...fields } = toCamel(body);
    const details = { ...tariffDefaults, ...fields, priceMinor: toMinor(price, currency) };
    const of = { ownerId: caller.id, timezone, currency, status, details };
    return wireTariff(columnsOf(await addListing(app, context, tariffKind, of)));
  },
});

const changeTariff = route('PATCH /api/v1/admin/ski-pass/tariffs/:id', {
  id: 'updateSkiPassTariff',
  access: 'admin',
  summary: 'Update a ski pass tariff',
  description: 'Fields that are left out keep their values. Existing purchases keep their price and dates.',
  params: Type.Object({ id: Uuid }),
  body: Type.Partial(Type.Object({ ...tariffInput, status }), { minProperties: 1, $id: 'SkiPassTariffUpdate' }),
  reply: Tariff,
  errors: ['not_found', 'invalid'],
  projections: [skiPassTariffs],
  handle: async ({ params: { id }, body, context }, app) => {
    const { status, price, ...fields } = toCamel(body);
    const { currency } = await ownListing(app, context, tariffKind, id);
    const details = { ...fields, ...(price !== undefined && { priceMinor: toMinor(price, currency) }) };
    const change = { details, ...(status && { status }) };
    return wireTariff(columnsOf(await changeListing(app, context, tariffKind, id, change)));
  },
});

export const tariffRoutes = [
  tariffs('GET /api/v1/ski-pass/tariffs', 'listSkiPassTariffs'),
  tariffs('GET /api/v1/pass/tariffs', 'listPassTariffs'),
  allTariffs,
  addTariff,
  changeTariff,
];
