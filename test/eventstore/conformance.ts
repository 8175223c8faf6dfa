/** What any event store behind the client has to do, as data: the same cases run against the embedded node and a real server. */
import { appends } from './conformance/appends.ts';
import { deletes } from './conformance/deletes.ts';
import { filtersOfAll } from './conformance/filters.ts';
import { metadata } from './conformance/metadata.ts';
import { reads } from './conformance/reads.ts';
import { retries } from './conformance/retries.ts';
import { subscriptions } from './conformance/subscriptions.ts';
import type { Case } from './conformance/support.ts';

export type { Case } from './conformance/support.ts';

export const conformance: readonly Case[] = [
  ...appends,
  ...retries,
  ...reads,
  ...metadata,
  ...deletes,
  ...subscriptions,
  ...filtersOfAll,
];
