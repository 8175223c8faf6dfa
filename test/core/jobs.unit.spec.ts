/** What a job gets to work with. */
import { expect, it } from 'vitest';
import { runJob } from '../../commands/core/jobRunner.ts';
import { defineJob } from '../../commands/core/jobs.ts';

it('commands under an id of its own each time it is claimed, also when it was set again for the same time', async () => {
  const commands: string[] = [];
  const job = defineJob('test_job', async (_, { context }) => {
    commands.push(context.commandId);
    return undefined;
  });
  const deps = { now: () => '2026-03-01T00:00:00Z', pool: { query: async () => ({ rows: [] }) } } as never;
  const claimed = {
    kind: 'test_job',
    id: '1',
    due_at: '2026-03-01T00:00:00Z',
    data: {},
    correlation_id: 'c',
    attempts: 1,
  };
  for (const claim of ['one', 'another'])
    await runJob(deps, new Map([[job.kind, job as never]]), { ...claimed, claim });
  expect(new Set(commands).size).toBe(2);
});
