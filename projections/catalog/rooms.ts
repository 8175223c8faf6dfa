/** The room types of hotels. */
import { Type } from '@sinclair/typebox';
import { RoomDetails } from '../../domain/catalog/room.ts';
import { Currency, Instant, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

export const rooms = readModel('rooms', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    hotel_id: Uuid,
    currency: Currency,
    ...snakeSchema(RoomDetails).properties,
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  on: {
    RoomAdded: (_, { data: { hotelId, currency, ...details }, streamId, at }) => ({
      id: streamId,
      hotel_id: hotelId,
      currency,
      ...toSnake(details),
      created_at: at,
      updated_at: at,
    }),
    RoomDetailsChanged: (row, { data, at }) => ({ ...existing(row), ...toSnake(data), updated_at: at }),
  },
  indexes: ['hotel_id, created_at, id'],
  announce: (keys) => keys.map(({ id }) => id),
});

export type RoomRow = RowOf<typeof rooms>;
