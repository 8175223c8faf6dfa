/** Writes to a running system with a mark in every field that a person fills, and remembers where. */
import { expect } from 'vitest';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';
import { type CallApi, once } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { markedBody } from './filledBody.ts';
import type { Marks } from './marks.ts';

export interface Writer {
  readonly marks: Marks;
  readonly call: CallApi;
  /**
   * Calls an operation: as `given` (null: without it), every other text and coordinate marked.
   * @param token of who calls it
   * @param ids for the parameters of the path, in their order
   * @returns the reply's body; a refusal fails the test
   */
  // biome-ignore lint/suspicious/noExplicitAny: as in kit/http.ts
  write(key: string, token: string | undefined, given?: object, ...ids: string[]): Promise<any>;
  /** The same, of what is refused: it may be kept no more than what is taken. */
  refused(key: string, token: string | undefined, given?: object, ...ids: string[]): Promise<void>;
  /** Keys of the operations that were called. */
  readonly written: Set<string>;
  /** The last fixed part of an operation's path → ids that it has answered. */
  readonly ids: Map<string, Set<string>>;
  /** Remembers an id that another operation has answered. */
  know(noun: string, id: string): void;
}

const routeOf = (key: string): Route => {
  const route = routes.find((each) => each.key === key);
  if (!route) throw new Error(`there is no ${key}`);
  return route;
};

/** The last part of a path that is no parameter, before the first parameter if there is one. */
export const nounOf = (path: string): string =>
  path
    .split('/:')[0]
    ?.split('/')
    .filter((part) => part !== 'admin')
    .at(-1) ?? '';

export const createWriter = (call: CallApi, marks: Marks): Writer => {
  const [written, known] = [new Set<string>(), new Map<string, Set<string>>()];
  const know = (noun: string, id: string): void => {
    known.set(noun, (known.get(noun) ?? new Set()).add(id));
  };
  const send = async (key: string, token: string | undefined, given: object, ids: readonly string[]) => {
    const { spec, method, path } = routeOf(key);
    const left = [...ids];
    const at = path.replaceAll(/:\w+/g, () => left.shift() ?? '');
    const body = spec.body && markedBody(spec.body, given, key, marks);
    const headers = { 'user-agent': marks.word('user agent'), ...once() };
    const request = { ...(token && { token }), headers, ...(body !== undefined && { body }) };
    // On a busy machine a store may take longer than a request waits: the same request is sent again.
    const reply = await until(async () => {
      const answer = await call(`${method} ${at}`, request);
      return answer.status === 503 ? undefined : answer;
    });
    written.add(key);
    for (const id of ids) know(nounOf(path), id);
    return { ...reply, what: `${key} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}` };
  };
  return {
    marks,
    call,
    written,
    ids: known,
    know,
    write: async (key, token, given = {}, ...ids) => {
      const { status, body, what } = await send(key, token, given, ids);
      expect(status, what).toBeLessThan(300);
      if (typeof body?.id === 'string') know(nounOf(routeOf(key).path), body.id);
      return body;
    },
    refused: async (key, token, given = {}, ...ids) => {
      const { status, what } = await send(key, token, given, ids);
      expect(Math.floor(status / 100), what).toBe(4);
    },
  };
};
