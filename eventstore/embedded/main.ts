/**
 * Process entry of the embedded event node: `npm run eventstore -- [--dir DIR] [--port N]`. Prints one line, its
 * connection string, when it is ready, and sends the same as `{ ready }` when it was forked. With `--with-parent` it
 * ends together with the process that forked it.
 */
import { parseArgs } from 'node:util';
import { runNode } from './node.ts';

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

const readArguments = (): { directory: string; port: number; withParent: boolean } => {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', default: '.data/eventstore' },
      port: { type: 'string', default: '2113' },
      'with-parent': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${values.port} is not a port`);
  if (values['with-parent'] && !process.connected) throw new Error('--with-parent is for a process that was forked');
  return { directory: values.dir, port, withParent: values['with-parent'] };
};

const main = async (): Promise<void> => {
  const { directory, port, withParent } = readArguments();
  const node = await runNode(directory, port, complain, fail);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    node.stop().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', stop);
  // Ctrl-C reaches all processes of the group at once. A parent finishes its writes first and then stops this process.
  process.on('SIGINT', withParent ? () => undefined : stop);
  if (withParent) process.once('disconnect', stop);
  process.stdout.write(`${node.connectionString}\n`);
  process.send?.({ ready: node.connectionString });
};

main().catch(fail);
