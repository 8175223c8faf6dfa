/** The photo of a pass, while two requests change it at the same time. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { passIdOf } from '../../commands/passes/dividePurchase.ts';
import { issuePass } from '../../commands/passes/issuePass.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { file } from '../../domain/files/file.ts';
import { GUEST } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { PURCHASE } from '../purchases/productFixtures.ts';
import { bought } from './boughtPasses.ts';
import { moscow } from './passFixtures.ts';

const media = { folder: 'documents', mime: 'image/webp', size: 1, width: 1, height: 1 } as const;
const facts = { ...media, durationS: null, thumbnailSize: null, sha256: '' };

/** Replaces a photo by another one, while another request shows the first one again, if so. @returns what became of it */
const replaced = async (isShownAgain: boolean): Promise<string> => {
  const memory = memoryAggregates();
  memory.given(`purchase-${PURCHASE}`, bought);
  const [first, second] = [randomUUID(), randomUUID()];
  for (const id of [first, second])
    memory.given(`file-${id}`, [{ type: 'FileUploaded', data: { ownerId: GUEST, ...facts } }]);
  const holder = (photoId: string) => ({ userId: GUEST, holderName: 'Anna', photoId });
  const show = (photoId: string, aggregates = memory) => {
    const request = { purchaseId: PURCHASE, number: 1, deviceKey: null, holder: { name: 'Anna', photoId } };
    const deps = { aggregates, passKeys: passKeysOf('a secret of specs that is long enough') };
    return issuePass(deps, contextOf(GUEST, 'tourist', moscow(7, '20:00')), request);
  };
  await show(first);
  await show(second, {
    ...memory,
    handle: async (decider, id, command, context) => {
      const outcome = await memory.handle(decider, id, command, context);
      if (isShownAgain && (command as { readonly type: string }).type === 'ChangeHolder')
        memory.given(`pass-${passIdOf(PURCHASE, 1)}`, [{ type: 'PassHolderChanged', data: holder(first) }]);
      return outcome;
    },
  });
  return memory.stateOf(file, first).status;
};

it('is deleted when it was replaced', async () => {
  expect(await replaced(false)).toBe('removed');
});

it('stays when another request has shown it again meanwhile', async () => {
  expect(await replaced(true)).toBe('stored');
});
