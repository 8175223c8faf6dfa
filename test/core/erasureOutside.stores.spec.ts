/** What systems outside must still be told of somebody who is erased: payment providers of cards, the store of files. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAccount } from '../../commands/accounts/accounts.ts';
import { signIn } from '../../commands/accounts/signIn.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { erasePerson, replayTombstones } from '../../commands/core/erasure.ts';
import { FileStoreAway } from '../../commands/files/fileStore.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { payments } from '../../commands/payments/index.ts';
import { addMethod } from '../../commands/payments/paymentMethods.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { file } from '../../domain/files/file.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { uploaded } from '../kit/uploads.ts';
import { CARDS, type ErasureWorld, startErasureWorld } from './erasureWorld.ts';

let world: ErasureWorld;
beforeAll(async () => {
  world = await startErasureWorld();
});
afterAll(() => world.stop());

/** Runs the jobs for what waits outside for a person. */
const runOutsideJobs = async (node: CommandDeps, person: string): Promise<void> => {
  const { stores, plan } = world;
  const { rows } = await stores.pool.query<{ id: string; kind: string }>(
    'select id, kind from ops.outside_erasures where certificate_id = $1',
    [certificateOf(node.vault, person)],
  );
  const kinds = plan.modules.flatMap(({ outside = [] }) => outside);
  for (const { id, kind } of rows)
    await kinds
      .find((each) => each.kind === kind)
      ?.job.run(
        { id, data: {}, attempt: 1 },
        { deps: node, context: { ...contextOf('system', 'system'), at: node.now() } },
      );
};

it('keeps nothing here for a provider whose page is still open, and has it told later', async () => {
  const { stores, stage, saving, plan, projected, anAccount, foundIn, addCard, certified } = world;
  const { node } = stage;
  const signingIn = { identifier: 'page@example.org', password: 'correct horse' };
  const person = await anAccount(signingIn.identifier);
  await addCard(person, 'of the page');
  const { method } = await addMethod(node, contextOf(person), { method: 'sbp' });
  await projected();
  expect(await erasePerson<CommandDeps>(node, plan, person)).toEqual({ waitsOutside: 1 });
  await projected();
  await expect(loadAccount(node, person)).rejects.toThrow('does not exist');
  await expect(signIn(node, contextOf('anonymous'), signingIn)).rejects.toThrow('wrong');
  expect(await foundIn([signingIn.identifier])).toEqual([]);
  expect(await certified(person)).toMatchObject({
    isDone: true,
    parts: { [`${CARDS} removed`]: 1, [`${CARDS} waiting`]: 1, 'read.accounts anonymised': 1 },
  });
  const { rows } = await stores.pool.query('select * from ops.outside_erasures where certificate_id = $1', [
    certificateOf(node.vault, person),
  ]);
  for (const text of [person, method.methodId, 'reference', method.provider ?? ''])
    expect(JSON.stringify(rows), 'it says nothing in plain').not.toContain(text);

  await runOutsideJobs(node, person);
  expect(await certified(person), 'the page is still open').toMatchObject({ parts: { [`${CARDS} waiting`]: 1 } });
  saving.says(method.methodId, 'active', { token: 'confirmed-late' });
  await runOutsideJobs(node, person);
  expect(saving.removed).toContain('confirmed-late');
  expect((await certified(person)).parts).toMatchObject({ [`${CARDS} removed`]: 2 });
  expect((await certified(person)).parts).not.toHaveProperty(`${CARDS} waiting`);
  const keys = await stores.pool.query('select 1 from ops.vault_keys where person_id = any($1)', [
    rows.map(({ id }) => id),
  ]);
  expect([rows.length, keys.rowCount], 'its key is gone').toEqual([1, 0]);
});

it('asks a provider that does not answer for a week, and says then what stays there', async () => {
  const { stage, saving, plan, withCard, certified, isErased } = world;
  const { node } = stage;
  const [person, refused] = [await withCard('later'), await withCard('refused')];
  saving.away = true;
  for (const each of [person, refused]) {
    expect(await erasePerson<CommandDeps>(node, plan, each)).toEqual({ waitsOutside: 1 });
    expect(await isErased(each)).toBe(true);
  }
  expect(await replayTombstones<CommandDeps>(node, plan)).toBe(0);
  saving.forgets('refused');
  saving.away = false;
  await runOutsideJobs(node, refused);
  saving.away = true;
  expect((await certified(refused)).parts).toMatchObject({ [`${CARDS} left`]: 1 });
  const inDays = (days: number) => ({ ...node, now: () => instantOf(Date.now() + days * DAY_MS) });
  await runOutsideJobs(inDays(6), person);
  expect((await certified(person)).parts).toMatchObject({ [`${CARDS} waiting`]: 1 });
  await runOutsideJobs(inDays(8), person);
  expect((await certified(person)).parts).toEqual(expect.objectContaining({ [`${CARDS} left`]: 1 }));
  expect((await certified(person)).parts).not.toHaveProperty(`${CARDS} waiting`);
  saving.away = false;
});

it('leads nobody to files whose store does not answer, and deletes their bytes later', async () => {
  const { stage, plan, follow, certified } = world;
  const { node } = stage;
  const person = randomUUID();
  const fileId = await uploaded(node, person, 'avatars');
  await node.fileStore.put(fileId, import.meta.filename, 'image/png');
  await follow(`file-${fileId}`);
  let isAway = true;
  const remove = (key: string) =>
    isAway ? Promise.reject(new FileStoreAway('no answer')) : node.fileStore.remove(key);
  const busy = changed(node, { fileStore: { ...node.fileStore, remove } });
  expect(await erasePerson<CommandDeps>(busy, plan, person)).toEqual({ waitsOutside: 1 });
  expect((await node.aggregates.load(file, fileId)).state.status).toBe('removed');
  expect((await certified(person)).parts).toMatchObject({ 'files waiting': 1 });
  isAway = false;
  await runOutsideJobs(busy, person);
  expect((await certified(person)).parts).toMatchObject({ 'files deleted': 1 });
  await expect(node.fileStore.get(fileId)).rejects.toThrow('no such file');
});

it('leaves a saved card at the provider when the step of payments is taken out', async () => {
  const { stage, saving, plan, withCard } = world;
  const { node } = stage;
  const token = `card-token-${randomUUID()}`;
  const person = await withCard(token);
  const modules = plan.modules.filter((each) => each !== payments.erasure);
  expect(modules.length).toBe(plan.modules.length - 1);
  await erasePerson<CommandDeps>(node, { ...plan, modules }, person);
  expect(saving.removed).not.toContain(token);
});
