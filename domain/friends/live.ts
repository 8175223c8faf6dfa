/** Positions that friends share with each other for a limited time. They are no events: only the last point is kept. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, Uuid } from '../core/schema.ts';

const optional = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }));

/** One point, in degrees (WGS 84). What the device does not know is absent. */
export const LivePosition = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lon: Type.Number({ minimum: -180, maximum: 180 }),
  accuracy_m: optional(0, 100_000, 'Radius around the point, in metres.'),
  altitude_m: optional(-500, 9_000, 'Above sea level, in metres.'),
  speed_mps: optional(0, 200, 'Metres a second.'),
  heading: optional(0, 360, 'Degrees from north, clockwise.'),
  battery_pct: optional(0, 100, 'Charge of the device.'),
});
export type LivePosition = Static<typeof LivePosition>;

/** For how long and with whom a person shares. */
export const LiveSharing = Type.Object({
  until: Instant,
  with: Nullable(Type.Array(Uuid, { description: 'null: all friends.' })),
});
export type LiveSharing = Static<typeof LiveSharing>;

/** The channel on which a person is told of the positions of friends. `{id}` is their account. */
export const FRIENDS_ADDRESS = 'friends_{id}';
/** The message that a friend does not share their position any more. */
export const SHARING_ENDED = 'sharing.ended';

/** For how many minutes a person can share. */
export const sharingMinutes = [15, 60, 480] as const;
