/** The room types of hotels. */
import { Type } from '@sinclair/typebox';
import { RoomDetails } from '../../domain/catalog/room.ts';
import { sealed } from '../../domain/catalog/sealed.ts';
import { Currency, Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';
import { personalOfOwner } from './forgotten.ts';

const details = snakeSchema(sealed(RoomDetails));

export const rooms = readModel('rooms', {
  version: 2,
  row: Type.Object({
    id: Uuid,
    hotel_id: Uuid,
    /** null: its events named nobody, and it waits to be sealed. */
    owner_id: Nullable(Uuid),
    currency: Currency,
    ...details.properties,
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  on: {
    RoomAdded: (_, { data: { hotelId, ownerId, currency, ...entered }, streamId, at }) => ({
      id: streamId,
      hotel_id: hotelId,
      owner_id: ownerId ?? null,
      currency,
      ...toSnake(entered),
      created_at: at,
      updated_at: at,
    }),
    RoomDetailsChanged: (row, { data, at }) => ({ ...existing(row), ...toSnake(data), updated_at: at }),
  },
  personal: personalOfOwner(details),
  indexes: ['hotel_id, created_at, id', 'owner_id'],
  announce: (keys) => keys.map(({ id }) => id),
});

export type RoomRow = RowOf<typeof rooms>;
