/** What is held about one person, section by section, read in one snapshot of the database. */
import { type TObject, Type } from '@sinclair/typebox';
import type { Migrations } from './migrations.ts';
import { tablesAboutPeople } from './personalData.ts';
import type { Pool, PoolClient } from './postgres.ts';

/**
 * Rows about a person: of a read model, of a durable table, what others have sent them, or what the log says.
 * @typeParam Log how the event log is read
 */
export interface ExportSection<Log = never> {
  readonly name: string;
  /** A query whose `$1` is the id of the person. */
  readonly text: string;
  /** What the person sees of a row. */
  show(row: object): object;
  /** Shows some rows with what only the log says of them, in the same order. Without it, the rows as they are. */
  fromLog?(rows: readonly object[], person: string, log: Log): Promise<readonly object[]>;
  /** The shape of what `show` returns, for the documentation of the export. */
  readonly schema: TObject;
}

/** Of a section, in memory of this process: however many there are, and however slowly they are taken. */
export const ROWS_AT_ONCE = 100;
/** Whoever reads too slowly gets no more: the snapshot keeps the database from cleaning up. */
const SLOWEST_READ_S = 60;

/** Whose rows are read, and the log that they are read from. */
interface Asked<Log> {
  readonly person: string;
  readonly log: Log;
}

const rowsOf = async function* <Log>(
  client: PoolClient,
  section: ExportSection<Log>,
  { person, log }: Asked<Log>,
): AsyncGenerator<object> {
  await client.query(`declare held no scroll cursor for ${section.text}`, [person]);
  for (let read = ROWS_AT_ONCE; read === ROWS_AT_ONCE; ) {
    const { rows } = await client.query<object>(`fetch ${ROWS_AT_ONCE} from held`);
    for (const row of (await section.fromLog?.(rows, person, log)) ?? rows) yield section.show(row);
    read = rows.length;
  }
  await client.query('close held');
};

/** The rows of all sections, some at a time, as they were at one instant. The rows of a section are read before the next. */
export const readSections = async function* <Log>(
  pool: Pool,
  sections: readonly ExportSection<Log>[],
  asked: Asked<Log>,
): AsyncGenerator<{ readonly name: string; readonly rows: AsyncGenerator<object> }> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(
      `begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '${SLOWEST_READ_S}s'`,
    );
    for (const section of sections) yield { name: section.name, rows: rowsOf(client, section, asked) };
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
};

/** What the person may see of their rows in the durable tables, each section named after its table. */
export const tableSections = (declared: readonly Migrations[]): ExportSection[] =>
  tablesAboutPeople(declared).flatMap(([name, { whose, exported }]) =>
    exported.length === 0
      ? []
      : [
          {
            name,
            text: `select ${exported.join(', ')} from ${name} where ${whose} = $1`,
            show: (row) => row,
            schema: Type.Object(Object.fromEntries(exported.map((column) => [column, Type.Unknown()]))),
          },
        ],
  );
