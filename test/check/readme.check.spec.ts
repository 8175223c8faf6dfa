/** Compares the README, CONTRIBUTING and `docs/` with the code. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';
import { transitions } from '../../domain/bookings/booking.ts';
import { addDays } from '../../domain/core/dates.ts';
import { winterAt } from '../../ops/seed/products.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

describe('the README', () => {
  it('gives a reason for every dependency', () => {
    const [, table = ''] = README.split('## Dependencies');
    const types = (name: string) => name.startsWith('@types/');
    const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !types(name) && !table.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const named = [...README.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('calls only paths that exist', () => {
    const named = [...README.matchAll(/(?:\$API|post "?)(\/[\w/$-]+)/g)].map(([, named = '']) => named);
    const paths = routes.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((each) => !paths.some((path) => path.test(each)))).toEqual([]);
  });

  /** A demo that was started in the winter before has the tariffs of both. */
  const tariffsAt = (tomorrow: string) =>
    [addDays(tomorrow, -90), addDays(tomorrow, -1)].map((started) => ({ id: started, season: winterAt(started) }));

  it.each([
    '2026-07-01',
    '2026-11-14',
    '2027-01-20',
    '2027-04-22',
    '2027-04-25',
    '2027-04-29',
    '2027-04-30',
    '2027-05-01',
  ])('buys passes for three days of a season when tomorrow is %s', (tomorrow) => {
    const [json = ''] = /^json\(\).*$/m.exec(README) ?? [];
    const [, ride = ''] = README.split('### Ride');
    const [choice = ''] = /^TARIFFS=.*?^DAY=.*?$/ms.exec(ride) ?? [];
    const data = tariffsAt(tomorrow);
    const script = `${json}\ncurl() { echo '${JSON.stringify({ data })}'; }\nDAY=${tomorrow}\n${choice}\necho "$FAMILY $DAY"`;
    const [id, day = ''] = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
    const { from = '', to = '' } = data.find((tariff) => tariff.id === id)?.season ?? {};
    expect([day >= tomorrow, day >= from, addDays(day, 2) <= to]).toEqual([true, true, true]);
  });

  it('shows every top-level folder', () => {
    const folders = readdirSync(ROOT).filter(
      (name) =>
        !/^(\.|node_modules$|dist$|docs$|coverage$)/.test(name) && statSync(path.join(ROOT, name)).isDirectory(),
    );
    expect(folders.filter((name) => !README.includes(`\n${name}/`))).toEqual([]);
  });
});

/** First column of the table → command. The rows for creating and paying have no command of this name. */
const BOOKING_ROWS = {
  'change dates, slot, guests': 'Reschedule',
  'propose a change of dates, slot, guests': 'ProposeChange',
  'make a proposed change': 'MakeChange',
  'change notes': 'ChangeNotes',
  'change guest details': 'ChangeGuest',
  confirm: 'Confirm',
  complete: 'Complete',
  'no-show': 'MarkNoShow',
  'withdraw a no-show': 'WithdrawNoShow',
  expire: 'Expire',
  cancel: 'Cancel',
  reject: 'Reject',
} as const;

describe('docs/interface.md', () => {
  const TEXT = readFileSync(path.join(ROOT, 'docs/interface.md'), 'utf8');
  const rows = new Map(TEXT.split('\n').map((line) => [line.split('|')[1]?.trim(), line.split('|').slice(2, 5)]));
  const states = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, state]) => state);

  it.each(Object.entries(BOOKING_ROWS))('has the states and parties of: %s', (row, command) => {
    const [from, by = '', to] = rows.get(row) ?? [];
    const rule = transitions[command];
    expect(states(from)).toEqual([...rule.from]);
    expect(['guest', 'provider', 'admin', 'system'].filter((party) => by.includes(party)).sort()).toEqual(
      [...rule.by].sort(),
    );
    expect(states(to)).toEqual(rule.to === undefined ? [] : [rule.to]);
  });
});

describe('docs/', () => {
  it('names only specs that exist', () => {
    const specs = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => path.basename(file, '.spec.ts'));
    const text = readdirSync(path.join(ROOT, 'docs/decisions'))
      .map((file) => readFileSync(path.join(ROOT, 'docs/decisions', file), 'utf8'))
      .join('\n');
    const named = [...text.matchAll(/\b\w+\.(?:unit|stores|http|system)\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !specs.includes(name))).toEqual([]);
  });
});

describe('docs/glossary.md', () => {
  const rows = readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 5 && /^`/.test(cells[3] ?? ''));
  const terms = rows.map(([, term = '', meaning = '', code = '']) => ({
    term,
    meaning,
    code: code.replaceAll('`', ''),
  }));

  it('explains each term once, in one sentence', () => {
    expect(terms.length).toBeGreaterThan(60);
    expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
    expect(terms.filter(({ meaning }) => !/^[A-Z].*\.$/.test(meaning) || /\. [A-Z]/.test(meaning))).toEqual([]);
  });

  it('names files that exist', () => {
    expect(terms.filter(({ code }) => !existsSync(path.join(ROOT, code)))).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  const TEXT = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

  it('names only specs and helpers that exist', () => {
    const files = [...TEXT.matchAll(/test\/[\w/]+(?:\.\w+)*\.ts/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(5);
    // The waiting list is the example of a feature that is still to be written.
    const missing = files.filter((file) => !file.includes('waitingList') && !existsSync(path.join(ROOT, file)));
    expect(missing).toEqual([]);
  });
});
