/** The flags of this process: kept in memory, and evaluated without asking the database. */
import type { FlagRules } from '../../domain/flags/flag.ts';
import { keptTable } from '../engine/keptTable.ts';
import { allFlags, featureFlags } from './flags.ts';
import { allSegments, flagSegments } from './segments.ts';

/** The rules as the read models show them. They are read when they have changed. */
export const flagRulesNow = keptTable([featureFlags, flagSegments], async ({ db }): Promise<FlagRules> => {
  const [flags, segments] = await Promise.all([allFlags(db), allSegments(db)]);
  return {
    flags: new Map(flags.map((row) => [row.key, row])),
    segments: new Map(segments.map((row) => [row.id, row])),
  };
});
