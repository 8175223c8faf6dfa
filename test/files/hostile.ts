/** Small files that cost much to read: each is well-formed, or nearly so. */
import { mp4 } from './samples.ts';

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const words = (...values: readonly number[]): Buffer => Buffer.concat(values.map(word));

/** The boxes of an MP4 on the way to its sample tables. */
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** The same MP4 with other contents of the boxes that are named. */
const withBoxes = (bytes: Buffer, contents: Readonly<Record<string, Buffer>>): Buffer => {
  const boxes: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const inner = bytes.subarray(at + 8, at + size);
    const content = contents[type] ?? (CONTAINERS.includes(type) ? withBoxes(inner, contents) : inner);
    boxes.push(word(8 + content.length), Buffer.from(type), content);
    at += size;
  }
  return Buffer.concat(boxes);
};

export interface Tables {
  /** All chunks are at the same place of the file. */
  readonly chunks: number;
  readonly samplesPerChunk: number;
  /** Bytes of each sample. */
  readonly sampleSize: number;
  /** What the file has of samples, in bytes. */
  readonly content?: number;
}

/** A voice message whose tables name the same bytes again and again. */
export const overlapping = async ({ chunks, samplesPerChunk, sampleSize, content = 900 }: Tables): Promise<Buffer> => {
  const samples = chunks * samplesPerChunk;
  const plain = await mp4(1, { video: false });
  const tables = (offset: number) =>
    withBoxes(plain, {
      stts: words(0, 1, samples, 1),
      stsc: words(0, 1, 1, samplesPerChunk, 1),
      stsz: words(0, sampleSize, samples),
      stco: words(0, chunks, ...Array<number>(chunks).fill(offset)),
      mdat: Buffer.alloc(content, 1),
    });
  return tables(tables(0).indexOf('mdat') + 4);
};

const half = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const segment = (marker: number, ...parts: readonly (Buffer | number[])[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([0xff, marker]), half(2 + content.length), content]);
};
/** A Huffman table with one code, of one bit, for `symbol`. */
const oneCode = (table: number, symbol: number): Buffer =>
  segment(0xc4, [table, 1, ...Array<number>(15).fill(0), symbol]);

/** A valid progressive JPEG in grey: each coefficient comes in 14 scans, one bit at a time, for as many scans as asked. */
export const manyScans = (side: number, scans: number): Buffer => {
  const blocks = Math.ceil(side / 8) ** 2;
  const scan = (first: number, last: number, bits: number, data: Buffer) =>
    Buffer.concat([segment(0xda, [1, 1, 0x00, first, last, bits]), data]);
  // Runs of 16,384 empty blocks, of 15 bits each.
  const empty = Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8));
  const ofCoefficients = Array.from({ length: scans - 1 }, (_, n) => {
    const [coefficient, bit] = [1 + Math.floor(n / 14), 13 - (n % 14)];
    return scan(coefficient, coefficient, bit === 13 ? 13 : ((bit + 1) << 4) | bit, empty);
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0], Buffer.alloc(64, 1)),
    segment(0xc2, [8], half(side), half(side), [1, 1, 0x11, 0]),
    oneCode(0x00, 0),
    oneCode(0x10, 0xe0),
    scan(0, 0, 0, Buffer.alloc(Math.ceil(blocks / 8))),
    ...ofCoefficients,
    Buffer.from([0xff, 0xd9]),
  ]);
};
