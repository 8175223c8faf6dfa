/** Erasures on real stores: people who have left something everywhere, a provider with their cards, and a projector. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import { policies } from '../../commands/modules.ts';
import { addMethod, syncMethod } from '../../commands/payments/paymentMethods.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { readPages } from '../../eventstore/pages.ts';
import { erasurePlan } from '../../ops/erasure.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups } from '../../projections/modules.ts';
import { createStage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { formsOf } from '../kit/formsOf.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { withTokenisation } from '../payments/fakeTokenisation.ts';
import { openPerson, startSession, TEXTS } from './erasedPerson.ts';

export const CARDS = 'saved cards at payment providers';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Four digits also occur by chance, in ids. */
const patternOf = (text: string): string =>
  /^\d{4}$/.test(text) ? `(?<![0-9a-f-])${text}(?![0-9a-f-])` : formsOf(text).map(escaped).join('|');

export const startErasureWorld = async () => {
  const folder = path.join(tmpdir(), `resort-tombstones-${randomUUID()}`);
  const stores = await freshStores();
  const stage = await createStage(stores);
  const saving = withTokenisation(stage.provider).tokenisation;
  const plan = erasurePlan({ TOMBSTONES_DIR: folder });
  const projector = await startProjector({ ...stage.node, groups });

  const projected = () => until(async () => (await lag(stage.node, groups)).events === 0);

  const anAccount = async (email: string): Promise<string> => {
    const details = { role: 'tourist', email, password: 'correct horse' } as const;
    return (await openAccount(stage.node, contextOf('admin', 'admin'), details)).accountId;
  };

  /** Where a text is found: tables, and events as this program reads them. */
  const foundIn = async (texts: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    const tables = await stores.pool.query<{ name: string }>(
      // Partitions are searched through their parent.
      `select oid::regclass::text as name from pg_class
       where relnamespace in ('ops'::regnamespace, 'read'::regnamespace) and relkind in ('r', 'p') and not relispartition`,
    );
    for (const { name } of tables.rows) {
      const { rows } = await stores.pool.query<{ nth: number }>(
        `select nth::int from unnest($1::text[]) with ordinality as searched (pattern, nth)
         where exists (select 1 from ${name} t where t::text ~ pattern)`,
        [texts.map(patternOf)],
      );
      for (const { nth } of rows) found.push(`${texts[nth - 1]} in ${name}`);
    }
    for await (const { events } of readPages(stores.store)) {
      const decoded = await stage.node.codec.decode(events);
      const plain = JSON.stringify([events, decoded], (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      for (const text of texts) if (new RegExp(patternOf(text)).test(plain)) found.push(`${text} in the log`);
    }
    return found;
  };

  const addCard = async (person: string, token: string): Promise<void> => {
    const { node } = stage;
    const { method } = await addMethod(node, contextOf(person), { method: 'card' });
    saving.says(method.methodId, 'active', { token, brand: 'Mir', last4: '0001', exp: '12/40' });
    await syncMethod(node, contextOf(person), person, method.methodId);
  };

  /** A person whose only trace is a saved card. */
  const withCard = async (token: string): Promise<string> => {
    const person = randomUUID();
    await addCard(person, token);
    return person;
  };

  /** What the policies do with the events of a stream. */
  const follow = async (stream: string): Promise<void> => {
    const { node } = stage;
    for (const event of await node.codec.decodeWithoutAddress<Recorded>(await stores.store.read(stream)))
      for (const { name, handlers } of policies.filter(({ name }) => ['files', 'chat', 'friends'].includes(name)))
        await handlers.get(event.type)?.(event as never, { deps: node, context: contextOf(name, 'system') });
  };

  /** What the certificate of a person says now: `holder outcome` → count. */
  const certified = async (person: string) => {
    const found = await certificateById(stores.pool, certificateOf(stage.node.vault, person));
    const parts = Object.fromEntries(
      (found?.parts ?? []).map((part) => [`${part.holder} ${part.outcome}`, part.count]),
    );
    return { isDone: found?.doneAt != null, parts };
  };

  const isErased = async (person: string) => (await stores.vault.keysToRead([person])).get(person) === 'erased';

  return {
    stores,
    stage,
    saving,
    plan,
    folder,
    projector,
    projected,
    anAccount,
    startSession: (accountId: string) => startSession(stores, accountId),
    /** Somebody who has left something everywhere. */
    aPerson: ({ email, phone }: { readonly email: string; readonly phone: string } = TEXTS) =>
      openPerson({ stores, stage, saving }, { email, phone }),
    foundIn,
    addCard,
    withCard,
    follow,
    certified,
    isErased,
    stop: async () => {
      await projector.stop();
      await stage.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
export type ErasureWorld = Awaited<ReturnType<typeof startErasureWorld>>;
