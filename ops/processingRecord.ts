/**
 * The processing record: what tables, read models, modules and processes declare about personal data, in one place. The
 * document on privacy (`privacyDocument.ts`), the export, the erasure and the retention are made of it.
 */
import { Type } from '@sinclair/typebox';
import { moduleExternalPersonalData } from '../commands/modules.ts';
import { EXPORT_VERSION } from '../commands/privacy/document.ts';
import { Instant, Uuid } from '../domain/core/schema.ts';
import type { LogReader } from '../eventstore/history.ts';
import { type ExportSection, tableSections } from '../infra/exportSections.ts';
import type { ExternalPersonalData } from '../infra/personalData.ts';
import { doneByOthers } from '../projections/audit/doneByOthers.ts';
import { personalEvents } from '../projections/audit/personalEvents.ts';
import { ownCalls } from '../projections/calls/ownCalls.ts';
import { receivedMessages } from '../projections/chat/receivedMessages.ts';
import { channelChanges } from '../projections/engine/changes.ts';
import { modelSections } from '../projections/engine/personalRows.ts';
import { models } from '../projections/modules.ts';
import { reportsAbout } from '../projections/reports/reportsAbout.ts';
import { allMigrations } from './tables.ts';

const operating = {
  purpose: 'run the system, and find faults and attacks',
  basis: 'interest',
  seenBy: ['admins'],
} as const;

const processes: readonly ExternalPersonalData[] = [
  {
    what: 'keys of people, states of aggregates, and what the API and the hub keep ready',
    where: 'memory',
    why: { ...operating, seenBy: ['nobody'] },
    retention: { until: 'it is displaced, changes, or the process ends' },
    exported: 'no: copies',
    erased: 'every process is told (`ERASED_CHANNEL`) and forgets the key and all states',
  },
  {
    what: 'log lines of processes, in which secrets, names, addresses and texts are redacted; the security log has addresses and ids of accounts',
    where: 'logs',
    why: operating,
    retention: { until: 'whoever collects them deletes them: 30 days are enough' },
    exported: 'no: ids and addresses only',
    erased: 'not before that',
  },
  {
    what: 'backups: the log with encrypted texts, the schema `ops` with the keys of people, and files',
    where: 'backups',
    why: operating,
    retention: { until: '`BACKUP_KEEP` newer sets exist, and copies elsewhere are deleted' },
    exported: 'no: copies',
    erased: 'by the tombstone, whenever a set is restored; the set itself goes when its time is over',
  },
  {
    what: 'tombstones: ids of erased people, with the time',
    where: 'backups',
    why: { ...operating, purpose: 'erase again whom a restored backup brings back', basis: 'law' },
    retention: { always: 'as long as any backup may be restored' },
    exported: 'no: it is about people who have no account any more',
    erased: 'it is what is left of the erasure',
  },
];

/** Everything that is held outside of read models and durable tables. */
export const externalPersonalData: readonly ExternalPersonalData[] = [
  channelChanges,
  ...processes,
  ...moduleExternalPersonalData,
];

/** All that is held about a person, section by section: what they may take with them. */
export const exportSections: readonly ExportSection<LogReader>[] = [
  ...modelSections(models),
  ownCalls,
  receivedMessages,
  reportsAbout(models),
  doneByOthers(models),
  personalEvents,
  ...tableSections(allMigrations),
];

/** JSON Schema of the exported document. Named schemas are written out. */
export const exportSchemaText = (): string => {
  const sections = exportSections.map(({ name, schema }) => [name, Type.Array(schema)]);
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
