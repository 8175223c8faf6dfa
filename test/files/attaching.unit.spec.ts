/** Files that are attached together, while one of them cannot be. */
import { expect, it } from 'vitest';
import { attachFiles } from '../../commands/files/attachFiles.ts';
import { Contended } from '../../domain/core/decider.ts';
import { file } from '../../domain/files/file.ts';
import { GUEST, id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';

const [SHOWN, FREE, CONTENDED] = [id(20), id(21), id(22)];
const usage = { kind: 'review', id: id(10) };
const media = { mime: 'image/webp', size: 1, width: 1, height: 1, durationS: null, thumbnailSize: null } as const;

/** Three uploaded files, of which the last one cannot be attached. @param others act before it is tried */
const stage = (others: () => Promise<unknown> = async () => undefined) => {
  let tries = 0;
  const aggregates = memoryAggregates(async ({ type }) => {
    if (type !== 'Attach') return;
    tries += 1;
    if (tries !== 4) return;
    await others();
    throw new Contended();
  });
  for (const fileId of [SHOWN, FREE, CONTENDED])
    aggregates.given(`file-${fileId}`, [
      { type: 'FileUploaded', data: { ownerId: GUEST, folder: 'reviews', sha256: '', ...media } },
    ]);
  const attach = (ids: string[]) =>
    attachFiles({ aggregates }, contextOf(GUEST), { ids, ownerId: GUEST, folder: 'reviews', usage });
  const usageOf = (fileId: string) => {
    const state = aggregates.stateOf(file, fileId);
    return state.status === 'stored' ? state.usage : state.status;
  };
  return { attach, usages: () => [SHOWN, FREE, CONTENDED].map(usageOf) };
};

it('those that are used already stay, and those that were free are free again', async () => {
  const { attach, usages } = stage();
  await attach([SHOWN]);
  await expect(attach([SHOWN, FREE, CONTENDED])).rejects.toThrow(Contended);
  expect(usages()).toEqual([usage, null, null]);
});

it('those that another attempt has attached meanwhile stay', async () => {
  const { attach, usages } = stage(() => attach([FREE]));
  await attach([SHOWN]);
  await expect(attach([SHOWN, FREE, CONTENDED])).rejects.toThrow(Contended);
  expect(usages()).toEqual([usage, usage, null]);
});
