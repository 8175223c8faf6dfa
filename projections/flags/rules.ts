/** The flags of this process: kept in memory, and evaluated without asking the database. */
import type { FlagRules } from '../../domain/flags/flag.ts';
import { keep } from '../engine/kept.ts';
import type { Positions } from '../engine/positions.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { allFlags, featureFlags } from './flags.ts';
import { allSegments, flagSegments } from './segments.ts';

interface Deps {
  readonly db: ReadDb;
  readonly positions: Pick<Positions, 'follow' | 'isListening'>;
}

const read = async (db: ReadDb): Promise<FlagRules> => {
  const [flags, segments] = await Promise.all([allFlags(db), allSegments(db)]);
  return {
    flags: new Map(flags.map((row) => [row.key, row])),
    segments: new Map(segments.map((row) => [row.id, row])),
  };
};

const kept = new WeakMap<Deps['positions'], () => Promise<FlagRules>>();

/** The rules as the read models show them. They are read when they have changed. */
export const flagRulesNow = ({ db, positions }: Deps): Promise<FlagRules> => {
  const known = kept.get(positions) ?? keep(positions, [featureFlags, flagSegments], () => read(db));
  kept.set(positions, known);
  return known();
};
