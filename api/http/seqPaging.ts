/** Lists of what is numbered in its order, such as the messages of a chat: read in parts that what is new does not move. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Nullable } from '../../domain/core/schema.ts';
import { arrayText, type JsonText, objectText } from '../../infra/jsonText.ts';
import type { Cursor, SeqPage } from '../../projections/engine/seqPages.ts';
import { refuseQuery } from './errors.ts';

const Place = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** Query fields of such a list. @param what is listed: `Message` */
export const seqQuery = (what: string) =>
  Type.Object({
    before: Place(`${what}s with a lower number.`),
    after: Place(`${what}s with a higher number.`),
    around: Place(`This ${what.toLowerCase()}, with those before and after it.`),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  });
type SeqQuery = Static<ReturnType<typeof seqQuery>>;

/** The cursor of a query, and how many are asked for. @throws HttpError for more than one cursor */
export const seqPagingOf = ({
  limit = 50,
  ...cursor
}: SeqQuery): { readonly cursor: Cursor; readonly limit: number } => {
  const [, second] = Object.keys(cursor);
  if (second) refuseQuery(second, 'exclusive', 'cannot be combined with another cursor.');
  return { cursor, limit };
};

/** The envelope of such a list. @param what is listed: `message` */
export const SeqListOf = <T extends TSchema>(item: T, what: string) =>
  Type.Object({
    data: Type.Array(item),
    next_cursor: Nullable(
      Type.Integer({ description: `Send it as \`after\` for newer ${what}s; null: there are none yet.` }),
    ),
    prev_cursor: Nullable(
      Type.Integer({ description: `Send it as \`before\` for older ${what}s; null: there are none.` }),
    ),
  });

/** The envelope around a part. @param forms its rows, as JSON text */
export const seqListOf = <T>({ before, after }: SeqPage<{ readonly seq: number }>, forms: readonly JsonText<T>[]) =>
  objectText<{ data: T[]; next_cursor: number | null; prev_cursor: number | null }>({
    data: arrayText(forms),
    next_cursor: after,
    prev_cursor: before,
  });
