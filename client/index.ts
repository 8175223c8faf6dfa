/** The client of the resort booking platform, for browsers and Node. */
export { type Client, type ClientOptions, createClient } from './client.ts';
export { channels } from './generated/realtime.ts';
export type * from './generated/types.ts';
export type { SocketConstructor, SocketLike } from './live/connection.ts';
export { type Follow, type FollowOptions, parseChannelOffset, type Snapshot } from './live/follow.ts';
export type { Live, LiveState } from './live/live.ts';
export {
  type Handlers,
  type Reset,
  type SubscribeOptions,
  type Subscription,
  SubscriptionEnded,
} from './live/subscription.ts';
export type { Change, Cursor, Ephemeral, Frame } from './live/types.ts';
export type { Api, CallOptions } from './rest/api.ts';
export { ApiError, NoAnswer } from './rest/errors.ts';
export type { Tokens } from './rest/session.ts';
