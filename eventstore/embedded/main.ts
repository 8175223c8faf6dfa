/**
 * Process entry of the embedded event node: `npm run eventstore -- [--dir DIR] [--port N] [--health-port N]
 * [--open] [--like-server] [--<trait>]…`. Prints one line, its connection string, when it is ready, and sends the same as
 * `{ ready }` when it was forked. With `--with-parent` it ends together with the process that forked it.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FolderInUse } from '../../infra/fileLock.ts';
import { endWithNpm } from '../../infra/npm.ts';
import { runNode } from './node.ts';
import { ALL_TRAITS, LIKE_SERVER, TRAITS, type Trait } from './traits.ts';

/** How long a node without its parent may take to answer what it has accepted; the parent would not wait longer. */
const ORPHAN_MS = 5_000;

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
};

const complain = (error: unknown): void => {
  process.stderr.write(`event node: ${describe(error)}\n`);
};

/** The log may lack what was decided in memory, so the node must not answer any more. */
const fail = (error: unknown): never => {
  complain(error);
  process.exit(1);
};

/** A parent says it in its own words. */
const failToStart = (error: unknown): void => {
  if (!process.send) fail(error);
  const inUse = error instanceof FolderInUse;
  process.send?.({ failed: describe(error), inUse }, () => process.exit(1));
};

const USAGE = `npm run eventstore -- [flags]

  --dir DIR           folder of the log (default: eventstore in DATA_DIR, else .data/eventstore)
  --port N            port on 127.0.0.1, 0 for a free one (default: EVENTSTORE_PORT, else 2113)
  --health-port N     port of GET /health/live, 0 for none (default: EVENTSTORE_HEALTH_PORT, else 0)
  --open              let every local user in, without the key of the connection string
  --like-server       all of the following except system-events
${ALL_TRAITS.map((trait) => `  --${trait.padEnd(17)} ${TRAITS[trait]}`).join('\n')}
`;

interface Arguments {
  readonly directory: string;
  readonly port: number;
  readonly healthPort: number | undefined;
  readonly withParent: boolean;
  readonly isOpen: boolean;
  readonly traits: readonly Trait[];
}

const portFrom = (text: string, name: string): number => {
  const port = Number(text);
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${name} ${text} is not a port`);
  return port;
};

/** A flag counts more than its setting; an empty setting counts as unset. */
const portOf = (flag: string | undefined, name: string, setting: string, fallback: string): number =>
  flag === undefined ? portFrom(process.env[setting] || fallback, setting) : portFrom(flag, name);

const readArguments = (): Arguments | 'help' => {
  const flags = ['help', 'with-parent', 'open', 'like-server', ...ALL_TRAITS];
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const, default: false }])),
      dir: { type: 'string' },
      port: { type: 'string' },
      'health-port': { type: 'string' },
    },
  });
  const given = values as Partial<Record<string, boolean>>;
  if (given.help) return 'help';
  const withParent = given['with-parent'] === true;
  if (withParent && !process.connected) throw new Error('--with-parent is for a process that was forked');
  return {
    directory: values.dir ?? join(process.env.DATA_DIR || '.data', 'eventstore'),
    port: portOf(values.port, '--port', 'EVENTSTORE_PORT', '2113'),
    healthPort: portOf(values['health-port'], '--health-port', 'EVENTSTORE_HEALTH_PORT', '0') || undefined,
    withParent,
    isOpen: given.open === true,
    traits: ALL_TRAITS.filter((trait) => given[trait] || (given['like-server'] && LIKE_SERVER.includes(trait))),
  };
};

/** Whatever the node writes is for its owner only. */
process.umask(0o077);

const main = async (): Promise<void> => {
  const read = readArguments();
  if (read === 'help') return void process.stdout.write(USAGE);
  const { directory, port, withParent, ...options } = read;
  const node = await runNode(directory, port, complain, fail, options);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    node.stop().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', stop);
  // Ctrl-C and the end of a terminal reach all processes of the group at once. A parent finishes its writes first and then
  // stops this process.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, withParent ? () => undefined : stop);
  const orphaned = (): void => {
    setTimeout(() => process.exit(1), ORPHAN_MS).unref();
    stop();
  };
  if (withParent) process.once('disconnect', orphaned);
  else endWithNpm();
  // The parent may have ended before this process listened.
  if (withParent && !process.connected) return orphaned();
  process.stdout.write(`${node.connectionString}\n`);
  process.send?.({ ready: node.connectionString });
};

main().catch(failToStart);
