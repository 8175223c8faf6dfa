/** Whatever can be reported has a reason at its removal, an appeal, and evidence: a new kind cannot forget one. */
import { describe, expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';
import { appealables } from '../../commands/modules.ts';
import { appealKinds } from '../../domain/reports/appeal.ts';
import { reportKinds } from '../../domain/reports/report.ts';
import { models } from '../../projections/modules.ts';

const queues = routes.filter(({ method, path }) => method === 'POST' && /\/admin\/.*reports\/:id\/resolve$/.test(path));
const filing = routes.filter(({ method, path }) => method === 'POST' && /\/report$/.test(path));

describe('every kind that can be reported', () => {
  it('is one of those that are declared, in each model that says how reports call its rows', () => {
    const called = models.flatMap(({ personalData }) => personalData?.reportedAs ?? []);
    expect(called.length).toBeGreaterThan(3);
    expect(called.filter((kind) => !(kind in reportKinds))).toEqual([]);
  });

  it('has an operation by which people report it, and a queue for admins', () => {
    expect(filing.length).toBe(Object.keys(reportKinds).length);
    // Chats and messages share a queue.
    expect(queues.length).toBe(Object.keys(reportKinds).length - 1);
  });

  it('is removed with a reason only, and shown to admins as it was reported', () => {
    for (const { id, spec } of queues) expect(spec.description, id).toContain('needs a `reason`');
    const lists = queues.map(({ path }) => path.replace('/:id/resolve', ''));
    const shown = routes.filter(({ method, path }) => method === 'GET' && lists.includes(path));
    expect(shown.length).toBe(queues.length);
    for (const { id, spec } of shown) expect(JSON.stringify(spec.reply), id).toContain('reported_texts');
  });

  it('can be appealed, unless it cannot be removed', () => {
    const appealed = Object.values(reportKinds).filter((kind) => kind !== null);
    expect(appealed.filter((kind) => !(kind in appealables))).toEqual([]);
    expect(Object.keys(appealables).toSorted()).toEqual([...appealKinds].toSorted());
  });
});
