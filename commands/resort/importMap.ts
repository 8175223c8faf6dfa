/** Stores what was read from a map: adds lifts and slopes that are new, and changes the others. */
import { Rejected } from '../../domain/core/decider.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { type FacilityKind, lifts, slopes } from './facilities.ts';
import type { IdOf, Imported } from './openSkiMap.ts';

const AT_ONCE = 16;

/** The same map again leads to the same lifts and slopes: the ids follow from the source. */
const commandOf = (noun: string, sourceId: string): string => derivedId('resort import', noun, sourceId);
export const importedId: IdOf = (noun, sourceId) => derivedId(commandOf(noun, sourceId), noun);

const contextOf = (commandId: string, at: string): CommandContext => ({
  correlationId: commandId,
  causationId: commandId,
  commandId,
  actor: { kind: 'seed', id: 'import', role: 'admin' },
  ip: null,
  at,
});

export interface Stored {
  readonly added: number;
  readonly changed: number;
  /** What was left as it is, and why: a line each. */
  readonly left: readonly string[];
}

/** How far an import came that was interrupted. */
export class ImportInterrupted extends Error {
  constructor(stored: number, all: number, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${stored} of ${all} lifts and slopes are stored, then: ${why}. Import the same file again: it continues.`);
    this.cause = cause;
  }
}

interface Run {
  readonly deps: Pick<CoreDeps, 'aggregates'>;
  readonly at: string;
  readonly timezone: string;
  readonly all: number;
  stored: number;
}

const store = async <D extends { sourceId: string | null }>(
  run: Run,
  { decider, noun }: FacilityKind<D>,
  read: readonly (Partial<D> & { readonly sourceId: string; readonly name: string })[],
  unset: Partial<D>,
): Promise<Stored> => {
  const { deps, at, timezone } = run;
  const left: string[] = [];
  let [added, changed] = [0, 0];
  const storeOne = async (details: (typeof read)[number]): Promise<void> => {
    const id = importedId(noun, details.sourceId);
    const { state } = await deps.aggregates.load(decider, id);
    if (state.status === 'retired') {
      left.push(`the ${noun} ${details.name} (${details.sourceId}) is retired`);
      return;
    }
    const isNew = state.status === 'none';
    const command = isNew
      ? ({ type: 'AddFacility', details: { ...unset, ...details } as unknown as D } as const)
      : ({ type: 'ChangeFacility', details: details as Partial<D>, at, timezone } as const);
    const first = commandOf(noun, details.sourceId);
    const { events } = await deps.aggregates.handle(
      decider,
      id,
      command,
      contextOf(isNew ? first : derivedId(first, at), at),
    );
    if (events.length === 0) return;
    if (isNew) added += 1;
    else changed += 1;
  };
  await concurrentEach(read, AT_ONCE, async (details) => {
    try {
      await storeOne(details);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      left.push(`the ${noun} ${details.name} (${details.sourceId}): ${error.message}`);
    }
    run.stored += 1;
  });
  return { added, changed, left };
};

/**
 * Stores a map. What people have set, such as schedules, stays. Safe to repeat: what was interrupted continues.
 * @throws ImportInterrupted when the store fails in between
 */
export const importMap = async (
  deps: Pick<CoreDeps, 'aggregates'>,
  map: Pick<Imported, 'lifts' | 'slopes'>,
  { at, timezone }: { readonly at: string; readonly timezone: string },
): Promise<{ readonly lifts: Stored; readonly slopes: Stored }> => {
  const run: Run = { deps, at, timezone, all: map.lifts.length + map.slopes.length, stored: 0 };
  try {
    return {
      lifts: await store(run, lifts, map.lifts, { schedule: null }),
      slopes: await store(run, slopes, map.slopes, { schedule: null, groomedAt: null }),
    };
  } catch (error) {
    throw new ImportInterrupted(run.stored, run.all, error);
  }
};
