/** What a person is answered whose erasure has begun, and when. */
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { erasureRoute } from '../../api/privacy/erasure.ts';

const person = randomUUID();
const input = { query: {}, caller: { kind: 'user', id: person }, context: { at: new Date().toISOString() } };
const appWhere = (erase: App['erase'], certificates: readonly object[] = []) =>
  ({
    vault: { fingerprint: (kind: string, id: string) => `${kind} ${id}` },
    aggregates: { load: async () => ({ state: { status: 'none' } }) },
    settings: { erasureGraceDays: 0 },
    deletionBlockers: [],
    pool: { query: async () => ({ rows: certificates }) },
    log: { warn: () => undefined },
    erase,
  }) as unknown as App;

it.each([
  ['erased', 0],
  ['under_way', 2],
])('is %s while systems outside have not confirmed %i', async (status, waitsOutside) => {
  const answered = await erasureRoute.handle(
    input,
    appWhere(async () => ({ waitsOutside })),
  );
  expect(answered).toEqual({ status, due_at: null, certificate_id: `erasure ${person}` });
});

it('is answered after some seconds, while an erasure that has begun goes on, and whatever comes of it', async () => {
  vi.useFakeTimers();
  try {
    let fail = (_: Error): void => undefined;
    const erase = () => new Promise<never>((_, reject) => (fail = reject));
    const begun = [
      {
        id: 'certificate',
        requested_at: input.context.at,
        due_at: null,
        done_at: null,
        commit: null,
        prepare: null,
        parts: [],
        corrections: [],
      },
    ];
    const answered = erasureRoute.handle(input, appWhere(erase, begun));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answered).toMatchObject({ status: 'under_way', due_at: null });
    fail(new Error('the process ends'));
  } finally {
    vi.useRealTimers();
  }
});

it('is not answered before an erasure is certain to go on', async () => {
  vi.useFakeTimers();
  try {
    let end = (_: { readonly waitsOutside: number }): void => undefined;
    const erase = () => new Promise<{ readonly waitsOutside: number }>((resolve) => (end = resolve));
    let isAnswered = false;
    const answered = Promise.resolve(erasureRoute.handle(input, appWhere(erase))).finally(() => {
      isAnswered = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isAnswered).toBe(false);
    end({ waitsOutside: 0 });
    expect(await answered).toMatchObject({ status: 'erased' });
  } finally {
    vi.useRealTimers();
  }
});
