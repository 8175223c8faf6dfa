/**
 * Finds the operation of a request: first the address, then the method. An address with a fixed segment wins over one with
 * a parameter there, whatever the method: `/friends/blocked` is never the friend with the id `blocked`. Paths are compared
 * in the form of `canonicalPath`, and letters in capitals are other letters.
 */
import { HttpError } from './errors.ts';

export interface Found<Run> {
  /** The address as it was mounted first: `/api/v1/hotels/:id`. */
  readonly address: string;
  /** All methods of the address, `HEAD` with `GET`. */
  readonly methods: readonly string[];
  /** What answers the method; undefined: nothing does. */
  readonly run: Run | undefined;
  /** The values in the place of parameters, decoded. */
  readonly params: Record<string, string>;
}

export interface Routing<Run> {
  /** What was mounted first at an address answers there: services share some of their addresses. */
  mount(address: string, method: string, run: Run): void;
  /** @param path in the form of `canonicalPath` @returns undefined when no address fits */
  find(path: string, method: string): Found<Run> | undefined;
}

/** Characters that mean the same whether or not they are percent-encoded: RFC 3986, 2.3. */
const UNRESERVED = /[A-Za-z0-9\-._~]/;

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Whether every percent-encoding in a text of an address is one of UTF-8. */
export const isWellEncoded = (text: string): boolean => !text.includes('%') || decoded(text) !== undefined;

/**
 * The one form of a path (RFC 3986, 6.2.2): `/%68otels` is `/hotels`, and `%2f` is `%2F`.
 * @throws HttpError 400 for a percent-encoding that is not UTF-8
 */
export const canonicalPath = (path: string): string => {
  if (!isWellEncoded(path))
    throw new HttpError('bad_request', 'The path is not valid: percent-encode it as UTF-8, such as %C3%A9.');
  return path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
};

interface Mounted<Run> {
  readonly run: Run;
  /** Of the parameters, in the order of the path. */
  readonly names: readonly string[];
}

/** One segment of addresses, and what follows it. */
interface Node<Run> {
  readonly fixed: Map<string, Node<Run>>;
  parameter?: Node<Run>;
  address?: string;
  readonly byMethod: Map<string, Mounted<Run>>;
}

const node = <Run>(): Node<Run> => ({ fixed: new Map(), byMethod: new Map() });

/** Without the slash at the end, if there is one. */
const segmentsOf = (path: string): string[] => {
  const segments = path.split('/').slice(1);
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
};

export const createRouting = <Run>(): Routing<Run> => {
  const root = node<Run>();

  const follow = (from: Node<Run>, segment: string): Node<Run> => {
    if (segment.startsWith(':')) {
      from.parameter ??= node();
      return from.parameter;
    }
    const next = from.fixed.get(segment) ?? node<Run>();
    from.fixed.set(segment, next);
    return next;
  };

  /** The place that fits best, and what is in the place of its parameters. */
  const reach = (
    at: Node<Run>,
    segments: readonly string[],
    index: number,
    values: readonly string[],
  ): Reached<Run> => {
    const segment = segments[index];
    if (segment === undefined) return at.address === undefined ? undefined : { at, values };
    const fixed = at.fixed.get(segment);
    const found = fixed && reach(fixed, segments, index + 1, values);
    if (found || !at.parameter || segment === '') return found;
    return reach(at.parameter, segments, index + 1, [...values, segment]);
  };

  return {
    mount: (address, method, run) => {
      const segments = segmentsOf(address);
      const at = segments.reduce(follow, root);
      at.address ??= address;
      const names = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
      if (!at.byMethod.has(method)) at.byMethod.set(method, { run, names });
    },
    find: (path, method) => {
      const reached = reach(root, segmentsOf(path), 0, []);
      if (!reached) return undefined;
      const { address = path, byMethod } = reached.at;
      const methods = [...byMethod.keys()].flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
      const mounted = byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
      const values = reached.values.map((value) => decoded(value) ?? value);
      const params = Object.fromEntries((mounted?.names ?? []).map((name, index) => [name, values[index] ?? '']));
      return { address, methods, run: mounted?.run, params };
    },
  };
};

type Reached<Run> = { readonly at: Node<Run>; readonly values: readonly string[] } | undefined;
