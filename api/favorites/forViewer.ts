/** Whether listings are favourites of the viewer, in the replies of the catalog. */
import { Type } from '@sinclair/typebox';
import { favoritesAmong } from '../../projections/favorites/favorites.ts';
import type { ForViewer } from '../catalog/forViewer.ts';

export const isFavorite: ForViewer = {
  fields: {
    is_favorite: Type.Optional(
      Type.Boolean({ description: 'Whether it is a favourite of the caller. Absent for those who are not signed in.' }),
    ),
  },
  read: async (db, viewerId, kind, ids) => {
    const marked = await favoritesAmong(db, viewerId, kind, ids);
    return (id) => ({ is_favorite: marked.has(id) });
  },
};
