/** All that is held about a person, section by section: what they may take with them. */
import { Type } from '@sinclair/typebox';
import { EXPORT_VERSION } from '../commands/privacy/document.ts';
import { Instant, Uuid } from '../domain/core/schema.ts';
import type { LogReader } from '../eventstore/history.ts';
import { heldSections } from '../infra/heldData.ts';
import type { Section } from '../infra/personalSections.ts';
import { doneByOthers } from '../projections/audit/doneByOthers.ts';
import { personalEvents } from '../projections/audit/personalEvents.ts';
import { ownCalls } from '../projections/calls/ownCalls.ts';
import { receivedMessages } from '../projections/chat/receivedMessages.ts';
import { shownSections } from '../projections/engine/personalRows.ts';
import { models } from '../projections/modules.ts';
import { reportsAbout } from '../projections/reports/reportsAbout.ts';
import { allMigrations } from './tables.ts';

export const personalData: readonly Section<LogReader>[] = [
  ...shownSections(models),
  ownCalls,
  receivedMessages,
  reportsAbout(models),
  doneByOthers(models),
  personalEvents,
  ...heldSections(allMigrations),
];

/** JSON Schema of the exported document. Named schemas are written out. */
export const exportSchemaText = (): string => {
  const sections = personalData.map(({ name, schema }) => [name, Type.Array(schema)]);
  const schema = Type.Object({
    schema_version: Type.Literal(EXPORT_VERSION),
    exported_at: Instant,
    account_id: Uuid,
    data: Type.Object(Object.fromEntries(sections)),
  });
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'What is held about a person' };
  const plain = JSON.stringify({ ...head, ...schema }, (key, value) => (key === '$id' ? undefined : value), 2);
  return `${plain}\n`;
};
