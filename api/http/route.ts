/**
 * One declaration per operation: it mounts the Koa route, compiles the validators, types the handler, says who may call
 * it and writes the OpenAPI operation.
 */
import type { IncomingMessage } from 'node:http';
import { type Static, type TObject, type TSchema, type TString, Type, TypeGuard } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { Uuid } from '../../domain/core/schema.ts';
import type { OrText } from '../../infra/jsonText.ts';
import type { Channel } from '../../projections/engine/channels.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import type { Access, Rate, Service } from './access.ts';
import type { App } from './app.ts';
import type { AppModule } from './appModule.ts';
import type { CallerOf } from './caller.ts';
import type { ErrorCode } from './errors.ts';
import type { Harm, SaysHarm } from './harm.ts';
import { mediaTypeOfStream } from './streamed.ts';
import { open, strict, strictBody } from './strictSchemas.ts';

/** Facts about the HTTP request that handlers may need. */
export interface RequestFacts {
  readonly ip: string;
  readonly header: (name: string) => string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly setHeader: (name: string, value: string) => void;
  /** The unparsed body, for verifying signatures; only for `signed` operations. */
  readonly rawBody: string | undefined;
  /** Pointers of what was left out of the body because it does not fit (`/body/lat`); only for emergencies. */
  readonly ignored: readonly string[];
  /** The request, whose body was not read; only for operations with a `form`. */
  readonly stream: IncomingMessage | undefined;
  /** Of a form with a key: says what has arrived, by a digest, so that the same key with something else is refused. */
  readonly received?: (digest: string) => void;
  /** Counts a request of a verified sender against the limit of the route. @throws HttpError 429 */
  readonly countVerified: (sender: string) => Promise<void>;
}

/** What a part of the request is parsed to: undefined when it is not declared. */
export type Parsed<T> = T extends TSchema ? Static<T> : undefined;

export interface Input<A extends Access, P, Q, B> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  readonly caller: CallerOf<A>;
  readonly context: CommandContext;
  readonly request: RequestFacts;
}

type Status = 200 | 201 | 202 | 204 | 302;
/** Status → when it is answered, and the reply if that is another one. */
export type Alternatives = {
  readonly [S in Status]?: { readonly description: string; readonly reply?: TSchema };
};

/** A success with another status than the usual one of the route. */
export class WithStatus<S extends number, T> {
  readonly status: S;
  readonly reply: T;
  constructor(status: S, reply: T) {
    this.status = status;
    this.reply = reply;
  }
}
/** The answer of a handler with one of the `alternatives` of its route. */
export const withStatus = <const S extends Status, T>(status: S, reply: T): WithStatus<S, T> =>
  new WithStatus(status, reply);

type ReplyOf<R extends TSchema, A> = A extends { readonly reply: infer Other extends TSchema }
  ? Static<Other>
  : Static<R>;
type Answered<R extends TSchema, O extends Alternatives> =
  | OrText<Static<R>>
  | { [S in keyof O & Status]: WithStatus<S, OrText<ReplyOf<R, O[S]>>> }[keyof O & Status];

interface Described<A extends Access, P, Q, B, R extends TSchema, O extends Alternatives = Alternatives> {
  /** The OpenAPI operation id, which generated clients use as a function name: `createBooking`. */
  readonly id: string;
  readonly access: A;
  readonly rate?: Rate;
  /** The text fields of the body that the rate counts by, together with the address; instead of the general limit. */
  readonly rateBy?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  /** Why unknown fields of the query are ignored, although they are refused elsewhere: who sends them cannot know better. */
  readonly openQuery?: string;
  readonly body?: B;
  /** Fields of the body of a PUT that only its GET shows (`takenBack.ts`). */
  readonly ignored?: readonly string[];
  /** How long the body may take to arrive, in milliseconds, where what it says is worth less than an early answer. */
  readonly bodyWithinMs?: number;
  /** The list of the body whose items the handler checks one by one (`itemChecker`), each as it is declared. */
  readonly itemwise?: string;
  /** Further media types of the JSON body: `application/merge-patch+json`. */
  readonly bodyTypes?: readonly string[];
  /** The largest body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** What a `signed` operation is sent. Documentation only: the handler verifies and reads `request.rawBody`. */
  readonly signedBody?: TSchema;
  /** What the `multipart/form-data` has that the operation is sent. Documentation only: the handler reads `request.stream`. */
  readonly form?: TObject;
  /** The digest of what a `form` has, of a request whose answer is known already. @throws HttpError for another form */
  readonly digestOf?: (req: IncomingMessage) => Promise<string>;
  /** Request headers that this operation reads: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply: R;
  /** Status of the reply; 200 by default. */
  readonly status?: Status;
  /** Further successes, which a handler answers with `withStatus`. */
  readonly alternatives?: O;
  /**
   * The operation whose result this one promises, or one of its own fields does: `POST /api/v1/bookings/create`. A property
   * compares the two (`test/kit/previews.ts`).
   */
  readonly previews?: string;
  /** Error codes beyond those that every operation with this access has. */
  readonly errors?: readonly ErrorCode[];
  /** Read models that show the change: the reply waits until they do. */
  readonly projections?: readonly Pick<ReadModel, 'name' | 'entity' | 'publishTo'>[];
  /** Read models that a GET shows: `x-min-position` waits for their groups, otherwise for all. */
  readonly reads?: readonly { readonly name: string }[];
  /** Read models without whose newest version a GET shows something wrong: until an upgrade has built them, it is 503. */
  readonly needs?: readonly { readonly name: string }[];
  /**
   * The channel that carries the changes of the rows that a GET shows, and the id in its address; no id: no channel
   * carries all of them to this caller. `Prefer: channel-offset` then makes the reply say which changes it shows.
   */
  readonly channel?: { readonly of: Channel; id(input: Input<A, P, Q, B>): string | undefined };
  /**
   * Of an operation that changes something: why an `Idempotency-Key` has no effect. All others honour it. Whoever calls
   * without being known (`public`, `signed`) has no keys, so that these always say it.
   */
  readonly ignoresKey?: string;
  /** Answers with ETag and `Cache-Control: private, max-age` (seconds); `If-None-Match` gives 304. */
  readonly cache?: {
    readonly maxAge: number;
    /** Everybody gets the same, or everybody who is not signed in: `public` instead of `private` for them. */
    readonly shared?: true | 'signed_out';
    /** Begins the ETag, for a later `If-Match`. `told`: the handler tells it (`tellRevision`). */
    readonly revisionOf?: ((reply: Static<R>) => number) | 'told';
  };
  /**
   * Of a change of what has an ETag: honours `If-Match`, and answers the new ETag. `what` is changed: `the configuration`.
   * With a category, it is the stream of that category whose id is `id` in the path; otherwise the handler compares
   * (`askedRevisions`) and tells (`tellRevision`).
   */
  readonly ifMatch?: { readonly what: string; readonly category?: string };
  /** Further fields of every problem that this operation answers, whatever went wrong. */
  readonly onProblem?: (app: App) => object;
  /**
   * Of an operation that ends the session it was called with: what a repetition is answered whose first reply was lost.
   * `accountId` has signed in once, with the token that is sent. Undefined: they are asked to sign in.
   */
  readonly repeated?: (accountId: string, app: App) => Promise<Static<R> | undefined>;
  readonly handle: (input: Input<A, P, Q, B>, app: App) => Promise<Answered<R, O>> | Answered<R, O>;
}

/** What a module declares of an operation. Whoever may do what others may not says which harm it can do. */
export type Spec<A extends Access, P, Q, B, R extends TSchema, O extends Alternatives = Alternatives> = Described<
  A,
  P,
  Q,
  B,
  R,
  O
> &
  SaysHarm<A>;

/** The parameters of an operation on one thing. */
export const ById = Type.Object({ id: Uuid });
/** Why a key has no effect on what is only asked with a body. */
export const WRITES_NOTHING = 'it writes nothing';
/** How an operation answers that has nothing to say. */
export const NO_CONTENT = { status: 204, reply: Type.Null() } as const;

/** The schema of a reply that is a text of this type, such as `text/calendar`. It is made as a whole, so that it can have an ETag. */
export const TextOf = (mediaType: `text/${string}`): TString => Type.String({ contentMediaType: mediaType });
/** Has browsers save the reply. @param name ASCII without quotes */
export const saveAs = (name: string, { setHeader }: RequestFacts): void =>
  setHeader('content-disposition', `attachment; filename="${name}"`);

/** Whether an operation honours `Idempotency-Key`. */
export const honoursKey = ({ method, spec }: Pick<DeclaredRoute, 'method' | 'spec'>): boolean =>
  method !== 'GET' && spec.ignoresKey === undefined;

/** The media type of a reply: a stream and a text say their own, a string is sent as plain text, everything else as JSON. */
export const mediaTypeOf = (reply: TSchema): string =>
  mediaTypeOfStream(reply) ?? (TypeGuard.IsString(reply) ? 'text/plain' : 'application/json');

/** How an operation succeeds: status → when, and with which reply. The usual one is first. */
export const successesOf = ({
  status = 200,
  reply,
  alternatives = {},
}: Pick<DeclaredRoute['spec'], 'status' | 'reply' | 'alternatives'>): ReadonlyMap<
  number,
  { readonly description: string; readonly reply: TSchema }
> =>
  new Map([
    [status, { description: 'Success', reply }],
    ...Object.entries(alternatives).map(([other, means]) => [Number(other), { reply, ...means }] as const),
  ]);

/** An operation as its module declares it. */
export interface DeclaredRoute {
  /** Method and path: `GET /api/v1/hotels/:id`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly access: Access;
  readonly rate?: Rate;
  readonly harm?: Harm;
  readonly spec: Omit<Described<Access, TObject, TObject, TSchema, TSchema>, 'handle' | 'id' | 'access' | 'rate'>;
  /** A method, so that handlers of every input type fit: the server passes what the validators of `spec` let through. */
  handle(input: unknown, app: App): unknown;
}

/** An operation as it is mounted: with the service of its module. */
export interface Route extends DeclaredRoute {
  readonly service: Service;
  /** The part of the product that it belongs to. */
  readonly module?: AppModule;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const route = <
  const A extends Access,
  R extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  const O extends Alternatives = Record<never, never>,
>(
  key: `${Method} /${string}`,
  { id, access, rate, harm, handle, ...spec }: Spec<A, P, Q, B, R, O>,
): DeclaredRoute => {
  const [method = '', path = ''] = key.split(' ');
  const declared = {
    ...spec,
    ...(spec.params && { params: strict(spec.params) }),
    ...(spec.query && { query: spec.openQuery === undefined ? strict(spec.query) : open(spec.query) }),
    ...(spec.body && { body: strictBody(spec.body) }),
  };
  return {
    key,
    method,
    path,
    id,
    access,
    ...(rate && { rate }),
    ...(harm && { harm }),
    spec: declared as DeclaredRoute['spec'],
    handle,
  };
};

/** Apps also know these operations without `/api/v1`. */
const SHORT = /^\/api\/v1(?=\/forums\/(:id\/)?voice\b)/;

const aliasesOf = ({ path, service }: Pick<Route, 'path' | 'service'>): string[] => {
  if (path.startsWith('/auth/')) return [path, `/api/v1${path}`];
  if (path.startsWith('/api/v1/auth/')) return [path, path.slice('/api/v1'.length)];
  if (path.startsWith('/api/v1/')) {
    const short = SHORT.test(path) ? [path.replace(SHORT, '')] : [];
    return [path, ...short, `/api/v1/${service}${path.slice('/api/v1'.length)}`];
  }
  return [path];
};

/** The addresses of an operation, its own first. Each is mounted without a trailing slash and answers with one too. */
export const addressesOf = (route: Pick<Route, 'path' | 'service'>): string[] =>
  aliasesOf(route).map((address) => address.replace(/\/$/, ''));
