/** What those who judge keep of what was reported, whatever its author does, and when it ends. */
import { describe, expect, it } from 'vitest';
import type { JobChange } from '../../commands/core/jobChanges.ts';
import { appealables } from '../../commands/modules.ts';
import { answerAppeal, fileAppeal } from '../../commands/reports/appeals.ts';
import { evidenceEnd, evidenceId, hasEnded } from '../../commands/reports/evidence.ts';
import { appealPolicy } from '../../commands/reports/policy.ts';
import { reportContent, resolveReport } from '../../commands/reports/reports.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { EVIDENCE_DAYS } from '../../domain/files/evidence.ts';
import { appealKinds } from '../../domain/reports/appeal.ts';
import { type EvidenceEvent, evidence } from '../../domain/reports/evidence.ts';
import { reportEvidence } from '../../projections/reports/evidence.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened, projection } from '../kit/projected.ts';
import { about as reviewed } from '../reviews/fixtures.ts';

const [ANNA, BORIS, VERA, ADMIN] = [id(1), id(2), id(3), id(9)];
const AT = '2027-01-01T10:00:00.000Z';
const subject = { kind: 'review', id: id(100), within: null } as const;
const kept = (reportId: string | null, text: string | null): EvidenceEvent => ({
  type: 'EvidenceKept',
  data: { subject, authorId: ANNA, reportId, text },
});
const settled = (reportId: string): EvidenceEvent => ({ type: 'EvidenceSettled', data: { reportId } });
const ended: EvidenceEvent = { type: 'EvidenceEnded', data: { subject } };

describe('evidence', () => {
  const given = specification(evidence);
  const keep = (reportId: string | null, text: string | null) =>
    ({ type: 'KeepEvidence', subject, authorId: ANNA, reportId, text }) as const;
  const settle = (reportId: string) => ({ type: 'SettleEvidence', reportId }) as const;

  it('has a copy of each text that was reported, and none twice', () => {
    given([])
      .when(keep(id(11), 'Rude'))
      .thenOnce([kept(id(11), 'Rude')]);
    given([kept(id(11), 'Rude')])
      .when(keep(id(12), 'Rude'))
      .thenOnce([kept(id(12), null)]);
    given([kept(id(11), 'Rude')])
      .when(keep(id(12), 'Kind'))
      .thenOnce([kept(id(12), 'Kind')]);
  });

  it('ends once every report was answered, and begins again with the next one', () => {
    const both = [kept(id(11), 'Rude'), kept(id(12), null)];
    given([...both, settled(id(11))])
      .when({ type: 'EndEvidence' })
      .then([]);
    given(both)
      .when(settle(id(11)))
      .thenOnce([settled(id(11))]);
    given([...both, settled(id(11)), settled(id(12))])
      .when({ type: 'EndEvidence' })
      .thenOnce([ended]);
    given([kept(id(11), 'Rude'), settled(id(11)), ended])
      .when(keep(id(12), 'Rude'))
      .thenOnce([kept(id(12), 'Rude')]);
    given([]).when({ type: 'EndEvidence' }).then([]);
    given([])
      .when(settle(id(11)))
      .then([]);
  });
});

const rowsOf = projection(reportEvidence);
it('admins read every text that was reported, until the evidence ends', () => {
  const on = (event: EvidenceEvent) => happened('evidence', id(70), event, AT);
  const [row] = rowsOf([on(kept(id(11), 'Rude')), on(kept(id(12), null)), on(kept(id(13), 'Kind'))]);
  expect(row).toMatchObject({ subject_kind: 'review', subject_id: id(100), author_id: ANNA });
  expect(row).toMatchObject({ texts: [{ text: 'Rude' }, { text: 'Kind' }] });
  expect(rowsOf([on(kept(id(11), 'Rude')), on(ended)])).toEqual([]);
});

describe('the end of evidence', () => {
  /** A review of Anna that two people have reported. */
  const stage = async () => {
    const aggregates = memoryAggregates();
    aggregates.given(`review-${subject.id}`, [{ type: 'ReviewWritten', data: { ...reviewed, userId: ANNA } } as never]);
    const jobs: JobChange[] = [];
    const deps = { aggregates, appealables, jobs: { add: (change: JobChange) => void jobs.push(change) } };
    const reportBy = async (by: string) => {
      const reported = { subject, authorId: ANNA, text: 'Rude', reason: 'Spam' };
      return (await reportContent(deps, contextOf(by, 'tourist', AT), by, reported)).reportId;
    };
    const reports = [await reportBy(BORIS), await reportBy(VERA)];
    const answer = async (reportId: string, at = AT) => {
      const resolution = { action: 'dismissed', remove: async () => undefined, others: [] } as const;
      await resolveReport(deps, contextOf(ADMIN, 'admin', at), reportId, resolution);
      const event = happened(
        'report',
        reportId,
        { type: 'ReportResolved', data: { action: 'dismissed' } } as const,
        at,
      );
      await appealPolicy.handlers.get('ReportResolved')?.(event as never, { deps, context: contextOf(ADMIN) } as never);
    };
    const run = (at: string) =>
      evidenceEnd.run({ id: evidenceId(subject), data: {}, attempt: 1 }, {
        deps,
        context: contextOf(ADMIN, 'system', at),
      } as never);
    return { aggregates, deps, jobs, reports, answer, run, isOver: () => hasEnded(deps, subject) };
  };
  const DUE = addMs(AT, EVIDENCE_DAYS * DAY_MS);

  it(`is ${EVIDENCE_DAYS} days after the last answer, whatever its author has deleted`, async () => {
    const { jobs, reports, answer, run, isOver } = await stage();
    await answer(reports[0] as string);
    expect(jobs.at(-1)).toMatchObject({ kind: 'evidence_end', dueAt: DUE });
    await run(DUE);
    expect(await isOver()).toBe(false);
    await answer(reports[1] as string, DUE);
    expect(jobs.at(-1)).toMatchObject({ dueAt: addMs(DUE, EVIDENCE_DAYS * DAY_MS) });
    await run(addMs(DUE, EVIDENCE_DAYS * DAY_MS));
    expect(await isOver()).toBe(true);
  });

  it('waits for the answer of an appeal', async () => {
    const { aggregates, deps, reports, answer, run, isOver } = await stage();
    aggregates.given(`review-${subject.id}`, [
      { type: 'ReviewHidden', data: { userId: ANNA, reason: 'Rude' } } as never,
    ]);
    const appeal = { accountId: ANNA, kind: 'review', id: subject.id, text: 'It was a quotation.' } as const;
    const { appealId } = await fileAppeal(deps, contextOf(ANNA, 'tourist', AT), appeal);
    for (const report of reports) await answer(report);
    expect(await run(DUE)).toEqual({ againAt: addMs(DUE, DAY_MS) });
    expect(await isOver()).toBe(false);
    const refusal = { kinds: appealKinds, accepted: false, answer: 'It was not.' };
    await answerAppeal(deps, contextOf(ADMIN, 'admin', DUE), appealId, refusal);
    expect(await run(addMs(DUE, DAY_MS))).toBeUndefined();
    expect(await isOver()).toBe(true);
  });
});
