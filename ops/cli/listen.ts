/** `npm run listen`: follows realtime channels and prints one JSON line per frame, across reconnects and restarts. */
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { Dismissed, follow } from '../../realtime/hub/client.ts';

interface Options {
  readonly url: string;
  readonly channel: readonly string[];
  readonly token?: string;
}

/** Arguments are visible to every user of the machine, so the token can also come from standard input or a variable. */
const tokenOf = async ({ token }: Options): Promise<string> => {
  if (token === '-') return (await text(process.stdin)).trim();
  if (token !== undefined)
    process.stderr.write(
      '--token can be seen in the list of processes: prefer TOKEN=… or --token - (standard input)\n',
    );
  const found = token ?? process.env.TOKEN;
  if (!found) throw new Dismissed('no access token: set TOKEN, or pass --token - and write it to standard input');
  return found;
};

const run = async (options: Options): Promise<void> => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const token = await tokenOf(options);
  await follow({
    url: options.url,
    token: () => token,
    channels: options.channel,
    onFrame: (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`),
    signal: stopping.signal,
  });
};

export const listenCommand = new Command('listen')
  .description('Print the frames of realtime channels, one JSON line each; resume after a lost connection')
  .requiredOption('-c, --channel <name...>', 'realtime:user_<id>, provider_<id>, …')
  .option('-u, --url <address>', 'address of the hub', 'ws://localhost:8081/ws')
  .option('-t, --token <token>', 'access token; `-` reads it from standard input; unset: the variable TOKEN')
  .action(run);
