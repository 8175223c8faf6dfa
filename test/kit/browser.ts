/** A real browser without a window, whose page does what the test says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { WAIT_MS } from './until.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of Chromium, if it is installed. */
export const findChromium = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

/** Takes one piece of code after the other from the server of the test, and answers what comes of it. */
const page = (imports: string): string => `<!doctype html><title>test</title><script type="module">
${imports}
const run = async (code) => {
  try {
    return { value: await (0, eval)('(async () => {' + code + '})()') };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
};
for (;;) {
  const { code } = await (await fetch('/next')).json();
  await fetch('/answer', { method: 'POST', body: JSON.stringify(await run(code)) });
}
</script>`;

export interface Browser {
  /** Runs the body of an async function in the page. @throws what it throws there */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  run(code: string): Promise<any>;
  stop(): Promise<void>;
}

export interface BrowserOptions {
  readonly chromium: string;
  /** The folder whose JavaScript files the page can load. */
  readonly folder: string;
  /** The beginning of the page's module. */
  readonly imports: string;
  /** Further flags of Chromium. */
  readonly flags?: readonly string[];
}

export const startBrowser = async ({
  chromium,
  folder,
  imports,
  flags: more = [],
}: BrowserOptions): Promise<Browser> => {
  let onNext: ((response: ServerResponse) => void) | undefined;
  let waiting: ServerResponse | undefined;
  let onAnswer: ((answer: { value?: unknown; error?: string }) => void) | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html');
      response.end(page(imports));
    } else if (pathname === '/next') {
      if (onNext) onNext(response);
      else waiting = response;
    } else if (pathname === '/answer') {
      onAnswer?.(JSON.parse(await text(request)));
      response.end('{}');
    } else {
      response.setHeader('content-type', 'text/javascript');
      response.end(await readFile(path.join(folder, path.normalize(pathname))));
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      response.statusCode = 404;
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const profile = await mkdtemp(path.join(tmpdir(), 'resort-browser-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const child: ChildProcess = spawn(
    chromium,
    [...flags, ...more, '--remote-debugging-port=0', `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`],
    { stdio: 'ignore' },
  );

  const nextRequest = (): Promise<ServerResponse> =>
    new Promise((resolve) => {
      if (waiting) resolve(waiting);
      else onNext = resolve;
      waiting = undefined;
    });
  const runOnce = async (code: string): Promise<unknown> => {
    const response = await nextRequest();
    onNext = undefined;
    const answered = new Promise<{ value?: unknown; error?: string }>((resolve) => {
      onAnswer = resolve;
    });
    response.end(JSON.stringify({ code }));
    const { value, error } = await answered;
    if (error !== undefined) throw new Error(error);
    return value;
  };
  return {
    run: async (code) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`the browser did not answer: ${code}`)), WAIT_MS);
      });
      return Promise.race([runOnce(code), late]).finally(() => clearTimeout(timer));
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      server.closeAllConnections();
      await once(server.close(), 'close');
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
};
