/** Under which names those who write in the forums are shown. */
import { forumsPurpose } from '../../domain/forums/index.ts';
import { DELETED_USER, namesOfAccounts, shortNamesOf } from '../accounts/shortNames.ts';
import type { ReadDb } from '../engine/readDb.ts';

export const forumAuthors = namesOfAccounts('forum_authors', forumsPurpose);

interface Authored {
  readonly author_id: string;
}

/** The names of the authors of these rows. */
export const authorsOf = async (db: ReadDb, rows: readonly Authored[]): Promise<(row: Authored) => string> => {
  const ids = rows.map(({ author_id }) => author_id);
  const nameOf = await shortNamesOf(db, forumAuthors, ids);
  return ({ author_id }) => nameOf(author_id) ?? DELETED_USER;
};
