// A process of a pool in tests. With a second argument it is the process that has the pool instead, and is killed.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveJobs } from '../../dist/infra/jobProcess.js';
import { createProcessPool } from '../../dist/infra/processPool.js';

const jobs = {
  echo: ({ value }) => value,
  environment: () => Object.keys(process.env),
  fail: () => {
    throw new Error('a bug');
  },
  crash: () => process.abort(),
  sleep: () => new Promise(() => setInterval(() => undefined, 1_000)),
  spin: () => {
    for (;;);
  },
  fill: () => {
    const held = [];
    for (;;) held.push(Buffer.alloc(8 * 1024 * 1024, 1));
  },
  write: ({ path }) => {
    for (let size = 1_000; ; size *= 2) writeFileSync(path, Buffer.alloc(Math.min(size, 4_000_000)));
  },
};

if (process.argv[2] === 'parent') {
  const limits = { wallMs: 600_000, cpuMs: 600_000, memoryBytes: 1e9, outputBytes: 1e9 };
  const pool = createProcessPool({ entry: fileURLToPath(import.meta.url), places: 2, limits, log: console });
  void pool.run('anna', { do: 'spin' }, []);
  process.send(pool.pids());
} else serveJobs(async (job) => jobs[job.do](job));
