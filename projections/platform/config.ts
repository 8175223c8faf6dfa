/** Every revision of the configuration; the last one is in force. */

import { Type } from '@sinclair/typebox';
import { Revision } from '../../domain/core/revision.ts';
import { Instant, Nullable } from '../../domain/core/schema.ts';
import { ChangeReason } from '../../domain/flags/flagRules.ts';
import { defaultConfig, PlatformConfig } from '../../domain/platform/config.ts';
import type { ConfigState } from '../../domain/platform/platformConfig.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type KeptDeps, keptTable } from '../engine/keptTable.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

export const configRevisions = readModel('platform_config_revisions', {
  version: 1,
  row: Type.Object({
    revision: Revision,
    config: PlatformConfig,
    reverts_to: Nullable(Revision),
    reason: Nullable(ChangeReason),
    changed_at: Instant,
    changed_by: Type.String({
      description: 'Id of the account that changed it; `setting:RESORT_TIMEZONE` for the time zone of that setting.',
    }),
  }),
  key: 'revision',
  personalData: actsOfAdmins,
  on: {
    PlatformConfigChanged: {
      keys: ({ data: { revision } }) => [{ revision }],
      fold: (_, { at, meta, data: { revision, config, revertsTo, reason } }) => ({
        revision,
        config,
        reverts_to: revertsTo,
        reason,
        changed_at: at,
        changed_by: meta.actor.id,
      }),
    },
  },
  announce: () => ['config'],
});
export type ConfigRevisionRow = RowOf<typeof configRevisions>;

const all = (db: ReadDb) => tables(db, configRevisions).selectFrom('platform_config_revisions').selectAll();

/** Newest first. */
export const listConfigRevisions = (db: ReadDb, paging: Paging): Promise<Page<ConfigRevisionRow>> =>
  pageOf(db, all(db).orderBy('revision', 'desc'), paging);

/** The configuration as it was; 0: before the first change. */
export const configAt = async (db: ReadDb, revision: number): Promise<PlatformConfig | undefined> =>
  revision === 0 ? defaultConfig : (await all(db).where('revision', '=', revision).executeTakeFirst())?.config;

/** As read last, however long ago. */
const last = new WeakMap<KeptDeps['positions'], ConfigState>();

/** The configuration in force. It is kept in memory, and read when it has changed. */
export const configNow = keptTable([configRevisions], async ({ db, positions }): Promise<ConfigState> => {
  const found = await all(db).orderBy('revision', 'desc').limit(1).executeTakeFirst();
  const state = { revision: found?.revision ?? 0, config: { ...defaultConfig, ...found?.config } };
  // Reads can end in another order than they began.
  if (state.revision >= (last.get(positions)?.revision ?? 0)) last.set(positions, state);
  return state;
});

/** IANA name of the time zone of the resort. Queries take it from here. */
export const timezoneNow = async (deps: KeptDeps): Promise<string> => (await configNow(deps)).config.timezone;

/** Reads the configuration now and after each change, so that what was read last is what is in force. It never fails. */
export const followConfig = async (deps: KeptDeps): Promise<void> => {
  const again = () => configNow(deps).catch(() => undefined); // the next request tries again
  await again();
  deps.positions.follow([configRevisions], () => void again());
};

/** The phone of the rescue service, at once and also while the database is away: as it was read last. */
export const lastRescuePhone = ({ positions }: Pick<KeptDeps, 'positions'>): string =>
  (last.get(positions)?.config ?? defaultConfig).rescue_phone;
