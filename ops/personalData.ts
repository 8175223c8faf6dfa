/** All that is held about a person, section by section: what they may take with them. */
import { heldSections } from '../infra/heldData.ts';
import type { Section } from '../infra/personalSections.ts';
import { ownCalls } from '../projections/calls/ownCalls.ts';
import { receivedMessages } from '../projections/chat/received.ts';
import { shownSections } from '../projections/engine/personal.ts';
import { models } from '../projections/modules.ts';
import { allMigrations } from './tables.ts';

export const personalData: readonly Section[] = [
  ...shownSections(models),
  ownCalls,
  receivedMessages,
  ...heldSections(allMigrations),
];
