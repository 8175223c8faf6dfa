/**
 * The conformance cases of any event store behind the client: the same cases run against the embedded node and a real
 * server.
 */
import { appends } from './appends.ts';
import { deletes } from './deletes.ts';
import { filtersOfAll } from './filters.ts';
import { metadata } from './metadata.ts';
import { reads } from './reads.ts';
import { retries } from './retries.ts';
import { subscriptions } from './subscriptions.ts';
import type { Case } from './support.ts';

export { type Case, leaderOnly } from './support.ts';

export const conformance: readonly Case[] = [
  ...appends,
  ...retries,
  ...reads,
  ...metadata,
  ...deletes,
  ...subscriptions,
  ...filtersOfAll,
];
