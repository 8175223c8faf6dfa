/** Ids of 16 bytes get the numbers that a map would give them. */
import { expect, it } from 'vitest';
import { Numbering } from '../../commands/analytics/numbering.ts';

it('numbers ids in the order in which they are first seen, however many there are', () => {
  const numbering = new Numbering();
  const known = new Map<string, number>();
  const bytes = Buffer.alloc(16);
  // Ids that differ in few bits, each of them twice.
  for (let n = 0; n < 40_000; n += 1) {
    const id = (n * 7) % 20_000;
    bytes.fill(0);
    bytes.writeUInt32BE(id, (id % 4) * 4);
    const key = bytes.toString('hex');
    if (!known.has(key)) known.set(key, known.size);
    expect(numbering.of(new DataView(bytes.buffer, bytes.byteOffset), 0)).toBe(known.get(key));
  }
});
