/**
 * One declaration per operation: it mounts the Koa route, compiles the validators, types the handler and writes the
 * OpenAPI operation. Who may call it stands in `operations.ts`.
 */
import { type Static, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { Role } from '../../domain/accounts/account.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import type { App } from './app.ts';
import type { ErrorCode } from './errors.ts';
import { type AccessOf, type Operation, type OperationKey, operations } from './operations.ts';

/** Someone signed in with an access token. */
export interface User {
  readonly kind: 'user';
  readonly id: string;
  readonly role: Role;
  readonly sessionId: string;
}
/** A partner's API key. */
export interface Partner {
  readonly kind: 'partner';
  readonly keyId: string;
  readonly scopes: readonly string[];
}
/** The holder of `X-Admin-Token`. */
export interface SeedTool {
  readonly kind: 'seed';
}
export type Caller = User | Partner | SeedTool | null;

export type CallerOf<A> = A extends 'user' | 'provider' | 'admin'
  ? User
  : A extends 'seed'
    ? User | SeedTool
    : A extends 'auditor'
      ? User | Partner
      : A extends `scope:${string}`
        ? Partner
        : null;

/** What a handler may need of HTTP itself. */
export interface RequestFacts {
  readonly ip: string;
  readonly header: (name: string) => string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly setHeader: (name: string, value: string) => void;
  /** The body as it came, for checking signatures; only for `signed` operations. */
  readonly rawBody: string | undefined;
}

type Parsed<T> = T extends TSchema ? Static<T> : undefined;

export interface Input<K extends OperationKey, P, Q, B> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  readonly caller: CallerOf<AccessOf<K>>;
  readonly context: CommandContext;
  readonly request: RequestFacts;
}

export interface Spec<K extends OperationKey, P, Q, B, R extends TSchema> {
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Request headers that mean something here: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply: R;
  /** Of the reply: 200 unless told. */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Codes of the catalogue, beyond those that every operation of its access has. */
  readonly errors?: readonly ErrorCode[];
  /** Read models that show what this changes: the reply is sent once they do. */
  readonly projections?: readonly ReadModel[];
  /** Honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Answers with ETag and `Cache-Control: private, max-age` (seconds); `If-None-Match` gives 304. */
  readonly cache?: { readonly maxAge: number };
  readonly handle: (input: Input<K, P, Q, B>, app: App) => Promise<Static<R>> | Static<R>;
}

/** How a reply of this shape is sent: text as it is, because who asked for a word wants no quotes around it. */
export const mediaTypeOf = (reply: TSchema): 'text/plain' | 'application/json' =>
  TypeGuard.IsString(reply) ? 'text/plain' : 'application/json';

export interface Route extends Operation {
  readonly key: OperationKey;
  readonly method: string;
  readonly path: string;
  readonly spec: Omit<Spec<OperationKey, TObject, TObject, TSchema, TSchema>, 'handle'>;
  readonly handle: (input: unknown, app: App) => unknown;
}

/** Unknown fields are refused at every depth: a typing error in a field's name must not pass in silence. */
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

export const route = <
  K extends OperationKey,
  R extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  key: K,
  spec: Spec<K, P, Q, B, R>,
): Route => {
  const [method = '', path = ''] = key.split(' ');
  const { handle, ...rest } = spec;
  const strict = {
    ...rest,
    ...(spec.params && { params: closed(spec.params) }),
    ...(spec.query && { query: closed(spec.query) }),
    ...(spec.body && { body: closed(spec.body) }),
  };
  return {
    ...operations[key],
    key,
    method,
    path,
    spec: strict as Route['spec'],
    handle: handle as unknown as Route['handle'],
  };
};

/** The same operation under its other addresses. */
export const addressesOf = ({ path, service }: Pick<Route, 'path' | 'service'>): string[] => {
  if (path.startsWith('/auth/')) return [path, `/api/v1${path}`];
  if (path.startsWith('/api/v1/auth/')) return [path, path.slice('/api/v1'.length)];
  if (path.startsWith('/api/v1/')) return [path, `/api/v1/${service}${path.slice('/api/v1'.length)}`];
  return [path];
};
