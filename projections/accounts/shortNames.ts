/**
 * How people are named to strangers, `Anna O.`, as their accounts say now. What they have published holds no copy of the
 * name, so that a corrected one is shown everywhere at once.
 */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { shortName } from '../../domain/accounts/account.ts';
import { isPlaceholder, Uuid } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';
import type { Purpose } from '../../infra/personalData.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';

export const DELETED_USER = 'Deleted user';

const Named = Type.Object({ id: Uuid, first_name: Type.String(), last_name: Type.String() });

/** The names of all accounts once more, for a group of read models that shows them: what it shows is of one position. */
export const namesOfAccounts = <const Name extends string>(name: Name, why: Purpose) =>
  readModel(name, {
    version: 1,
    row: Named,
    key: 'id',
    personalData: { whose: 'id', texts: ['first_name', 'last_name'], why, retention: 'account' },
    on: {
      AccountOpened: (_, { streamId: id, data: { firstName, lastName } }) => ({
        ...{ id, first_name: firstName, last_name: lastName },
      }),
      ProfileChanged: (row, { data: { firstName, lastName } }) => ({
        ...existing(row),
        ...toSnake({ ...(firstName !== undefined && { firstName }), ...(lastName !== undefined && { lastName }) }),
      }),
    },
  });

/** The model that has the names: `accounts`, or that of the same group. */
interface Names {
  readonly name: string;
}

/** An account that was erased says so; one that is not shown yet, or has no name, has an empty one. */
export interface ShownName {
  /** First and last name, for those to whom the person has shown themselves. */
  readonly full: string;
  /** For strangers. */
  readonly short: string;
  readonly isErased: boolean;
}

const ERASED_NAME: ShownName = { full: DELETED_USER, short: DELETED_USER, isErased: true };
const NO_NAME: ShownName = { full: '', short: '', isErased: false };

/** How a person with these names is named. */
export const shownName = ({
  firstName,
  lastName,
}: {
  readonly firstName: string;
  readonly lastName: string;
}): ShownName =>
  isPlaceholder(firstName)
    ? ERASED_NAME
    : {
        full: [firstName, lastName].filter(Boolean).join(' '),
        short: shortName({ firstName, lastName }),
        isErased: false,
      };

/** How these people are named. */
export const shownNamesOf = async (
  db: ReadDb,
  names: Names,
  ids: readonly (string | null)[],
): Promise<(id: string) => ShownName> => {
  const asked = [...new Set(ids.filter((id) => id !== null))];
  const { rows } = await sql<Static<typeof Named>>`
    select id, first_name, last_name from ${tableOf({ ...names, row: Named })}
    where id = any(${asked}::uuid[])`.execute(db);
  const known = new Map(
    rows.map(({ id, first_name: firstName, last_name: lastName }) => [id, shownName({ firstName, lastName })]),
  );
  return (id) => known.get(id) ?? NO_NAME;
};

/** Id → name. null: the account was erased; `''`: it is not shown yet, or has no name. */
export const shortNamesOf = async (
  db: ReadDb,
  names: Names,
  ids: readonly string[],
): Promise<(id: string) => string | null> => {
  const nameOf = await shownNamesOf(db, names, ids);
  return (id) => {
    const { short, isErased } = nameOf(id);
    return isErased ? null : short;
  };
};
