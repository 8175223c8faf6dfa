/** The durable tables as their migrations create them. */
import { allMigrations } from '../../ops/tables.ts';

const NO_COLUMN = /^(primary|unique|check|foreign|constraint|exclude)$/;

/** The items of a list in SQL, such as the columns of a table: commas in parentheses do not part them. */
const itemsOf = (text: string): string[] => {
  let depth = 0;
  let items = '';
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth < 0) break;
    items += letter === ',' && depth === 0 ? '\n' : letter === '\n' ? ' ' : letter;
  }
  return items.split('\n');
};

/** Table (`ops.sessions`) → its columns, also those that later steps added. */
export const columnsOfTables = (): ReadonlyMap<string, readonly string[]> => {
  const steps = allMigrations.flatMap(({ steps }) => Object.entries(steps)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const ddl = steps.map(([, text]) => text.replaceAll(/--[^\n]*/g, '')).join('\n');
  const columns = new Map<string, readonly string[]>();
  for (const { 0: head, 1: table = '', index } of ddl.matchAll(/create (?:unlogged )?table (ops\.\w+) \(/g)) {
    const words = itemsOf(ddl.slice(index + head.length)).map((item) => item.trim().split(/\s/)[0] ?? '');
    columns.set(
      table,
      words.filter((word) => word !== '' && !NO_COLUMN.test(word)),
    );
  }
  for (const [, table = '', text = ''] of ddl.matchAll(/alter table (ops\.\w+) ([^;]+)/g)) {
    const added = [...text.matchAll(/add column (\w+)/g)].map(([, name = '']) => name);
    columns.set(table, [...(columns.get(table) ?? []), ...added]);
  }
  for (const [, table = ''] of ddl.matchAll(/drop table (ops\.\w+)/g)) columns.delete(table);
  return columns;
};
