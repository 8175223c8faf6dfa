/**
 * Who answered. Between us and a system outside are proxies, gateways and captive portals, which answer in its place with
 * pages, with JSON of their own, or with nothing. Only what the system itself wrote is its reply or its refusal; every
 * other answer is a fault, after which the work is repeated. Each adapter declares how its system's own answers look.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { StoreAway } from '../storeFaults.ts';
import type { Validator } from '../validation.ts';
import type { Answer } from './exchange.ts';

/** How the answers of a system look, in JSON. Fields that are not named may be there, too. */
export interface Forms<T extends TSchema, R extends TSchema> {
  /** The body of a success; null for a 204, which has none. */
  readonly reply: Validator<T>;
  /** The body of a refusal, which nobody else writes. */
  readonly refusal: Validator<R>;
  /** It refuses with 200, too: the body alone says how it went. */
  readonly refusesWith200?: true;
}

export type Said<T, R> =
  /** It did what it was asked for. */
  | { readonly kind: 'reply'; readonly status: number; readonly body: T }
  /** It understood the request, and did nothing. */
  | { readonly kind: 'refusal'; readonly status: number; readonly body: R }
  /**
   * Somebody else answered, or the system says that it cannot now or does not accept us. The request may have had an effect.
   * `body` is there if the system wrote it.
   */
  | { readonly kind: 'fault'; readonly status: number; readonly body: R | undefined };

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** The body as JSON; undefined if it is declared to be something else, or is no JSON. A missing declaration is none. */
export const jsonOf = ({ headers, body }: Pick<Answer, 'headers' | 'body'>): unknown => {
  const type = headers['content-type'];
  return type === undefined || JSON_TYPE.test(type) ? parseJson(body.toString('utf8')) : undefined;
};

/** The parsed value; undefined for text that is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Statuses that are about us (our key, our rate), not about what was asked for. They end without another request. */
const ABOUT_US: readonly number[] = [401, 403, 407, 408, 425, 429];

/** An answer that has no body by its meaning. For `reply`, the body is null then. */
const NO_CONTENT = 204;
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Whether a refusal with this status is about what was asked for, so that asking again does not help. */
export const isAboutRequest = (status: number): boolean => status >= 400 && status < 500 && !ABOUT_US.includes(status);

export const said = <T extends TSchema, R extends TSchema>(
  { reply, refusal, refusesWith200 }: Forms<T, R>,
  answer: Answer,
): Said<Static<T>, Static<R>> => {
  const { status } = answer;
  const body = status === NO_CONTENT ? null : jsonOf(answer);
  if (isSuccess(status) && reply(body)) return { kind: 'reply', status, body };
  if (!refusal(body)) return { kind: 'fault', status, body: undefined };
  const refuses = isAboutRequest(status) || (refusesWith200 === true && status === 200);
  return { kind: refuses ? 'refusal' : 'fault', status, body };
};

/** Whether a body is a page for people, which no interface of a system answers with. */
export const isPage = ({ headers, body }: Pick<Answer, 'headers' | 'body'>): boolean =>
  /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(body.toString('utf8', 0, 200));

/** Something else than the store that was asked has answered. Whoever waits for the store may ask again. */
export class ForeignAnswer extends StoreAway {
  override readonly name = 'ForeignAnswer';
  readonly status: number;
  constructor(status: number) {
    super(`something else answered ${status} in its place`);
    this.status = status;
  }
}
