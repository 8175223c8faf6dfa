/** The channel of one track, while it is recorded. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import type { Channel } from '../engine/channels.ts';

export const trackingChannel: Channel = { name: 'tracking', address: 'tracking_{id}' };

/** Where the person is now. It is told, and never stored outside of the table of points. */
export const positionMoved = {
  type: 'position.moved',
  data: Type.Object({
    t: Instant,
    lat: Type.Number(),
    lon: Type.Number(),
    alt: Nullable(Type.Number()),
    acc: Type.Number(),
    speed: Nullable(Type.Number()),
  }),
} as const;
export type PositionMoved = Static<typeof positionMoved.data>;
