/** What a file is by its content. */
import { open } from 'node:fs/promises';
import { ANIMATED_AVIF, ANIMATED_PNG, HEIF } from '../formats.ts';

/** Bytes at the beginning in which the brands of a file and the frames of a picture are looked for. */
const BEGINNING = 64 * 1024;
const MOST_BRANDS = 64;

/** Brands of pictures in HEIF (ISO 23008-12) that are not AVIF, and of sequences of them. */
const HEIF_BRANDS = [
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'hevm',
  'hevs',
  'mif1',
  'mif2',
  'msf1',
  'avci',
  'avcs',
];
const AVIF = { still: 'avif', animated: 'avis' };

const beginningOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** The brands of an ISO base media file, the major one first; none when it is no such file. */
const brandsIn = (bytes: Buffer): string[] => {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 16 + 4 * MOST_BRANDS);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return brands;
};

/** The type of a picture in an ISO base media file; undefined when the major brand is not that of a picture. */
const pictureIn = (brands: readonly string[]): string | undefined => {
  const [major = ''] = brands;
  if (![...HEIF_BRANDS, AVIF.still, AVIF.animated].includes(major)) return undefined;
  if (brands.includes(AVIF.animated)) return ANIMATED_AVIF;
  return brands.includes(AVIF.still) ? 'image/avif' : HEIF;
};

/** A PNG of a single frame can have the chunk for animations, too: `acTL`, which begins with their number. */
const isSingle = (bytes: Buffer): boolean => {
  const at = bytes.indexOf('acTL');
  return at >= 0 && at + 8 <= bytes.length && bytes.readUInt32BE(at + 4) === 1;
};

/** The media type of the file at `path`, without parameters; `unknown` when it has none. */
export const typeOf = async (path: string): Promise<string> => {
  const { fileTypeFromFile } = await import('file-type');
  const bytes = await beginningOf(path);
  const picture = pictureIn(brandsIn(bytes));
  if (picture) return picture;
  if (bytes.toString('latin1', 0, 4) === 'caff') return 'audio/x-caf';
  const mime = (await fileTypeFromFile(path))?.mime.split(';')[0] ?? 'unknown';
  return mime === ANIMATED_PNG && isSingle(bytes) ? 'image/png' : mime;
};
