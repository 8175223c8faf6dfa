/** The room types of hotels. */
import { Type } from '@sinclair/typebox';
import { nightPriceOf, RoomDetails } from '../../domain/catalog/room.ts';
import { sealed } from '../../domain/catalog/sealed.ts';
import { Currency, Instant, Minor, Nullable, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';
import { personalOfOwner } from './forgotten.ts';

const details = snakeSchema(sealed(RoomDetails));

export const rooms = readModel('rooms', {
  version: 3,
  row: Type.Object({
    id: Uuid,
    hotel_id: Uuid,
    /** null: its events named nobody, and it waits to be sealed. */
    owner_id: Nullable(Uuid),
    currency: Currency,
    ...details.properties,
    /** The price of nights without one of their own; null: they are not for sale. */
    night_price_minor: Nullable(Minor),
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  on: {
    RoomAdded: (_, { data: { hotelId, ownerId, currency, sellsNights, ...entered }, streamId, at }) => ({
      id: streamId,
      hotel_id: hotelId,
      owner_id: ownerId ?? null,
      currency,
      ...toSnake(entered),
      night_price_minor: sellsNights ? nightPriceOf(entered.basePriceMinor) : null,
      created_at: at,
      updated_at: at,
    }),
    RoomDetailsChanged: (row, { data: { sellsNights, ...changes }, at }) => {
      const after = { ...existing(row), ...toSnake(changes), updated_at: at };
      return sellsNights ? { ...after, night_price_minor: nightPriceOf(after.base_price_minor) } : after;
    },
  },
  personalData: personalOfOwner(details),
  indexes: ['hotel_id, created_at, id', 'owner_id'],
  announce: (keys) => keys.map(({ id }) => id),
});

export type RoomRow = RowOf<typeof rooms>;
