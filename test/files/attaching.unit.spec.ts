/** Files that are attached, while one of them cannot be, or what was to use them is refused. */
import { expect, it } from 'vitest';
import { withFiles } from '../../commands/files/attachFiles.ts';
import { Contended, Rejected } from '../../domain/core/decider.ts';
import { file } from '../../domain/files/file.ts';
import { GUEST, id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';

const [SHOWN, FREE, CONTENDED] = [id(20), id(21), id(22)];
const usage = { kind: 'review', id: id(10) };
const media = { mime: 'image/webp', size: 1, width: 1, height: 1, durationS: null, thumbnailSize: null } as const;
const refused = new Rejected('conflict', 'no');

/** @param before runs before each command */
const stage = (before?: Parameters<typeof memoryAggregates>[0]) => {
  const aggregates = memoryAggregates(before);
  for (const fileId of [SHOWN, FREE, CONTENDED])
    aggregates.given(`file-${fileId}`, [
      { type: 'FileUploaded', data: { ownerId: GUEST, folder: 'reviews', sha256: '', ...media } },
    ]);
  const attach = (ids: string[], work: () => Promise<unknown> = async () => undefined) =>
    withFiles({ aggregates }, contextOf(GUEST), { ids, ownerId: GUEST, folder: 'reviews', usage }, work);
  const usageOf = (fileId: string) => {
    const state = aggregates.stateOf(file, fileId);
    return state.status === 'stored' ? state.usage : state.status;
  };
  return { attach, usageOf };
};

it('those that are used already stay, and those that were free are free again', async () => {
  let tries = 0;
  const { attach, usageOf } = stage(async ({ type }) => {
    if (type !== 'Attach') return;
    tries += 1;
    if (tries === 4) throw new Contended();
  });
  await attach([SHOWN]);
  await expect(attach([SHOWN, FREE, CONTENDED])).rejects.toThrow(Contended);
  expect([SHOWN, FREE, CONTENDED].map(usageOf)).toEqual([usage, null, null]);
});

it.each(['before', 'after'])(
  'what is refused leaves the files to another request that has attached them %s it, and has recorded nothing yet',
  async (when) => {
    const { attach, usageOf } = stage();
    const refuse = (others: () => Promise<unknown>) =>
      attach([SHOWN, FREE], async () => {
        await others();
        throw refused;
      });
    const refusing = async () => expect(refuse(async () => undefined)).rejects.toBe(refused);
    if (when === 'before') await attach([SHOWN], refusing);
    else await expect(refuse(() => attach([SHOWN]))).rejects.toBe(refused);
    expect([SHOWN, FREE].map(usageOf)).toEqual([usage, null]);
  },
);

it('a file that is named twice is free again, too', async () => {
  const { attach, usageOf } = stage();
  await expect(attach([FREE, FREE], () => Promise.reject(refused))).rejects.toBe(refused);
  expect(usageOf(FREE)).toBeNull();
});
