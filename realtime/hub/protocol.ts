/**
 * The frames of the WebSocket: JSON text, declared once for validation, types and `/asyncapi.json`. The `type` of a
 * control frame is one word; the `type` of a change has a dot (`booking.updated`).
 */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { explain, type Validator, validator } from '../../infra/validation.ts';

/** How far a client has read a channel: it has every change up to `offset` of the epoch. */
export const Cursor = Type.Object(
  { epoch: Uuid, offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
  { additionalProperties: false, description: 'The client has received every change up to `offset` of `epoch`.' },
);
export type Cursor = Static<typeof Cursor>;

const ChannelName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The channel as the client wrote it; aliases are accepted.',
});
const EphemeralType = Type.String({ pattern: '^[a-z_]+\\.[a-z_]+$', examples: ['typing.started'] });
const Id = Type.Optional(
  Type.String({ maxLength: 64, description: 'Chosen by the client and returned in the answer.' }),
);

const frame = <const T extends string, P extends TProperties>(type: T, properties: P, description: string) =>
  Type.Object({ type: Type.Literal(type), ...properties, id: Id }, { additionalProperties: false, description });

/** Why a frame is refused. The socket stays open. */
export const errorCodes = {
  bad_frame: 'The frame is not JSON, or not one of the declared frames.',
  not_authenticated: 'The socket is not authenticated. Send an `auth` frame first.',
  bad_token: 'The access token is malformed, expired or revoked.',
  other_account: 'The token belongs to another account. Open another socket for it.',
  unknown_channel: 'No channel has this name.',
  forbidden: 'This account may not subscribe to this channel.',
  already_subscribed: 'The socket is already subscribed to this channel, by this name or by an alias.',
  not_subscribed: 'The socket is not subscribed to this channel.',
  not_publishable: 'Clients cannot publish messages of this type on this channel.',
  too_many_subscriptions: 'The socket has the maximum number of subscriptions. Unsubscribe from another channel first.',
} as const;
export type ErrorCode = keyof typeof errorCodes;

/**
 * Why the server closes a socket. Below 4500: reconnect with backoff and resume, each `subscribe` with its `since`.
 * From 4500: reconnecting at once and in the same way fails again; after 4500, 4503 and 4504, trying again later may help.
 */
export const closeCodes = {
  going_away: { code: 4000, reason: 'The server is stopping. Reconnect and resume.' },
  slow_consumer: { code: 4001, reason: 'The client reads too slowly. Reconnect and resume.' },
  unavailable: { code: 4002, reason: 'The database is unavailable. Reconnect and resume.' },
  token_expired: { code: 4003, reason: 'The token has expired. Reconnect with a new token and resume.' },
  internal: { code: 4004, reason: 'The server failed. Reconnect and resume.' },
  crowded: { code: 4005, reason: 'Others needed the room, and the client had not authenticated. Reconnect.' },
  auth_timeout: { code: 4500, reason: 'The client did not authenticate in time.' },
  bad_token: { code: 4501, reason: 'The access token is malformed, expired or revoked.' },
  logged_out: { code: 4502, reason: 'The session has ended. Sign in again.' },
  too_many_sockets: { code: 4503, reason: 'The account has too many open sockets.' },
  rate_limited: { code: 4504, reason: 'The client sends too many frames.' },
  frame_too_large: { code: 4505, reason: 'The frame is too large.' },
} as const;
export type CloseCode = keyof typeof closeCodes;

export const clientFrames = {
  auth: frame(
    'auth',
    { token: Type.String({ minLength: 1, maxLength: 8_192 }) },
    'Authenticate the socket. Required as the first frame unless the upgrade had `Authorization: Bearer`; again to replace the token.',
  ),
  subscribe: frame(
    'subscribe',
    { channel: ChannelName, since: Type.Optional(Cursor) },
    'Subscribe to a channel, from `since` when the changes after it are still stored, else from now.',
  ),
  unsubscribe: frame('unsubscribe', { channel: ChannelName }, 'End a subscription.'),
  publish: frame(
    'publish',
    { channel: ChannelName, event: EphemeralType, data: Type.Record(Type.String(), Type.Unknown()) },
    'Send an ephemeral message to everybody who is subscribed to the channel now, this socket included. There is no answer unless it is refused; it may be lost.',
  ),
  ping: frame('ping', {}, 'Request a `pong`. The server also sends protocol-level pings.'),
} as const;

export const serverFrames = {
  ready: frame(
    'ready',
    { user_id: Uuid, role: Type.String(), expires_at: Instant },
    'The socket is authenticated until `expires_at`. Send another `auth` frame before.',
  ),
  subscribed: frame(
    'subscribed',
    { channel: ChannelName, epoch: Uuid, offset: Type.Integer({ minimum: 0 }), recovered: Type.Boolean() },
    'The subscription has started; the next change has `offset` + 1. With `recovered: false` changes may have been missed: read the state over REST. Sent again, with `recovered: false`, when a new epoch begins, and with either when the hub had to look for missing changes.',
  ),
  unsubscribed: frame(
    'unsubscribed',
    { channel: ChannelName, reason: OneOf(['asked', 'forbidden']) },
    'The subscription has ended.',
  ),
  error: frame(
    'error',
    { code: OneOf(Object.keys(errorCodes) as ErrorCode[]), detail: Type.String() },
    'A frame was refused. The socket stays open.',
  ),
  pong: frame('pong', {}, 'Answer to `ping`.'),
} as const;

/** A change of a row. Offsets of a channel have no gaps. `data` is the row as REST shows it. */
export const Envelope = Type.Object(
  {
    channel: ChannelName,
    type: Type.String({ pattern: '^[a-z_]+\\.[a-z_]+$', examples: ['booking.updated'] }),
    offset: Type.Integer({ minimum: 1 }),
    epoch: Uuid,
    ts: Instant,
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
);
export type Envelope = Static<typeof Envelope>;

/** What matters for a moment only. It has no offset, is not stored, and may be lost. */
export const EphemeralFrame = Type.Object(
  {
    channel: ChannelName,
    type: EphemeralType,
    from: Type.String({ format: 'uuid', description: 'The account that sent it.' }),
    ts: Instant,
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
);
export type EphemeralFrame = Static<typeof EphemeralFrame>;

type FrameOf<F extends Record<string, TObject>> = Static<F[keyof F]>;
export type ClientFrame = FrameOf<typeof clientFrames>;
export type ServerFrame = FrameOf<typeof serverFrames>;

/** A frame is refused; the socket stays open. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly id: string | undefined;
  constructor(code: ErrorCode, detail: string = errorCodes[code], id?: string) {
    super(detail);
    this.name = 'Refused';
    this.code = code;
    this.id = id;
  }
}

const validators = new Map<unknown, Validator<TObject>>(
  Object.entries(clientFrames).map(([type, schema]) => [type, validator<TObject>(schema, 'body')]),
);

export const encode = (frame: ServerFrame): Uint8Array => Buffer.from(JSON.stringify(frame));

/** Reads one text frame. Throws `Refused` with what is wrong, and with the frame's id when it could be read. */
export const parseFrame = (text: string): ClientFrame => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused('bad_frame', 'The frame is not JSON.');
  }
  const { type, id } = (value ?? {}) as { type?: unknown; id?: unknown };
  const known = typeof id === 'string' && id.length <= 64 ? id : undefined;
  const fits = validators.get(type);
  if (!fits) throw new Refused('bad_frame', `type must be one of ${Object.keys(clientFrames).join(', ')}`, known);
  if (!fits(value)) throw new Refused('bad_frame', explain(fits.errors), known);
  return value as ClientFrame;
};
