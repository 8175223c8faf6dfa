/**
 * Calls of LiveKit's API: Twirp (https://twitchtv.github.io/twirp/docs/spec_v7.html) with JSON of protocol buffers. The
 * client of LiveKit makes the requests; they are sent here, because it takes every 404 for one of LiveKit and any JSON for
 * an empty list.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { type Said, said } from '../../infra/outside/answers.ts';
import { type Answer, exchange } from '../../infra/outside/exchange.ts';
import { type Validator, validator } from '../../infra/validation.ts';

/** "Error Codes": `code` is one of the words of the specification. */
const isError = validator(Type.Object({ code: Type.String({ pattern: '^[a-z]+(_[a-z]+)*$' }), msg: Type.String() }));

const listIn = (field: string) => validator(Type.Object({ [field]: Type.Array(Type.Object({})) }));
const has = (...spellings: readonly string[]) =>
  validator(Type.Union(spellings.map((field) => Type.Object({ [field]: Type.String({ minLength: 1 }) }))));
/** A message without fields. */
const isEmpty = validator(Type.Object({}, { additionalProperties: false }));
const isEgress = has('egress_id', 'egressId');

/** What each call answers when it was done: a field that is always there, by which it is known. */
const REPLIES = {
  'RoomService/CreateRoom': has('name'),
  'RoomService/DeleteRoom': isEmpty,
  'RoomService/ListRooms': listIn('rooms'),
  'RoomService/ListParticipants': listIn('participants'),
  'RoomService/UpdateParticipant': has('identity'),
  'RoomService/UpdateRoomMetadata': has('name'),
  'RoomService/RemoveParticipant': isEmpty,
  'Egress/ListEgress': listIn('items'),
  'Egress/StartRoomCompositeEgress': isEgress,
  'Egress/StopEgress': isEgress,
} satisfies Readonly<Record<string, Validator<TSchema>>>;

type Service = 'RoomService' | 'Egress';
type MethodOf<S extends Service, Call = keyof typeof REPLIES> = Call extends `${S}/${infer Method}`
  ? Uncapitalize<Method>
  : never;
/** A client with the calls of which it is declared what they answer, and no others. */
export type Declared<S extends Service, C> = Pick<C, MethodOf<S> & keyof C>;

/** Codes after which nobody knows whether it was done. After all others it was not, whatever the status. */
const UNKNOWN_OUTCOMES: readonly string[] = [
  'canceled',
  'unknown',
  'deadline_exceeded',
  'unavailable',
  'aborted',
  'resource_exhausted',
  // Of a wrong address: this is not the voice server.
  'bad_route',
];

type Failure = Exclude<Said<unknown, { code: string; msg: string }>, { kind: 'reply' }>;

/** The server did not do what it was asked for, or something else answered. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly status: number;
  readonly isRefused: boolean;
  /** It does not accept our key. Servers say so in words of their own, before Twirp. */
  readonly isOfKey: boolean;
  /** The room, the person or the recording is not there. `bad_route` is a 404, too: of a wrong address. */
  readonly isMissing: boolean;
  /** What should be stopped is not there, or has ended. */
  readonly isOver: boolean;
  /** How many seconds the clock of whoever answered is ahead of ours; null: it does not say. */
  readonly clockAheadS: number | null;
  constructor({ kind, status, body }: Failure, clockAheadS: number | null = null) {
    const isOfKey = status === 401 || status === 403;
    const bare = isOfKey
      ? `our key is answered with ${status}`
      : `something else than the voice server answered ${status}`;
    super(body ? `${body.msg} (${body.code}, ${status})` : bare);
    this.status = status;
    this.isOfKey = isOfKey;
    this.isMissing = kind === 'refusal' && status === 404 && body?.code === 'not_found';
    this.isOver = this.isMissing || (kind === 'refusal' && body?.code === 'failed_precondition');
    // LiveKit answers 500 where it was set up without what it is asked for, such as recordings without Redis.
    this.isRefused = body !== undefined && !UNKNOWN_OUTCOMES.includes(body.code);
    this.clockAheadS = clockAheadS;
  }
}

/** How many seconds the clock of whoever answered is ahead of ours, by the header `Date`; null: it does not say. */
export const clockAheadS = ({ headers }: Pick<Answer, 'headers'>): number | null => {
  const theirs = Date.parse(headers.date ?? '');
  return Number.isNaN(theirs) ? null : Math.round((theirs - Date.now()) / 1_000);
};

/** Has a client of LiveKit send its requests here. @param api address of the server @param timeoutS of each call */
export const sendingHere = <S extends Service, C extends object>(
  service: S,
  client: C,
  api: string,
  timeoutS: number,
): Declared<S, C> => {
  const replies: Readonly<Record<string, Validator<TSchema>>> = REPLIES;
  const request = async (_: string, method: string, data: unknown, headers: Record<string, string>) => {
    const reply = replies[`${service}/${method}`];
    if (!reply) throw new Error(`it is not declared what ${service}/${method} answers`);
    const answer = await exchange(new URL(`/twirp/livekit.${service}/${method}`, api), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(data),
      timeoutMs: timeoutS * 1_000,
    });
    const result = said({ reply, refusal: isError }, answer);
    if (result.kind === 'reply') return result.body;
    throw new CallFailed(result, clockAheadS(answer));
  };
  return Object.defineProperty(client, 'rpc', { value: { request } });
};
