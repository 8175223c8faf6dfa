/** What was reported said, as those who judge keep it, whatever its author has done to it since. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, isPlaceholder, Uuid } from '../../domain/core/schema.ts';
import { EVIDENCE_DAYS } from '../../domain/files/evidence.ts';
import { reportsPurpose } from '../../domain/reports/index.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';

/** Copies of one thing that are kept: the newest. */
const MAX_COPIES = 20;

const Copies = Type.Array(Type.Object({ text: Type.String(), kept_at: Instant }));
const Row = Type.Object({
  id: Uuid,
  subject_kind: Type.String(),
  subject_id: Uuid,
  author_id: Uuid,
  texts: Copies,
});
type Row = Static<typeof Row>;

export const reportEvidence = readModel('report_evidence', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'author_id',
    texts: ['texts.*.text'],
    why: reportsPurpose,
    retention: {
      until: `${EVIDENCE_DAYS} days have passed since the last report or appeal was answered, by the job \`evidence_end\``,
    },
    seenBy: ['admins'],
  },
  on: {
    EvidenceKept: (row: Row | undefined, { streamId: id, at, data: { subject, authorId, text } }) => ({
      ...{ id, subject_kind: subject.kind, subject_id: subject.id, author_id: authorId },
      texts: [...(row?.texts ?? []), ...(text === null ? [] : [{ text, kept_at: at }])].slice(-MAX_COPIES),
    }),
    EvidenceEnded: () => null,
  },
  indexes: ['subject_id', 'author_id'],
});

/** Part of a report, as admins see it. */
export const ReportedTexts = Type.Array(Copies.items, {
  description: `What it said each time it was reported, whatever its author has done since, until ${EVIDENCE_DAYS} days after the last report or appeal about it was answered; then empty.`,
});

/** By the ids of what was reported. */
export const reportedTexts = async (
  db: ReadDb,
  kinds: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Static<typeof Copies>>> => {
  const found = await tables(db, reportEvidence)
    .selectFrom('report_evidence')
    .select(['subject_id', 'texts'])
    .where('subject_kind', 'in', kinds)
    .where(isAnyOf('subject_id', ids))
    .execute();
  return new Map(found.map((row) => [row.subject_id, row.texts.filter(({ text }) => !isPlaceholder(text))]));
};
