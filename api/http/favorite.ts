/**
 * Things that can be favourites. A reply that shows one says so with its schema; whether it is a favourite of the caller is
 * then put in for all of them in one place (`api/favorites/marks.ts`).
 */
import { type TObject, Type } from '@sinclair/typebox';

/** Of the schema of a thing: its kind, as favourites name it. */
export const FAVORITE_KIND = Symbol('favourite kind');

/** A thing that can be a favourite, of a kind of `domain/favorites/kinds.ts`. @param $id the name of the schema */
export const Favorable = <S extends TObject>(thing: S, kind: string, $id = `${thing.$id}Marked`): S =>
  Type.Object(
    {
      ...thing.properties,
      is_favorite: Type.Optional(
        Type.Boolean({
          description: 'Whether it is a favourite of the caller. Absent for those who are not signed in.',
        }),
      ),
    },
    { $id, [FAVORITE_KIND]: kind },
  ) as TObject as S;
