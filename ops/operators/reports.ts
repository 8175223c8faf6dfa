/**
 * What every process tells in the database: that it runs, and what concerns it. One of them, which has the row in
 * `ops.operators_told`, reads all reports and tells operators.
 */
import { isClaimed } from '../../infra/claims.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool } from '../../infra/postgres.ts';
import { type AlertName, alertOf } from '../alerts/alerts.ts';
import type { Concern } from '../alerts/seen.ts';
import { EMPTY, type Known, type Memory } from './decide.ts';

export const operatorMigrations = migrations('operators', {
  '0001_reports_and_what_was_told': `
    create table ops.process_reports (
      process text primary key,
      roles text not null,
      seen_at timestamptz not null,
      concerns jsonb not null,
      -- of what it has told operators while it could not reach this table
      told jsonb not null
    );
    create table ops.operators_told (
      id integer primary key check (id = 1),
      told_by text not null,
      held_until timestamptz not null,
      memory jsonb not null
    );
  `,
  personalData: {
    'ops.process_reports': { nothing: 'names of processes, and what is wrong with them' },
    'ops.operators_told': { nothing: 'what operators were told is wrong, and when' },
  },
});

/** A process that has not reported for so long does not run, or does not answer. */
const SILENT = `interval '60 seconds'`;
const HELD_FOR = `interval '60 seconds'`;
/** Nobody will start it again. */
const FORGOTTEN = `interval '7 days'`;

/** Processes of another release may know other alerts. */
const ofThisRelease = <T extends { readonly alert: AlertName }>(concerns: readonly T[] = []): T[] =>
  concerns.filter(({ alert }) => alertOf(alert) !== undefined);

export interface Report {
  readonly process: string;
  readonly roles: string;
  readonly concerns: readonly Concern[];
  readonly told: readonly Known[];
}

export const report = async (pool: Pool, { process, roles, concerns, told }: Report): Promise<void> => {
  await pool.query(
    `insert into ops.process_reports (process, roles, seen_at, concerns, told)
     values ($1, $2, clock_timestamp(), $3, $4)
     on conflict (process) do update set seen_at = clock_timestamp(), concerns = $3, told = $4`,
    [process, roles, JSON.stringify(concerns), JSON.stringify(told)],
  );
};

interface Held {
  readonly memory: Memory;
  /** Nobody else has told operators since this process last held it. */
  readonly isStillOurs: boolean;
}

/** @returns what operators were told; undefined: another process tells them */
export const holdMemory = async (pool: Pool, process: string): Promise<Held | undefined> => {
  const { rows } = await pool.query<{ memory: Partial<Memory>; is_still_ours: boolean }>(
    `with former as (select told_by from ops.operators_told)
     insert into ops.operators_told as told (id, told_by, held_until, memory)
     values (1, $1, clock_timestamp() + ${HELD_FOR}, '{}')
     on conflict (id) do update set told_by = $1, held_until = clock_timestamp() + ${HELD_FOR}
     where told.told_by = $1 or not ${isClaimed('told.held_until', HELD_FOR)}
     returning memory, coalesce((select told_by from former) = $1, false) as is_still_ours`,
    [process],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const memory = { ...EMPTY, ...row.memory, known: ofThisRelease(row.memory.known) };
  return { memory, isStillOurs: row.is_still_ours };
};

export const keepMemory = async (pool: Pool, process: string, memory: Memory): Promise<void> => {
  await pool.query('update ops.operators_told set memory = $2 where told_by = $1', [process, JSON.stringify(memory)]);
};

/** What operators were told, for the command line. */
export const readMemory = async (pool: Pool): Promise<Memory> => {
  const { rows } = await pool.query<{ memory: Partial<Memory> }>('select memory from ops.operators_told');
  return { ...EMPTY, ...rows[0]?.memory };
};

const worst = (concerns: readonly Concern[]): Concern[] => {
  const found = new Map<string, Concern>();
  for (const one of concerns) {
    const key = `${one.alert} ${one.about}`;
    const other = found.get(key);
    if (other === undefined || other.value < one.value) found.set(key, one);
  }
  return [...found.values()];
};

/**
 * What concerns any process, and roles that no process has any more although none of them was stopped.
 * @param reader what its own report says it has told is left out: it knows better
 */
export const readReports = async (
  pool: Pool,
  reader: string,
): Promise<{ readonly concerns: readonly Concern[]; readonly told: readonly Known[] }> => {
  const { rows } = await pool.query<Report & { readonly is_silent: boolean }>(
    `with forgotten as (
       delete from ops.process_reports as one where seen_at < clock_timestamp() - ${SILENT} and (
         seen_at < clock_timestamp() - ${FORGOTTEN} or exists (
           select 1 from ops.process_reports as other
           where other.roles = one.roles and other.seen_at >= clock_timestamp() - ${SILENT}))
       returning process
     )
     select process, roles, concerns, told, seen_at < clock_timestamp() - ${SILENT} as is_silent from ops.process_reports
     where process not in (select process from forgotten)`,
  );
  const silent = rows.filter((row) => row.is_silent);
  const down = silent.map(({ roles }): Concern => ({ alert: 'ProcessDown', about: roles, value: 1 }));
  const told = rows.filter(({ process }) => process !== reader).flatMap((row) => ofThisRelease(row.told));
  const reported = rows.filter((row) => !row.is_silent).flatMap(({ concerns }) => ofThisRelease(concerns));
  return { concerns: worst([...reported, ...down]), told };
};

/** For a process that is stopped on purpose: it is not missed, and another one tells operators at once. */
export const leave = async (pool: Pool, process: string): Promise<void> => {
  await pool.query('delete from ops.process_reports where process = $1', [process]);
  await pool.query(`update ops.operators_told set held_until = '-infinity' where told_by = $1`, [process]);
};
