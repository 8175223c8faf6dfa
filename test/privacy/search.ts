/** Where marks are looked for: tables of the database, files of the system, and read operations. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { splitStream } from '../../domain/core/decider.ts';
import { allEvents } from '../../domain/modules.ts';
import { personalFields, replaceAt } from '../../eventstore/personalPaths.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { Pool } from '../../infra/postgres.ts';
import { READS } from './everyRead.ts';
import type { Marks } from './marks.ts';
import { nounOf, type Writer } from './writer.ts';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the sandbox shows instead of sending it is apart: in a real system it has left. */
const APART = 'ops.sandbox_messages';

/** Every table of every schema, also what PostgreSQL remembers of the values for its planner. */
const SEARCHED = `
  select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'p', 'm') and not relispartition and nspname !~ '^pg_' and nspname <> 'information_schema'
  union all select 'pg_catalog.pg_stats'`;

/** @returns each table with the places where its marks were written */
export const markedTables = async (pool: Pool, { forms, foundIn }: Marks): Promise<string[]> => {
  const pattern = forms.map(escaped).join('|');
  const tables = await pool.query<{ name: string }>(SEARCHED);
  const names = tables.rows.map(({ name }) => name).filter((name) => name !== APART);
  const found: string[] = [];
  await concurrentEach(names, 4, async (name) => {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t where t::text ~ $1`, [
      pattern,
    ]);
    for (const place of new Set(rows.flatMap(({ row }) => foundIn(row)))) found.push(`${name}: ${place}`);
  });
  return found.toSorted();
};

/** Leaves in PostgreSQL's files what its tables have, and nothing of what they had. */
export const vacuum = async (pool: Pool): Promise<void> => {
  await pool.query(`delete from ${APART}`);
  await pool.query('vacuum (full, analyze)');
  await pool.query('checkpoint');
};

const CHUNK = 4 * 1024 * 1024;
const LONGEST_FORM = 200;

/** PostgreSQL's own log keeps former bytes for a while: `docs/privacy.md` says how long. */
const isApart = (name: string): boolean => /(^|\/)pg_wal\//.test(name);

/** Files below a directory that have a mark: those written since, and those that a process maps into its memory. @param since in milliseconds since 1970 */
export const markedFiles = async (directory: string, { forms, bytes }: Marks, since: number): Promise<string[]> => {
  const searched = [...forms.map((form) => Buffer.from(form)), ...bytes];
  const found: string[] = [];
  await concurrentEach(await readdir(directory, { recursive: true }), 8, async (name) => {
    const file = path.join(directory, name);
    const isSearched = await stat(file).then(
      (it) => it.isFile() && (it.mtimeMs >= since || name.endsWith('.mdb')),
      () => false,
    );
    if (!isSearched || isApart(name)) return;
    let before: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
      const part = Buffer.concat([before, chunk]);
      const form = searched.find((each) => part.includes(each));
      if (form) return void found.push(`${name}: ${form}`);
      before = part.subarray(-LONGEST_FORM);
    }
  });
  return found;
};

/** Operations whose ids come from elsewhere than their own paths say. */
const IDS_OF: Readonly<Record<string, readonly string[]>> = {
  messages: ['messages', 'p2p-chats', 'chats', 'tickets'],
  chats: ['chats', 'p2p-chats', 'tickets'],
  'p2p-chats': ['chats', 'p2p-chats', 'tickets'],
  forums: ['topics'],
  'trip-booking': ['aggregate'],
};

/** The paths of an operation, with every id that they may name, else with those of the people. */
export const pathsOf = (at: string, { ids }: Writer): string[] => {
  if (!at.includes(':')) return [at];
  const noun = nounOf(at);
  const known = (IDS_OF[noun] ?? [noun]).flatMap((each) => [...(ids.get(each) ?? [])]);
  return (known.length > 0 ? known : [...(ids.get('accounts') ?? [])]).map((id) => at.replaceAll(/:\w+/g, id));
};

/** What can be asked for: each read operation, with every id that its path may name, else with those of the people. */
export const readsOf = (writer: Writer): string[] =>
  READS.flatMap(({ path: at, spec }) =>
    pathsOf(at, writer).map((each) => (spec.query?.properties.per_page ? `${each}?per_page=100` : each)),
  );

/** The history of everything that was written, and its state, as auditors read it. */
export const auditsOf = async (pool: Pool, { ids }: Writer): Promise<string[]> => {
  const all = [...ids.values()].flatMap((some) => [...some]);
  const { rows } = await pool.query<{ stream: string }>(
    'select distinct stream from read.audit_events where stream ~ $1',
    [all.join('|')],
  );
  return rows.flatMap(({ stream }) => [`/api/v1/audit/streams/${stream}`, `/api/v1/audit/streams/${stream}/state`]);
};

/** An event as auditors read it. */
interface Audited {
  readonly type: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Account → what the log has of theirs, as JSON: each personal value with a mark. @param reader who may see it */
export const markedInLog = async (
  { call, marks }: Writer,
  reader: { readonly token: string; readonly headers: Readonly<Record<string, string>> },
  reads: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const found = new Map<string, Set<string>>();
  await concurrentEach(reads, 8, async (at) => {
    const { body } = await call(`GET ${at}`, reader);
    for (const { type, stream, data } of (body.data ?? []) as readonly Audited[]) {
      const declared = allEvents[type];
      if (!declared) continue;
      const person = declared.person === 'stream' ? splitStream(stream)[1] : String(data[declared.person ?? '']);
      for (const { path: field } of personalFields(type, declared))
        replaceAt(data, field, (value) => {
          const text = JSON.stringify(value);
          if (marks.foundIn(text).length > 0) found.set(person, (found.get(person) ?? new Set()).add(text));
          return value;
        });
    }
  });
  return found;
};
