/** Compares `docs/benchmarks.md` with the benchmarks, and checks how they reckon. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines } from '../bench/lines/index.ts';
import { digits } from '../bench/report.ts';
import { type Contender, compare, spreadOf } from '../bench/rounds.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(ROOT, 'docs/benchmarks.md');

describe('docs/benchmarks.md', () => {
  it('describes every line (UPDATE_GOLDEN=1 writes it)', () => {
    const text = readFileSync(FILE, 'utf8');
    const [start, end] = [text.indexOf('<!-- lines -->') + '<!-- lines -->'.length, text.indexOf('<!-- /lines -->')];
    const rows = lines.map(({ name, work, peer, goal }) => `| ${name} | ${work} | ${peer ?? '–'} | ${goal} |`);
    const table = ['| line | work | peer in the same run | must reach |', '|---|---|---|---|', ...rows].join('\n');
    if (process.env.UPDATE_GOLDEN) writeFileSync(FILE, `${text.slice(0, start)}\n${table}\n${text.slice(end)}`);
    else expect(text.slice(start, end).trim()).toBe(table);
  });

  it('has each name once', () => {
    expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length);
  });
});

describe('the benchmarks', () => {
  it('take peers from packages of their own only', () => {
    const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
    const { dependencies, devDependencies } = read('package.json');
    const shared = Object.keys(read('test/bench/package.json').dependencies).filter(
      (name) => name in { ...dependencies, ...devDependencies },
    );
    expect(shared).toEqual([]);
  });

  it('reckon the median and the spread', () => {
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, least: 1, most: 5 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 });
  });

  it('let contenders take turns after a warm-up for each', async () => {
    const order: string[] = [];
    const contender = (name: string, operations: number): Contender => ({
      name,
      processes: () => ({}),
      run: async (seconds) => {
        order.push(name);
        return { operations, seconds };
      },
    });
    const results = await compare([contender('a', 10), contender('b', 30)], {
      warmUpSeconds: 1,
      seconds: 2,
      rounds: 2,
    });
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(results.map(({ rate }) => rate.median)).toEqual([5, 15]);
  });

  it('fail for a contender that does nothing', async () => {
    const idle: Contender = {
      name: 'idle',
      processes: () => ({}),
      run: async (seconds) => ({ operations: 0, seconds }),
    };
    await expect(compare([idle], { warmUpSeconds: 0, seconds: 1, rounds: 1 })).rejects.toThrow('idle did nothing');
  });

  it('print three digits that mean something', () => {
    expect([12_345.6, 45.67, 0.123, 0.0456].map(digits)).toEqual(['12,346', '45.7', '0.12', '0.046']);
  });
});
