/**
 * What is said over the socket: JSON text frames, declared once for validation, types and `/asyncapi.json`. Control
 * frames have a plain `type`; a change's `type` has a dot (`booking.updated`).
 */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { explain, type Validator, validator } from '../../infra/validation.ts';

/** Where a client stands in a channel: it has everything up to `offset` of the history named `epoch`. */
export const Place = Type.Object(
  { epoch: Uuid, offset: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false, description: 'Everything up to `offset` of the history `epoch` has been received.' },
);
export type Place = Static<typeof Place>;

const ChannelName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'As the client wrote it, aliases included.',
});
const Id = Type.Optional(Type.String({ maxLength: 64, description: 'Chosen by the client, echoed in the answer.' }));

const frame = <const T extends string, P extends TProperties>(type: T, properties: P, description: string) =>
  Type.Object({ type: Type.Literal(type), ...properties, id: Id }, { additionalProperties: false, description });

/** What is refused while the socket stays open. */
export const errorCodes = {
  bad_frame: 'Not JSON, or not one of the declared frames.',
  not_authenticated: 'Say who you are first, with an `auth` frame.',
  bad_token: 'The token is malformed, expired or revoked.',
  other_account: 'A socket stays with the account it was opened for.',
  unknown_channel: 'No channel has such a name.',
  forbidden: 'This account may not hear that channel.',
  already_subscribed: 'The socket hears this channel already, by this name or by an alias.',
  not_subscribed: 'The socket does not hear this channel.',
  too_many_subscriptions: 'The socket hears as many channels as it may.',
} as const;
export type ErrorCode = keyof typeof errorCodes;

/**
 * Why we close a socket. Up to 4499: come back with backoff and resume, each `subscribe` with its `since`. From 4500:
 * coming back the same way is of no use.
 */
export const closeCodes = {
  going_away: { code: 4000, reason: 'the server is stopping: reconnect and resume' },
  slow_consumer: { code: 4001, reason: 'frames are not read fast enough: reconnect and resume' },
  unavailable: { code: 4002, reason: 'a store is away: reconnect and resume' },
  token_expired: { code: 4003, reason: 'the token has expired: reconnect with a new one and resume' },
  internal: { code: 4004, reason: 'something went wrong on our side: reconnect and resume' },
  auth_timeout: { code: 4500, reason: 'no auth frame in time' },
  bad_token: { code: 4501, reason: 'the token is malformed, expired or revoked' },
  logged_out: { code: 4502, reason: 'the session has ended' },
  too_many_sockets: { code: 4503, reason: 'the account has too many open sockets' },
  rate_limited: { code: 4504, reason: 'too many frames' },
  frame_too_large: { code: 4505, reason: 'frame larger than 16 KiB' },
} as const;
export type CloseCode = keyof typeof closeCodes;

/** Whether a client should reconnect after this close code. Codes below 4000 are the network's or the standard's own. */
export const resumable = (code: number): boolean => code < 4500;

export const clientFrames = {
  auth: frame(
    'auth',
    { token: Type.String({ minLength: 1, maxLength: 8_192 }) },
    'Says who it is: as the first frame unless the upgrade had `Authorization: Bearer`, and again to replace the token.',
  ),
  subscribe: frame(
    'subscribe',
    { channel: ChannelName, since: Type.Optional(Place) },
    'Hears a channel, from `since` when it is given and still known, else from now.',
  ),
  unsubscribe: frame('unsubscribe', { channel: ChannelName }, 'Hears a channel no longer.'),
  ping: frame('ping', {}, 'Asks for a `pong`. Protocol-level pings are sent by the server anyway.'),
} as const;

export const serverFrames = {
  ready: frame(
    'ready',
    { user_id: Uuid, role: Type.String(), expires_at: Instant },
    'The token is good until `expires_at`; send another `auth` frame before that.',
  ),
  subscribed: frame(
    'subscribed',
    { channel: ChannelName, epoch: Uuid, offset: Type.Integer({ minimum: 0 }), recovered: Type.Boolean() },
    'The next change has `offset` + 1. Not recovered: changes may have been missed, read the state over REST. Comes again, not recovered, when a new history begins.',
  ),
  unsubscribed: frame(
    'unsubscribed',
    { channel: ChannelName, reason: OneOf(['asked', 'forbidden']) },
    'The channel is heard no longer.',
  ),
  error: frame(
    'error',
    { code: OneOf(Object.keys(errorCodes) as ErrorCode[]), detail: Type.String() },
    'A frame was refused.',
  ),
  pong: frame('pong', {}, 'Answers `ping`.'),
} as const;

/** A change of a row, numbered per channel without a hole. `data` is the row as REST shows it. */
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

type FrameOf<F extends Record<string, TObject>> = Static<F[keyof F]>;
export type ClientFrame = FrameOf<typeof clientFrames>;
export type ServerFrame = FrameOf<typeof serverFrames>;

/** A frame that is not carried out; the socket stays open. */
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
  Object.entries(clientFrames).map(([type, schema]) => [type, validator<TObject>(schema)]),
);

export const encode = (frame: ServerFrame): Uint8Array => Buffer.from(JSON.stringify(frame));

/** Reads one text frame. Throws `Refused` with what is wrong, and with the frame's id when it could be read. */
export const parseFrame = (text: string): ClientFrame => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused('bad_frame', 'not JSON');
  }
  const { type, id } = (value ?? {}) as { type?: unknown; id?: unknown };
  const known = typeof id === 'string' && id.length <= 64 ? id : undefined;
  const fits = validators.get(type);
  if (!fits) throw new Refused('bad_frame', `type must be one of ${Object.keys(clientFrames).join(', ')}`, known);
  if (!fits(value)) throw new Refused('bad_frame', explain(fits.errors), known);
  return value as ClientFrame;
};
