/** Hotels, including closed ones. Their lowest price is computed from the nights at query time: `hotelSearch.ts`. */
import { Type } from '@sinclair/typebox';
import { HotelDetails, hotelStatuses } from '../../domain/catalog/hotel.ts';
import { minorPerMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

/** The text that full-text search looks at. The index and the query must use the same expression. */
export const SEARCHED_TEXT = `to_tsvector('simple', name || ' ' || city || ' ' || address || ' ' || description)`;

export const hotels = readModel('hotels', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    owner_id: Uuid,
    status: OneOf(hotelStatuses),
    timezone: Type.String(),
    currency: Currency,
    /** Prices are stored in minor units and filtered in major ones. */
    minor_per_major: Type.Integer(),
    ...snakeSchema(HotelDetails).properties,
    /** The average of its reviews; null while there are none. */
    rating: Nullable(Type.Number()),
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  on: {
    HotelAdded: (_, { data: { ownerId, timezone, currency, ...details }, streamId, at }) => ({
      id: streamId,
      owner_id: ownerId,
      status: 'closed' as const,
      timezone,
      currency,
      minor_per_major: minorPerMajor(currency),
      ...toSnake(details),
      rating: null,
      created_at: at,
      updated_at: at,
    }),
    HotelDetailsChanged: (row, { data, at }) => ({ ...existing(row), ...toSnake(data), updated_at: at }),
    HotelPublished: (row, { at }) => ({ ...existing(row), status: 'published' as const, updated_at: at }),
    HotelClosed: (row, { at }) => ({ ...existing(row), status: 'closed' as const, updated_at: at }),
  },
  indexes: ['lower(city), status', 'owner_id', 'status, name, id', `gin ${SEARCHED_TEXT}`],
});

export type HotelRow = RowOf<typeof hotels>;
