/** Issuing a pass together with the photo of its holder: both, or neither. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { passIdOf } from '../../commands/passes/dividePurchase.ts';
import { type Issue, issuePass } from '../../commands/passes/issuePass.ts';
import { passKeysOf } from '../../commands/passes/keys.ts';
import { file, type Uploaded } from '../../domain/files/file.ts';
import { pass } from '../../domain/passes/pass.ts';
import { GUEST, id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { PURCHASE } from '../purchases/productFixtures.ts';
import { bought } from './boughtPasses.ts';
import { moscow } from './passFixtures.ts';

const passKeys = passKeysOf('a secret of specs that is long enough');
const [PASS, PHOTO, ANOTHER] = [passIdOf(PURCHASE, 1), id(60), id(61)];
const phoneKey = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x as string;
const usage = { kind: 'pass', id: PASS };
const image = { folder: 'documents', mime: 'image/webp', width: 1, height: 1 } as const;

/** A paid purchase, and files of the guest. */
const stage = () => {
  const aggregates = memoryAggregates();
  aggregates.given(`purchase-${PURCHASE}`, bought);
  const upload = (fileId: string, more: Partial<Uploaded> = {}) => {
    const data = { ownerId: GUEST, ...image, size: 1, durationS: null, thumbnailSize: null, sha256: '', ...more };
    aggregates.given(`file-${fileId}`, [{ type: 'FileUploaded', data }]);
  };
  const issue = (deviceKey: string | null, more: Partial<Issue> = {}) => {
    const request = { purchaseId: PURCHASE, number: 1, deviceKey, ...more };
    return issuePass({ aggregates, passKeys }, contextOf(GUEST, 'tourist', moscow(7, '12:00')), request);
  };
  const now = () => {
    const state = aggregates.stateOf(pass, PASS);
    return state.status === 'open' && { serial: state.serial, photoId: state.photoId };
  };
  const usageOf = (fileId: string) => {
    const state = aggregates.stateOf(file, fileId);
    return state.status === 'stored' ? state.usage : state.status;
  };
  return { aggregates, upload, issue, now, usageOf };
};
type Stage = ReturnType<typeof stage>;
const holder = { name: 'Anna', photoId: PHOTO };

it.each<[string, string, (stage: Stage) => void]>([
  ['does not exist', 'not_found', () => undefined],
  ['was uploaded to another folder', 'invalid', ({ upload }) => upload(PHOTO, { folder: 'chat' })],
  ['is no picture', 'invalid', ({ upload }) => upload(PHOTO, { mime: 'application/pdf', width: null, height: null })],
  [
    'is used by something else',
    'conflict',
    ({ upload, aggregates }) => {
      upload(PHOTO);
      const data = { usage: { kind: 'pass', id: passIdOf(PURCHASE, 2) } };
      aggregates.given(`file-${PHOTO}`, [{ type: 'FileAttached', data }]);
    },
  ],
])('a photo that %s leaves the code as it is', async (_, code, arrange) => {
  const on = stage();
  arrange(on);
  const first = phoneKey();
  const { code: before } = await on.issue(first);
  const used = on.usageOf(PHOTO);
  await expect(on.issue(phoneKey(), { holder })).rejects.toMatchObject({ code });
  expect(on.now()).toEqual({ serial: 1, photoId: null });
  expect(on.usageOf(PHOTO)).toEqual(used);
  expect((await on.issue(first)).code).toBe(before);
});

it('a photo stays free when the pass is not issued', async () => {
  const { aggregates, upload, issue, usageOf } = stage();
  upload(PHOTO);
  await issue(null);
  const data = { userId: GUEST, by: 'guest', reason: null, units: 2, settlesAt: moscow(7, '12:00') };
  aggregates.given(`pass-${PASS}`, [{ type: 'PassGivenBack', data }]);
  await expect(issue(phoneKey(), { holder })).rejects.toMatchObject({ code: 'invalid_transition' });
  expect(usageOf(PHOTO)).toBeNull();
});

it('a photo that is shown stays where the pass is not issued again, and goes when another one is shown', async () => {
  const { aggregates, upload, issue, now, usageOf } = stage();
  upload(PHOTO);
  upload(ANOTHER);
  await issue(null, { holder });
  expect([now(), usageOf(PHOTO)]).toEqual([{ serial: 1, photoId: PHOTO }, usage]);
  await issue(null, { holder: { ...holder, photoId: ANOTHER } });
  expect([now(), usageOf(PHOTO)]).toEqual([{ serial: 1, photoId: ANOTHER }, 'removed']);
  const data = { userId: GUEST, by: 'guest', reason: null, units: 2, settlesAt: moscow(7, '12:00') };
  aggregates.given(`pass-${PASS}`, [{ type: 'PassGivenBack', data }]);
  await expect(issue(phoneKey(), { holder: { ...holder, photoId: ANOTHER } })).rejects.toThrow();
  expect(usageOf(ANOTHER)).toEqual(usage);
});
