/** MurmurHash3, 32 bits (x86), of the UTF-8 bytes of a text: the hash of Unleash, so that its clients agree with us. */

const utf8 = new TextEncoder();

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
const scramble = (block: number): number => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);

/** Spreads every bit of the input over all bits of the result. */
const avalanche = (hash: number): number => {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
};

/** An integer from 0 up to 2^32. */
export const murmur3 = (text: string, seed: number): number => {
  const bytes = utf8.encode(text);
  const byte = (at: number): number => bytes[at] ?? 0;
  const block = (at: number): number => byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
  const whole = bytes.length - (bytes.length % 4);
  let hash = seed;
  for (let at = 0; at < whole; at += 4) hash = (Math.imul(rotate(hash ^ scramble(block(at)), 13), 5) + 0xe6546b64) | 0;
  if (whole < bytes.length) hash ^= scramble(block(whole));
  return avalanche(hash ^ bytes.length);
};
