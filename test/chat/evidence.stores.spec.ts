/** Files of a message that its sender deletes while it is reported: how long they stay, and what cannot destroy them. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { deleteMessage, sendMessage } from '../../commands/chat/messages.ts';
import { chatPolicy } from '../../commands/chat/policy.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import type { Policy } from '../../commands/core/policy.ts';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { removeErasedFiles } from '../../commands/files/erasure.ts';
import { FileMissing, type FileStore } from '../../commands/files/fileStore.ts';
import { keptFiles } from '../../commands/files/keptFiles.ts';
import { filePolicy } from '../../commands/files/policy.ts';
import { unusedFile } from '../../commands/files/unused.ts';
import { uploadFile } from '../../commands/files/uploads.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { EVIDENCE_DAYS } from '../../domain/files/evidence.ts';
import { file } from '../../domain/files/file.ts';
import { signLinksWith } from '../../infra/signedLinks.ts';
import { readModels } from '../../projections/chat/index.ts';
import { historyOf } from '../../projections/chat/messageEdits.ts';
import { messageById } from '../../projections/chat/messages.ts';
import { groupOf } from '../../projections/engine/groups.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { newPhone } from '../accounts/sms.ts';
import { photo } from '../files/samples.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { deleteErasedBytes } from '../kit/toldOutside.ts';
import { until } from '../kit/until.ts';
import { knownMessage } from './chatFixtures.ts';

let stores: Stores;
let folder: string;
let fileStore: FileStore;
let node: Node;
let picture: Buffer;
beforeAll(async () => {
  stores = await freshStores();
  folder = await mkdtemp(path.join(tmpdir(), 'resort-evidence-'));
  fileStore = createDiskStore(path.join(folder, 'files'));
  node = testDeps(stores, { fileStore, settings: { incomingDir: path.join(folder, 'incoming') } });
  signLinksWith({ key: 'a key of this spec', publicUrl: 'https://api.test' });
  await startProjector({ ...node, groups: [groupOf('chat', readModels)] });
  picture = await photo(80, 60);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Has a policy handle all events of a stream. */
const followed = async (stream: string, { handlers }: Policy<Node>): Promise<void> => {
  for (const event of await node.codec.decodeWithoutAddress<Recorded>(await stores.store.read(stream)))
    await handlers.get(event.type)?.(event as never, { deps: node, context: contextOf('policy', 'system') });
};
const statusOf = async (id: string) => (await node.aggregates.load(file, id)).state.status;
const isStored = async (id: string): Promise<boolean> => {
  try {
    (await fileStore.get(id)).destroy();
    return true;
  } catch (error) {
    if (error instanceof FileMissing) return false;
    throw error;
  }
};
const jobOf = async (id: string) => {
  const { rows } = await stores.pool.query(`select due_at, data from ops.jobs where kind = $1 and id = $2`, [
    keptFiles.kind,
    id,
  ]);
  return rows[0];
};

const person = async (): Promise<string> =>
  (await openAccount(node, contextOf(randomUUID()), { role: 'tourist', phone: newPhone() })).accountId;

/** Anna has sent a picture, and has deleted it. */
const deletedPicture = async (isReported: boolean) => {
  const [anna, boris] = [await person(), await person()];
  const upload = { ownerId: anna, sells: false, folder: 'chat', announced: undefined } as const;
  const { id: fileId } = await uploadFile(node, contextOf(anna), upload, (to) => writeFile(to, picture));
  const actor = { accountId: anna, isAgent: false };
  const { threadId } = await startGroup(node, contextOf(anna), anna, { title: 'Ski', memberIds: [boris] });
  const details = { kind: 'image', body: '', mentions: [], replyTo: null, clientMessageId: null } as const;
  const context = contextOf(anna);
  const sent = await sendMessage(node, context, actor, { threadId, attachments: [fileId], ...details });
  const known = knownMessage(threadId, sent, context.at);
  const { id } = known;
  const deleting = contextOf(anna);
  await deleteMessage(node, deleting, actor, known, { isReported });
  const follow = async () => {
    await followed(`message-${id}`, chatPolicy);
    await followed(`file-${fileId}`, filePolicy);
  };
  await follow();
  return { anna, id, fileId, deletedAt: deleting.at, follow };
};
type Deleted = Awaited<ReturnType<typeof deletedPicture>>;

const endOf = ({ deletedAt }: Pick<Deleted, 'deletedAt'>): string => addMs(deletedAt, EVIDENCE_DAYS * DAY_MS);
/** As the job runs at the end. */
const runAtTheEnd = async (of: Deleted): Promise<void> => {
  const { data } = await jobOf(of.id);
  const context = { ...contextOf('job', 'system'), at: endOf(of) };
  expect(await keptFiles.run({ id: of.id, data, attempt: 1 }, { deps: node, context })).toBeUndefined();
  await followed(`file-${of.fileId}`, filePolicy);
};

it('they stay for 30 days, and are deleted then', async () => {
  const deleted = await deletedPicture(true);
  expect((await jobOf(deleted.id)).due_at).toBe(endOf(deleted));
  await deleted.follow();
  expect([await statusOf(deleted.fileId), await isStored(deleted.fileId)]).toEqual(['withheld', true]);
  await runAtTheEnd(deleted);
  expect([await statusOf(deleted.fileId), await isStored(deleted.fileId)]).toEqual(['removed', false]);
  // Handled again, as after a restore.
  await deleted.follow();
  await runAtTheEnd(deleted);
  expect(await statusOf(deleted.fileId)).toBe('removed');
});

it('nobody has reported the message: they are deleted at once', async () => {
  const { id, fileId } = await deletedPicture(false);
  expect([await statusOf(fileId), await isStored(fileId), await jobOf(id)]).toEqual(['removed', false, undefined]);
});

it('the search for unused files spares them', async () => {
  const { fileId } = await deletedPicture(true);
  const context = { ...contextOf('job', 'system'), at: addMs(new Date().toISOString(), 2 * DAY_MS) };
  await unusedFile.run({ id: fileId, data: {}, attempt: 1 }, { deps: node, context });
  expect(await statusOf(fileId)).toBe('withheld');
});

it.each(['known', 'lost by a restore'])('the erasure of the sender deletes them at once, their row %s', async (row) => {
  const deleted = await deletedPicture(true);
  const { anna, fileId, follow } = deleted;
  if (row !== 'known') {
    await stores.pool.query('delete from ops.files where id = $1', [fileId]);
    await follow();
  }
  await removeErasedFiles(node, contextOf('erasure', 'system'), anna);
  await deleteErasedBytes(node, contextOf('erasure', 'system'), anna);
  expect([await statusOf(fileId), await isStored(fileId)]).toEqual(['removed', false]);
  await runAtTheEnd(deleted);
});

it('admins see them as long as they are there', async () => {
  const deleted = await deletedPicture(true);
  const { id, fileId } = deleted;
  const db = readDb(stores.pool);
  const row = await until(async () => {
    const found = await messageById(db, id);
    return found?.deletion === 'author' && found;
  });
  const seenAt = async (at: string, reader: 'author' | 'admin' = 'admin') =>
    (await historyOf(db, row, reader, at)).attachments.map((shown) => shown.id);
  const end = endOf(deleted);
  expect(await until(async () => (await seenAt(addMs(end, -1))).length > 0 && seenAt(addMs(end, -1)))).toEqual([
    fileId,
  ]);
  expect([await seenAt(end), await seenAt(addMs(end, -1), 'author')]).toEqual([[], []]);
});
