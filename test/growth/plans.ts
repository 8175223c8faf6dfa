/** What requests cost PostgreSQL, by its own account: `auto_explain` tells each connection what its statements did. */
import pg from 'pg';
import type { Pool } from '../../infra/postgres.ts';

/** A node of a plan that was carried out. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface Cost {
  readonly statements: number;
  /** Blocks of 8 KB that were touched. */
  readonly blocks: number;
  /** Rows that were read, whether they were of use or not. */
  readonly rows: number;
  /** What was read of which table, by which index; the largest first. */
  readonly reads: ReadonlyMap<string, number>;
}

/** Every connection to the database from now on explains its statements, and avoids to read whole tables, as it would large ones. */
export const explainStatements = async (pool: Pool, database: string): Promise<void> => {
  const settings = {
    session_preload_libraries: "'auto_explain'",
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': "'json'",
    'auto_explain.log_level': "'notice'",
    enable_seqscan: 'off',
  };
  for (const [name, value] of Object.entries(settings))
    await pool.query(`alter database ${pg.escapeIdentifier(database)} set ${name} = ${value}`);
};

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)) *
  node['Actual Loops'];

const blocksOf = (node: PlanNode): number => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);

interface Read {
  blocks: number;
  rows: number;
  readonly reads: Map<string, number>;
}

/** The rows of a list that are counted up to a bound: what was read beside them would be read of a longer list, too. */
const isBoundedCount = (node: PlanNode, parents: readonly PlanNode[]): boolean =>
  node['Node Type'] === 'Limit' &&
  parents.findLast((each) => each['Node Type'] !== 'Subquery Scan')?.['Node Type'] === 'Aggregate';

const passed = (node: PlanNode): number =>
  rowsOf(node) -
  node['Actual Rows'] * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, each) => sum + passed(each), 0);

const countReads = (node: PlanNode, read: Read, parents: readonly PlanNode[] = []): void => {
  if (isBoundedCount(node, parents) && passed(node) === 0) {
    read.blocks -= blocksOf(node);
    return;
  }
  read.rows += rowsOf(node);
  const name = node['Relation Name'];
  if (name !== undefined) {
    const what = `${name} by ${node['Index Name'] ?? node['Node Type']}`;
    read.reads.set(what, (read.reads.get(what) ?? 0) + rowsOf(node));
  }
  for (const each of node.Plans ?? []) countReads(each, read, [...parents, node]);
};

const costOf = (heard: readonly PlanNode[]): Cost => {
  const read: Read = { blocks: 0, rows: 0, reads: new Map() };
  for (const plan of heard) {
    read.blocks += blocksOf(plan);
    countReads(plan, read);
  }
  return {
    ...read,
    statements: heard.length,
    reads: new Map([...read.reads].toSorted(([, a], [, b]) => b - a)),
  };
};

const nameOf = (client: pg.Client): string =>
  (client as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
    .application_name ?? '';

/** Hears what the statements of this process did, on all connections that are opened from now on. */
export const hearPlans = () => {
  let heard: { readonly connection: string; readonly plan: PlanNode }[] = [];
  const connect = pg.Client.prototype.connect as (...args: unknown[]) => unknown;
  pg.Client.prototype.connect = function (this: pg.Client, ...args: unknown[]) {
    const connection = nameOf(this);
    this.on('notice', ({ message = '' }) => {
      const plan = message.slice(message.indexOf('{'));
      if (message.includes('plan:')) heard.push({ connection, plan: (JSON.parse(plan) as { Plan: PlanNode }).Plan });
    });
    return connect.apply(this, args);
  } as typeof pg.Client.prototype.connect;
  /** What was heard since the last call, of connections with such a name. */
  const costs = (...names: readonly RegExp[]): Cost[] => {
    const all = heard;
    heard = [];
    return names.map((name) => costOf(all.filter(({ connection }) => name.test(connection)).map(({ plan }) => plan)));
  };
  return {
    costs,
    /** What was heard since the last call. */
    cost: (): Cost => costs(/^/)[0] as Cost,
    end: () => {
      pg.Client.prototype.connect = connect as typeof pg.Client.prototype.connect;
    },
  };
};
export type Plans = ReturnType<typeof hearPlans>;
