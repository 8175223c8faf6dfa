/** Flags as admins see them, and as they are evaluated. */

import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant } from '../../domain/core/schema.ts';
import { FlagDefinition, FlagKey } from '../../domain/flags/flag.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

const keys = ({ data: { key } }: { readonly data: { readonly key: string } }) => [{ key }];
const changed = ({ at, meta }: Pick<Recorded, 'at' | 'meta'>) => ({ updated_at: at, updated_by: meta.actor.id });

export const featureFlags = readModel('feature_flags', {
  version: 1,
  row: Type.Object({
    key: FlagKey,
    enabled: Type.Boolean({ description: 'Its switch: false turns it off for everybody.' }),
    ...FlagDefinition.properties,
    created_at: Instant,
    updated_at: Instant,
    updated_by: Type.String({ description: 'Id of the account that changed it last.' }),
  }),
  key: 'key',
  personalData: actsOfAdmins,
  on: {
    FeatureFlagCreated: {
      keys,
      fold: (_, { at, data: { key, enabled, definition }, ...event }) => ({
        key,
        enabled,
        ...definition,
        created_at: at,
        ...changed({ at, ...event }),
      }),
    },
    FeatureFlagRedefined: {
      keys,
      fold: (row, event) => ({ ...existing(row), ...event.data.definition, ...changed(event) }),
    },
    FeatureFlagSwitched: {
      keys,
      fold: (row, event) => ({ ...existing(row), enabled: event.data.enabled, ...changed(event) }),
    },
    FeatureFlagDeleted: { keys, fold: () => null },
  },
  announce: () => ['flag'],
});
export type FeatureFlagRow = RowOf<typeof featureFlags>;

const all = (db: ReadDb) => tables(db, featureFlags).selectFrom('feature_flags').selectAll();

/** Every flag: there are a few hundred at most. */
export const allFlags = (db: ReadDb): Promise<FeatureFlagRow[]> => all(db).execute();

export const flagByKey = (db: ReadDb, key: string): Promise<FeatureFlagRow | undefined> =>
  all(db).where('key', '=', key).executeTakeFirst();

export interface FlagFilter extends Paging {
  /** Those that had expired on this date, `YYYY-MM-DD`. */
  readonly expiredOn?: string | undefined;
}

/** By key. */
export const listFlags = (db: ReadDb, { expiredOn, ...paging }: FlagFilter): Promise<Page<FeatureFlagRow>> =>
  pageOf(
    db,
    all(db)
      .$if(expiredOn !== undefined, (q) => q.where('expires', '<=', expiredOn as string))
      .orderBy('key'),
    paging,
  );
