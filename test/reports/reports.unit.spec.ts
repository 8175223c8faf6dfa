/** Reports: what is decided, what admins see, and the order in which an answer is carried out. */
import { describe, expect, it } from 'vitest';
import { reportContent, resolveReport } from '../../commands/reports/reports.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { type ReportEvent, report } from '../../domain/reports/report.ts';
import { withoutPerson } from '../../projections/engine/personalRows.ts';
import { reports } from '../../projections/reports/reports.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened, projection } from '../kit/projected.ts';

const [ANNA, BORIS, VERA, AUTHOR] = [id(1), id(2), id(3), id(4)];
const [MESSAGE, THREAD, REPORT] = [id(50), id(10), id(70)];
const subject = { kind: 'message', id: MESSAGE, within: THREAD } as const;
const what = { reporterId: ANNA, subject, reason: 'Spam' };
const reported: ReportEvent = { type: 'ContentReported', data: what };
const resolved: ReportEvent = { type: 'ReportResolved', data: { action: 'removed' } };

describe('a report', () => {
  const given = specification(report);
  const resolve = (action: 'dismissed' | 'removed') => ({ type: 'ResolveReport', action }) as const;

  it('is open once, and can be made again after it was resolved', () => {
    given([])
      .when({ type: 'ReportContent', ...what })
      .thenOnce([reported]);
    given([reported, resolved])
      .when({ type: 'ReportContent', ...what })
      .then([reported]);
    expect(given([reported]).state).toMatchObject({ status: 'open', subject });
  });

  it('is resolved in one way', () => {
    given([reported]).when(resolve('removed')).thenOnce([resolved]);
    given([reported, resolved]).when(resolve('dismissed')).then('invalid_transition');
    given([]).when(resolve('dismissed')).then('not_found');
  });
});

const AT = '2027-01-01T10:00:00.000Z';
const LATER = '2027-01-01T11:00:00.000Z';
const rowsOf = projection(reports);
it('is shown until and after it is resolved, and without the reason once the reporter was erased', () => {
  const events = [happened('report', REPORT, reported, AT), happened('report', REPORT, resolved, LATER)];
  const [row] = rowsOf(events);
  expect(row).toEqual({
    id: REPORT,
    reporter_id: ANNA,
    subject_kind: 'message',
    subject_id: MESSAGE,
    within_id: THREAD,
    reason: 'Spam',
    status: 'resolved',
    action: 'removed',
    resolved_by: 'test',
    resolved_at: LATER,
    created_at: AT,
  });
  expect(withoutPerson(row as never, reports.personalData as never)).toMatchObject({ reason: ERASED });
});

it('nobody reports what they have written', async () => {
  const deps = { aggregates: memoryAggregates() };
  const own = { subject, authorId: ANNA, text: 'Buy', reason: 'Spam' };
  await expect(reportContent(deps, contextOf(ANNA), ANNA, own)).rejects.toMatchObject({ code: 'invalid' });
});

describe('an answer', () => {
  const stage = async () => {
    const deps = { aggregates: memoryAggregates() };
    const filed = (reporterId: string) =>
      reportContent(deps, contextOf(reporterId), reporterId, {
        subject,
        authorId: AUTHOR,
        text: 'Buy',
        reason: 'Spam',
      });
    const { reportId, isNew } = await filed(ANNA);
    expect(isNew).toBe(true);
    expect(await filed(ANNA)).toEqual({ reportId, isNew: false });
    const others = [(await filed(BORIS)).reportId, (await filed(VERA)).reportId];
    const removed: string[] = [];
    const answer = (action: 'dismissed' | 'removed', fails = false) =>
      resolveReport(deps, contextOf('admin', 'admin'), reportId, {
        action,
        others,
        remove: async ({ commandId }) => {
          removed.push(commandId);
          if (fails) throw new Error('not removed');
        },
      });
    return {
      ...{ deps, removed, answer, filed, others },
      statusOf: (id = reportId) => deps.aggregates.stateOf(report, id).status,
    };
  };

  it('removes before it is recorded, so that a failure leaves the report open', async () => {
    const { answer, statusOf, removed } = await stage();
    await expect(answer('removed', true)).rejects.toThrow('not removed');
    expect(statusOf()).toBe('open');
    await answer('removed');
    expect([statusOf(), removed.length]).toEqual(['resolved', 2]);
  });

  it('that removes something closes the other reports of it, but for those that were answered meanwhile', async () => {
    const { answer, deps, others, statusOf } = await stage();
    const [boris = '', vera = ''] = others;
    await deps.aggregates.handle(report, vera, { type: 'ResolveReport', action: 'dismissed' }, contextOf('admin'));
    await answer('removed');
    expect(deps.aggregates.stateOf(report, boris)).toMatchObject({ status: 'resolved', action: 'removed' });
    expect(deps.aggregates.stateOf(report, vera)).toMatchObject({ status: 'resolved', action: 'dismissed' });
    expect(statusOf()).toBe('resolved');
  });

  it('that dismisses leaves the other reports open', async () => {
    const { answer, others, statusOf } = await stage();
    await answer('dismissed');
    expect([undefined, ...others].map((each) => statusOf(each))).toEqual(['resolved', 'open', 'open']);
  });

  it('that is refused removes nothing', async () => {
    const { answer, removed } = await stage();
    await answer('dismissed');
    await expect(answer('removed')).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(removed).toEqual([]);
  });
});
