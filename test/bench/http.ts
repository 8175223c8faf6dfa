/** Requests under load as a contender. */
import type { Processes } from './cpu.ts';
import type { LoadOptions, Request } from './load.ts';
import { type Program, startProgram } from './program.ts';
import type { Contender, Counts, Work } from './rounds.ts';

const CONNECTIONS = 64;

export interface Served {
  readonly name: string;
  readonly isPeer?: boolean;
  readonly processes: () => Processes;
  readonly counts?: () => Promise<Counts>;
  readonly ready?: () => Promise<void>;
  /** `connections`: 64 unless given. */
  readonly load: Omit<LoadOptions, 'connections'> & Partial<Pick<LoadOptions, 'connections'>>;
}

/** Runs `work` with contenders that send these requests, and ends their load generators. */
export const withLoad = async <T>(
  served: readonly Served[],
  work: (contenders: Contender[]) => Promise<T>,
): Promise<T> => {
  const generators: Program[] = [];
  try {
    const contenders: Contender[] = [];
    for (const { load, ...contender } of served) {
      const generator = await startProgram('load', { connections: CONNECTIONS, ...load });
      generators.push(generator);
      const run = (seconds: number) => generator.ask<Work>({ seconds });
      contenders.push({ ...contender, run });
    }
    return await work(contenders);
  } finally {
    for (const generator of generators) await generator.stop();
  }
};

/** Counts so many items for each request. */
export const counting = (items: number, { run, ...contender }: Contender): Contender => ({
  ...contender,
  run: async (seconds) => {
    const work = await run(seconds);
    return { ...work, operations: work.operations * items };
  },
});

/** The answer to one request, which every answer under load must equal. */
export const answerTo = async (url: string, { line, headers = {}, body }: Request): Promise<string> => {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${line} answers ${response.status}: ${text}`);
  return text;
};

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
