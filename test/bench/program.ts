/** Programs of the benchmarks in processes of their own: load generators, peers, and our own parts by themselves. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A running program. It is told what to do in messages, and answers each with one. */
export interface Program {
  readonly pid: number;
  /** @throws Error with what the program says went wrong */
  ask<Answer>(message: object): Promise<Answer>;
  stop(): Promise<void>;
}

type Reply = { readonly answer: unknown } | { readonly failed: string };

const ended = async (child: ChildProcess): Promise<never> => {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new Error(`a program of the benchmark ended with ${signal ?? code}`);
};

/**
 * Starts `peers/koa` and so on, with these flags of Node. It gets `options` as its first message, and has answered it when
 * this resolves.
 */
export const startProgram = async (name: string, options: object, flags: readonly string[] = []): Promise<Program> => {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const child = fork(file, [], {
    stdio: ['ignore', 2, 'inherit', 'ipc'],
    execArgv: ['--enable-source-maps', ...flags],
  });
  const exited = ended(child);
  exited.catch(() => undefined);
  const ask = async <Answer>(message: object): Promise<Answer> => {
    const answered = once(child, 'message') as Promise<[Reply]>;
    child.send(message);
    const [reply] = await Promise.race([answered, exited]);
    if ('failed' in reply) throw new Error(`${name}: ${reply.failed}`);
    return reply.answer as Answer;
  };
  await ask(options);
  return {
    pid: child.pid ?? 0,
    ask,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await exited.catch(() => undefined);
    },
  };
};

/** The other side: answers messages one after the other, the first with `start`. Ends with its parent. */
export const serveProgram = <Options, Message>(
  start: (options: Options) => Promise<(message: Message) => Promise<unknown>>,
): void => {
  let handle: ((message: Message) => Promise<unknown>) | undefined;
  const answer = async (message: unknown): Promise<unknown> => {
    if (handle) return handle(message as Message);
    handle = await start(message as Options);
    return undefined;
  };
  process.on('message', (message) => {
    answer(message).then(
      (value) => process.send?.({ answer: value }),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
};

/** Works `atOnce` times side by side until the time is over or the work says `done`; counts what was done. */
export const repeat = async (
  seconds: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<{ operations: number; seconds: number }> => {
  const begun = performance.now();
  const until = begun + seconds * 1_000;
  let operations = 0;
  const worker = async () => {
    while (performance.now() < until) {
      if ((await work(operations)) === 'done') return;
      operations += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { operations, seconds: (performance.now() - begun) / 1_000 };
};
