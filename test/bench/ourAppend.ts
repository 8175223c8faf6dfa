/** Our own appends in a process of their own: by the client of the event store alone, or through `handle()`. */
import { Type } from '@sinclair/typebox';
import { createAggregates } from '../../commands/core/handle.ts';
import type { Decider } from '../../domain/core/decider.ts';
import { connectEventStore } from '../../eventstore/client/index.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { derivedId, newId } from '../../infra/ids.ts';
import { AT_ONCE, PAYLOAD } from './payload.ts';
import { repeat, serveProgram } from './program.ts';

export interface AppendOptions {
  readonly eventStore: string;
  readonly through: 'client' | 'handle';
}

type Noted = { readonly type: 'Noted'; readonly data: { readonly text: string } };

const note: Decider<{ readonly text: string }, { readonly type: 'Note'; readonly text: string }, Noted> = {
  category: 'note',
  short: 'one event',
  events: { Noted: { data: Type.Object({ text: Type.String() }) } },
  initial: { text: '' },
  decide: ({ text }) => [{ type: 'Noted', data: { text } }],
  evolve: (_, { data }) => data,
};

/** No event here has personal data. */
const noKeys = {
  keyToWrite: () => Promise.reject(new Error('no event has personal data')),
  keysToRead: () => Promise.resolve(new Map()),
};

const contextOf = (commandId: string) => ({
  correlationId: commandId,
  causationId: commandId,
  commandId,
  actor: { kind: 'system', id: 'bench', role: 'admin' } as const,
  ip: null,
  at: new Date().toISOString(),
  isFirstAttempt: true,
});

serveProgram(async ({ eventStore, through }: AppendOptions) => {
  const store = connectEventStore(eventStore);
  const aggregates = createAggregates(store, createCodec(note.events, noKeys as never));
  const metadata = {
    $correlationId: newId(),
    $causationId: newId(),
    commandId: newId(),
    actor: contextOf('').actor,
    ip: null,
    at: new Date().toISOString(),
    schema: 1,
    format: 1 as const,
  };
  const append = (id: string) =>
    store.append(
      `note-${id}`,
      [{ id: derivedId(id, 0), type: 'Noted', data: { text: PAYLOAD }, metadata }],
      'no_stream',
    );
  const handle = (id: string) => aggregates.handle(note, id, { type: 'Note', text: PAYLOAD }, contextOf(newId()));
  const work = through === 'client' ? append : handle;
  return ({ seconds }: { seconds: number }) => repeat(seconds, AT_ONCE, () => work(newId()));
});
