/**
 * Bodies with a list whose items are checked one by one: a wrong item is rejected with its index, and the others are used.
 * The list is declared, and so documented, like every other.
 */
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { validator } from '../../infra/validation.ts';
import { fieldErrors } from './fieldErrors.ts';
import { oversized } from './inputLimits.ts';
import { strictBody } from './strictSchemas.ts';

export const RejectedItem = Type.Object(
  { index: Type.Integer({ minimum: 0, description: 'Of the item in the list, from 0.' }), detail: Type.String() },
  { $id: 'RejectedItem' },
);
export type RejectedItem = Static<typeof RejectedItem>;

/** An item that fits, with its place in the list. */
export interface FittingItem<T> {
  readonly index: number;
  readonly item: T;
}

/** The schema of the body by which the items are anything. @throws TypeError when `list` is no array of the body */
export const withAnyItems = (body: TSchema, list: string): TSchema => {
  const { properties = {} } = body as TObject;
  const declared = properties[list];
  if (declared?.type !== 'array') throw new TypeError(`${list} is not a list of the body`);
  return { ...body, properties: { ...properties, [list]: { ...declared, items: {} } } };
};

/** The body without the items, whose size is checked with each of them. */
export const withoutItems = (body: unknown, list: string): unknown =>
  body !== null && typeof body === 'object' && Array.isArray((body as Record<string, unknown>)[list])
    ? { ...body, [list]: [] }
    : body;

/** A function that divides the items of a list by whether they fit. @param list its name in the body */
export const itemChecker = <T extends TSchema>(list: string, item: T) => {
  const valid = validator(strictBody(item), 'body');
  const wrong = (value: unknown, index: number): string | undefined => {
    const size = oversized(value);
    if (size !== undefined) return `/${list}/${index}${size.pointer} ${size.detail}`;
    if (valid(value)) return undefined;
    const [error] = fieldErrors(`${list}/${index}`, valid.errors);
    return `${error.pointer} ${error.detail}`;
  };
  return (items: readonly unknown[]): { fitting: FittingItem<Static<T>>[]; rejected: RejectedItem[] } => {
    const fitting: FittingItem<Static<T>>[] = [];
    const rejected: RejectedItem[] = [];
    for (const [index, value] of items.entries()) {
      const detail = wrong(value, index);
      if (detail === undefined) fitting.push({ index, item: value as Static<T> });
      else rejected.push({ index, detail });
    }
    return { fitting, rejected };
  };
};
