/** What operators are told, and when: a day is played minute by minute. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { type Alert, alerts } from '../../ops/alerts/alerts.ts';
import type { Concern } from '../../ops/alerts/seen.ts';
import { dueOf, EMPTY, type Memory, MOST_AN_HOUR, noted, told, withOthers } from '../../ops/operators/decide.ts';
import { messageOf } from '../../ops/operators/message.ts';

const START = Date.parse('2026-11-27T10:00:00Z');
const STORE: Concern = { alert: 'StoreAway', about: 'PostgreSQL', value: 1 };
const CHECK: Concern = { alert: 'CheckFails', about: 'mail', value: 1 };
const FAULT: Concern = { alert: 'RequestsFail', about: '', value: 1 };

interface Said {
  readonly minute: number;
  readonly begun: readonly string[];
  readonly over: readonly string[];
  readonly isUrgent: boolean;
}
/** @param reached whether operators can be told in that minute */
const play = (
  minutes: number,
  foundAt: (minute: number) => readonly Concern[],
  reached: (minute: number) => boolean = () => true,
): Said[] => {
  const said: Said[] = [];
  let memory: Memory = EMPTY;
  for (let minute = 0; minute < minutes; minute += 1) {
    const now = START + minute * MINUTE_MS;
    // As it is stored and read again: a restart at any time changes nothing.
    memory = noted(JSON.parse(JSON.stringify(memory)), foundAt(minute), now);
    const due = dueOf(memory, now);
    if (due === undefined || !reached(minute)) continue;
    memory = told(memory, due, now);
    const names = (of: readonly Concern[]) => of.map(({ alert }) => alert);
    said.push({ minute, begun: names(due.begun), over: names(due.over), isUrgent: due.isUrgent });
  }
  return said;
};
const between =
  (from: number, to: number, ...concerns: Concern[]) =>
  (minute: number) =>
    minute >= from && minute < to ? concerns : [];

describe('operators are told', () => {
  test('nothing of a blip', () => {
    expect(play(60, between(5, 6, STORE))).toEqual([]);
    expect(play(60, (minute) => (minute % 2 === 0 ? [STORE] : []))).toEqual([]);
  });

  test('once that it has begun, once that it is over, and by SMS if it cannot wait', () => {
    expect(play(120, between(5, 30, STORE))).toEqual([
      { minute: 6, begun: ['StoreAway'], over: [], isUrgent: true },
      { minute: 33, begun: [], over: ['StoreAway'], isUrgent: true },
    ]);
    expect(play(120, between(5, 30, CHECK)).map(({ isUrgent }) => isUrgent)).toEqual([false, false]);
  });

  test('again once a day while it lasts', () => {
    expect(play(3 * 24 * 60, () => [STORE]).map(({ minute }) => minute)).toEqual([1, 1 + 24 * 60, 1 + 48 * 60]);
  });

  test('of what came back within minutes as of what was never gone', () => {
    const gap = (minute: number) => (minute === 20 || minute === 21 ? [] : between(5, 40, STORE)(minute));
    expect(play(120, gap).map(({ minute }) => minute)).toEqual([6, 43]);
  });

  test('at once of what only happens, of more of it after an hour, and never that it is over', () => {
    expect(
      play(300, (minute) => ([10, 20, 50, 200].includes(minute) ? [FAULT] : [])).map(({ minute }) => minute),
    ).toEqual([10, 70, 200]);
    expect(play(26 * 60, () => [FAULT]).map(({ minute }) => minute)).toEqual([0, 24 * 60]);
  });

  test('later, when nobody could be reached', () => {
    const said = play(60, between(10, 30, STORE), (minute) => minute >= 20);
    expect(said.map(({ minute, begun }) => [minute, begun])).toEqual([
      [20, ['StoreAway']],
      [33, []],
    ]);
    // What happened is told although it is long ago; that something was away for some minutes is not.
    expect(play(60, between(10, 11, FAULT), (minute) => minute >= 40)).toHaveLength(1);
    expect(play(60, between(10, 15, STORE), (minute) => minute >= 40)).toEqual([]);
  });

  test('of a storm in few messages, of which what cannot wait has its own', () => {
    const many = (minute: number): Concern[] => [
      ...Array.from({ length: minute }, (_, index) => ({
        ...FAULT,
        alert: 'EventsUnreadable' as const,
        about: `${index}`,
      })),
      ...(minute >= 45 ? [STORE] : []),
    ];
    const said = play(60, many);
    expect(said.length).toBeLessThanOrEqual(MOST_AN_HOUR);
    expect(said.filter(({ isUrgent }) => !isUrgent)).toHaveLength(6);
    const urgent = said.find(({ isUrgent }) => isUrgent);
    expect(urgent?.minute).toBe(46);
    expect(urgent?.begun[0]).toBe('StoreAway');
    expect(urgent?.begun.length).toBeGreaterThan(30);
  });
});

const anyConcern = fc
  .constantFrom(...alerts)
  .chain(({ name }) => fc.record({ alert: fc.constant(name), about: fc.constantFrom('', 'a', 'b'), value: fc.nat(9) }));

test('whatever happens: few messages an hour, an end only of what was told, and a day between repetitions', () => {
  const day = fc.array(
    fc.uniqueArray(anyConcern, { maxLength: 6, selector: ({ alert, about }) => `${alert} ${about}` }),
    {
      maxLength: 200,
    },
  );
  fc.assert(
    fc.property(day, fc.infiniteStream(fc.boolean()), (found, reached) => {
      const open = new Set<string>();
      const sent: number[] = [];
      let memory: Memory = EMPTY;
      for (const [index, concerns] of found.entries()) {
        const now = START + index * 7 * MINUTE_MS;
        memory = noted(memory, concerns, now);
        const due = dueOf(memory, now);
        if (due === undefined || !reached.next().value) continue;
        memory = told(memory, due, now);
        sent.push(now);
        for (const { alert, about } of due.over) expect(open.delete(`${alert} ${about}`)).toBe(true);
        for (const { alert, about, toldAt } of due.begun) {
          expect(toldAt === undefined || now - toldAt >= HOUR_MS).toBe(true);
          open.add(`${alert} ${about}`);
        }
        expect(sent.filter((at) => now - at < HOUR_MS).length).toBeLessThanOrEqual(MOST_AN_HOUR);
        expect(dueOf(memory, now)?.begun ?? []).toEqual([]);
      }
    }),
  );
});

test('what one process has told alone is not told again by another, and its end is', () => {
  const alone = told(
    noted(EMPTY, [STORE], START),
    { begun: [{ ...STORE, since: START }], over: [], isUrgent: true },
    START,
  );
  let memory = noted(withOthers(EMPTY, alone.known), [], START + MINUTE_MS);
  expect(dueOf(memory, START + MINUTE_MS)).toBeUndefined();
  memory = noted(withOthers(memory, alone.known), [], START + 5 * MINUTE_MS);
  expect(dueOf(memory, START + 5 * MINUTE_MS)?.over).toMatchObject([STORE]);
});

describe('a message', () => {
  const known = (concern: Concern) => ({ ...concern, since: START });
  test.each(alerts.map((alert: Alert) => alert.name))(
    'of %s says what is wrong, may happen, and is to be done',
    (name) => {
      const one = known({ alert: name as Concern['alert'], about: 'something', value: 7 });
      const { subject, paragraphs, sms } = messageOf({ begun: [one], over: [], isUrgent: true }, 'resort.test');
      expect(subject).toBe(`resort.test: ${name} (something)`);
      expect(paragraphs[0]).toMatch(
        new RegExp(
          `^${name} \\(something\\), since 2026-11-27 10:00 UTC\nWhat is wrong: .+\\.\nWhat may happen: .+\\.\nWhat to do: .+\\.\nRead: docs/runbook.md#${name.toLowerCase()}$`,
        ),
      );
      expect(sms).toContain(`docs/runbook.md#${name.toLowerCase()}`);
      expect(sms.length).toBeLessThanOrEqual(306);
      expect([subject, ...paragraphs, sms].join()).not.toMatch(/undefined|[{}]/);
      // Two parts of an SMS only with letters that every phone has.
      expect(sms).toMatch(/^[\x20-\x7e]*$/);
    },
  );

  test('of a check says what the check says', () => {
    const { paragraphs } = messageOf({ begun: [known(CHECK)], over: [], isUrgent: false }, 'resort.test');
    expect(paragraphs[0]).toContain('e-mails wait, and people are not warned');
    expect(paragraphs[0]).toContain('Look at SMTP_URL');
  });

  test('of a storm names the first, and counts the rest', () => {
    const begun = Array.from({ length: 500 }, (_, index) => known({ ...FAULT, about: `${index}` }));
    const { subject, paragraphs, sms } = messageOf({ begun, over: begun, isUrgent: true }, 'resort.test');
    expect(subject).toContain('and 499 more');
    expect(paragraphs.length).toBeLessThan(40);
    expect(paragraphs).toContain('And 485 more.');
    expect(sms).toContain('And 499 more.');
  });

  test('of what is over says how long it lasted', () => {
    const over = [{ ...known(STORE), goneSince: START + DAY_MS }];
    const { subject, paragraphs, sms } = messageOf({ begun: [], over, isUrgent: true }, 'resort.test');
    expect(subject).toBe('resort.test: over: StoreAway (PostgreSQL)');
    expect(paragraphs[0]).toContain('which began at 2026-11-27 10:00 UTC and lasted 24 h.');
    expect(sms).toBe('resort.test: Over: StoreAway (PostgreSQL).');
  });
});
