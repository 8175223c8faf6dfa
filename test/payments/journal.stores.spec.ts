/** The sandbox's storage on a disk that is full: a change that was refused leaves no trace in the file. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../ops/sandbox/core/journal.ts';

const COMPILED = path.resolve(import.meta.dirname, '../../dist/ops/sandbox/core/journal.js');
/** Commits until it is refused, and then once more, something smaller. */
const FILL = `
  const { openJournal } = await import(${JSON.stringify(COMPILED)});
  const journal = openJournal(['notes'], process.argv[1]);
  const kept = [];
  try {
    for (let n = 0; ; n += 1) {
      journal.commit([['notes', String(n), 'x'.repeat(900)]]);
      kept.push(String(n));
    }
  } catch (error) {
    if (error.code !== 'EFBIG') throw error;
  }
  journal.commit([['notes', 'small', 'y']]);
  console.log(JSON.stringify([...kept, 'small']));
`;

it('keeps what was committed, and starts again', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'resort-journal-'));
  try {
    // A limit on the size of files stands in for the full disk: both refuse a write after a part of it.
    const limited = 'trap "" XFSZ; ulimit -f 16; exec "$0" --input-type=module -e "$1" "$2"';
    const out = execFileSync('sh', ['-c', limited, process.execPath, FILL, folder], { encoding: 'utf8' });
    const kept: string[] = JSON.parse(out);
    expect(kept.length).toBeGreaterThan(3);
    const journal = openJournal<{ notes: string }>(['notes'], folder);
    expect([...journal.tables.notes.keys()].toSorted()).toEqual(kept.toSorted());
    journal.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
