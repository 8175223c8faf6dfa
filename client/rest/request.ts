/** An operation and its input as an HTTP request. */
import type { Call } from './call.ts';

export type Input = Readonly<Record<string, unknown>>;

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The values of a field; several when it is a list. */
const valuesOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]).filter((each) => each != null);

const formOf = (fields: Input): FormData => {
  const form = new FormData();
  for (const [name, field] of Object.entries(fields))
    for (const value of valuesOf(field)) {
      if (value instanceof Blob) form.append(name, value);
      else form.append(name, asText(value));
    }
  return form;
};

export interface Request {
  /** Path and query. */
  readonly address: string;
  readonly method: string;
  readonly body: string | FormData | undefined;
  readonly contentType: string | undefined;
}

/** Puts the fields of the input where the operation expects them. @throws TypeError when a path parameter is missing */
export const requestOf = ({ method, path, query = [], body }: Call, input: Input): Request => {
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is required`);
    return encodeURIComponent(asText(value));
  });
  const search = new URLSearchParams();
  for (const name of query) {
    for (const value of valuesOf(rest[name])) search.append(name, asText(value));
    delete rest[name];
  }
  const address = search.size > 0 ? `${filled}?${search}` : filled;
  if (body === 'form') return { address, method, body: formOf(rest), contentType: undefined };
  if (body === 'json') return { address, method, body: JSON.stringify(rest), contentType: 'application/json' };
  return { address, method, body: undefined, contentType: undefined };
};
