/**
 * One declaration per operation: it mounts the Koa route, compiles the validators, types the handler, says who may call
 * it and writes the OpenAPI operation.
 */
import { type Static, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { Access, Rate, Service } from './access.ts';
import type { App } from './app.ts';
import type { CallerOf } from './caller.ts';
import type { ErrorCode } from './errors.ts';
import type { FreshProof } from './freshProof.ts';

/** Facts about the HTTP request that handlers may need. */
export interface RequestFacts {
  readonly ip: string;
  readonly header: (name: string) => string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly setHeader: (name: string, value: string) => void;
  /** The unparsed body, for verifying signatures; only for `signed` operations. */
  readonly rawBody: string | undefined;
  /** Counts a request of a verified sender against the limit of the route. @throws HttpError 429 */
  readonly countVerified: (sender: string) => Promise<void>;
}

type Parsed<T> = T extends TSchema ? Static<T> : undefined;

export interface Input<A extends Access, P, Q, B> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  readonly caller: CallerOf<A>;
  readonly context: CommandContext;
  readonly request: RequestFacts;
}

export interface Spec<A extends Access, P, Q, B, R extends TSchema> {
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
  readonly body?: B;
  /** What a `signed` operation is sent. Documentation only: the handler verifies and reads `request.rawBody`. */
  readonly signedBody?: TSchema;
  /** Request headers that this operation reads: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply: R;
  /** Status of the reply; 200 by default. */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Error codes beyond those that every operation with this access has. */
  readonly errors?: readonly ErrorCode[];
  /** Read models that show the change: the reply waits until they do. */
  readonly projections?: readonly { readonly name: string }[];
  /** Requires that the session has proved who it is within minutes; a list: when the body has one of these fields. */
  readonly freshProof?: FreshProof;
  /** Honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Answers with ETag and `Cache-Control: private, max-age` (seconds); `If-None-Match` gives 304. */
  readonly cache?: { readonly maxAge: number };
  readonly handle: (input: Input<A, P, Q, B>, app: App) => Promise<Static<R>> | Static<R>;
}

/** The media type of a reply: a string is sent as plain text, everything else as JSON. */
export const mediaTypeOf = (reply: TSchema): 'text/plain' | 'application/json' =>
  TypeGuard.IsString(reply) ? 'text/plain' : 'application/json';

/** An operation as its module declares it. */
export interface DeclaredRoute {
  /** Method and path: `GET /api/v1/hotels/:id`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly access: Access;
  readonly rate?: Rate;
  readonly spec: Omit<Spec<Access, TObject, TObject, TSchema, TSchema>, 'handle' | 'id' | 'access' | 'rate'>;
  /** A method, so that handlers of every input type fit: the server passes what the validators of `spec` let through. */
  handle(input: unknown, app: App): unknown;
}

/** An operation as it is mounted: with the service of its module. */
export interface Route extends DeclaredRoute {
  readonly service: Service;
}

/** Refuses unknown fields at every depth, so that a misspelt field name is an error. */
const closed = <T extends TSchema>(schema: T): T => {
  if (TypeGuard.IsObject(schema))
    return {
      ...schema,
      additionalProperties: schema.additionalProperties ?? false,
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, closed(inner)])),
    };
  if (TypeGuard.IsArray(schema)) return { ...schema, items: closed(schema.items) };
  if (TypeGuard.IsUnion(schema)) return { ...schema, anyOf: schema.anyOf.map(closed) };
  if (Array.isArray(schema.oneOf)) return { ...schema, oneOf: schema.oneOf.map(closed) };
  return schema;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const route = <
  const A extends Access,
  R extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  key: `${Method} /${string}`,
  { id, access, rate, handle, ...spec }: Spec<A, P, Q, B, R>,
): DeclaredRoute => {
  const [method = '', path = ''] = key.split(' ');
  const strict = {
    ...spec,
    ...(spec.params && { params: closed(spec.params) }),
    ...(spec.query && { query: closed(spec.query) }),
    ...(spec.body && { body: closed(spec.body) }),
  };
  return { key, method, path, id, access, ...(rate && { rate }), spec: strict as DeclaredRoute['spec'], handle };
};

const aliasesOf = ({ path, service }: Pick<Route, 'path' | 'service'>): string[] => {
  if (path.startsWith('/auth/')) return [path, `/api/v1${path}`];
  if (path.startsWith('/api/v1/auth/')) return [path, path.slice('/api/v1'.length)];
  if (path.startsWith('/api/v1/')) return [path, `/api/v1/${service}${path.slice('/api/v1'.length)}`];
  return [path];
};

/** The addresses of an operation, its own first. Each is mounted without a trailing slash and answers with one too. */
export const addressesOf = (route: Pick<Route, 'path' | 'service'>): string[] =>
  aliasesOf(route).map((address) => address.replace(/\/$/, ''));
