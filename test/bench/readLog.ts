/** Reads a whole log with a handler that does nothing: what any reader of the log costs at least. */
import { EventStoreDBClient } from '@eventstore/db-client';
import { serveProgram } from './program.ts';
import type { Work } from './rounds.ts';

serveProgram(async ({ eventStore }: { eventStore: string }) => {
  const client = EventStoreDBClient.connectionString(eventStore);
  return async (): Promise<Work> => {
    const begun = performance.now();
    let operations = 0;
    for await (const { event } of client.readAll({ fromPosition: 'start' }))
      if (event && !event.type.startsWith('$')) operations += 1;
    return { operations, seconds: (performance.now() - begun) / 1_000 };
  };
});
