/** `npm run listen`: follows realtime channels and prints one JSON line per frame, across reconnects and restarts. */
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { WebSocket } from 'ws';
import { createClient, type Frame, SubscriptionEnded } from '../../client/index.ts';
import { CommandFailed } from './failed.ts';

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
  if (!found) throw new CommandFailed('no access token: set TOKEN, or pass --token - and write it to standard input');
  return found;
};

/** What channels are followed with. */
export interface Following {
  /** Of the hub: `ws://host:port/ws`. */
  readonly url: string;
  readonly token: () => string;
  readonly channels: readonly string[];
  readonly onFrame: (frame: Frame) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Follows channels, across lost connections, until `signal` fires. @throws SubscriptionEnded when one ends before */
export const followChannels = ({ url, token, channels, onFrame, signal }: Following): Promise<void> =>
  new Promise((resolve, reject) => {
    const client = createClient({ baseUrl: url.replace(/^ws/, 'http'), liveUrl: url, token, WebSocket, onFrame });
    const stop = () => {
      client.close();
      resolve();
    };
    const onEnd = (reason: SubscriptionEnded) => {
      client.close();
      reject(reason);
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    for (const channel of channels) client.live.subscribe(channel, { onEnd });
  });

const run = async (options: Options): Promise<void> => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const token = await tokenOf(options);
  const onFrame = (frame: Frame): void => {
    if (frame.type !== 'pong') process.stdout.write(`${JSON.stringify(frame)}\n`);
  };
  const following = followChannels({
    url: options.url,
    token: () => token,
    channels: options.channel,
    onFrame,
    signal: stopping.signal,
  });
  await following.catch((error: unknown) => {
    throw error instanceof SubscriptionEnded ? new CommandFailed(error.message) : error;
  });
};

export const listenCommand = new Command('listen')
  .description('Print the frames of realtime channels, one JSON line each; resume after a lost connection')
  .requiredOption('-c, --channel <name...>', 'realtime:user_<id>, provider_<id>, …')
  .option('-u, --url <address>', 'address of the hub', 'ws://localhost:8081/ws')
  .option('-t, --token <token>', 'access token; `-` reads it from standard input; unset: the variable TOKEN')
  .action(run);
