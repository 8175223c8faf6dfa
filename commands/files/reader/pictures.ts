/**
 * Pictures are decoded and written anew: what else the upload has (place, camera, comments, code behind the picture) is
 * gone, it is upright, and no larger than screens need. Opaque pictures become JPEG, others and animations WebP.
 */
import { readFile } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import type { Mime } from '../../../domain/files/folders.ts';
import type { PictureType } from '../formats.ts';
import { tooLarge } from '../refusals.ts';
import { damaged, orDamaged } from './damaged.ts';
import { countScans } from './jpegScans.ts';

export interface Picture {
  readonly mime: Mime;
  readonly width: number;
  readonly height: number;
}

/** Pixels of all frames together: a small file can claim very many. Cameras of phones make up to 50 million. */
const MAX_PIXELS = 60_000_000;
const MAX_FRAMES = 300;
/** As many as a JPEG can have. Scaling a line that is longer takes the longer, the fewer pixels are left of it. */
const MAX_SIDE = 65_535;
/** The longer side in pixels. */
const SIDE = { still: 2_560, animated: 1_024, thumbnail: 400 };
/** Pixels times scans: cameras and editors write about ten scans. */
const MAX_SCANNED = 1_500_000_000;

/** The decoders of the types of pictures; all others that the library has are off. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

const load = async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  return sharp;
};
type Sharp = Awaited<ReturnType<typeof load>>;

/** What the header says, before anything is decoded. */
const check = ({ width = 0, height = 0, pages = 1, pageHeight = height }: Metadata): { animated: boolean } => {
  if (width === 0 || pageHeight === 0) throw damaged('picture');
  if (pages > MAX_FRAMES) throw tooLarge(`The animation has ${pages} frames. At most ${MAX_FRAMES} are accepted.`);
  if (Math.max(width, pageHeight) > MAX_SIDE)
    throw tooLarge(`The picture has ${width} × ${pageHeight} pixels. At most ${MAX_SIDE} are accepted on a side.`);
  if (width * pageHeight * pages > MAX_PIXELS)
    throw tooLarge(
      `The picture has ${width} × ${pageHeight} pixels${pages > 1 ? ` in ${pages} frames` : ''}. At most ${MAX_PIXELS / 1e6} million pixels are accepted.`,
    );
  return { animated: pages > 1 };
};

const within = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

const checkScans = async (path: string, { width = 0, height = 0 }: Metadata): Promise<void> => {
  const scans = countScans(await readFile(path));
  if (scans * width * height > MAX_SCANNED)
    throw tooLarge(`The picture is stored in ${scans} passes, too many for its size. Save it as an ordinary JPEG.`);
};

const convert = async (sharp: Sharp, path: string, type: PictureType, anew: string): Promise<Picture> => {
  const header = await sharp(path, { limitInputPixels: false }).metadata();
  const { animated } = check(header);
  if (type === 'image/jpeg') await checkScans(path, header);
  const input = sharp(path, { limitInputPixels: MAX_PIXELS, animated, failOn: 'truncated' });
  const upright = animated ? input : input.autoOrient();
  const sized = upright.resize(within(animated ? SIDE.animated : SIDE.still));
  const asWebp = animated || header.hasAlpha === true;
  const { width, height, pageHeight } = await (asWebp
    ? sized.webp({ quality: 80, effort: 2 })
    : sized.jpeg({ quality: 85 })
  ).toFile(anew);
  return { mime: asWebp ? 'image/webp' : 'image/jpeg', width, height: pageHeight ?? height };
};

/**
 * Writes the picture at `path` to `anew`, and its thumbnail (a WebP of the first frame) to `thumbnail`.
 * @param type by the content
 * @throws UploadRefused when it has too many pixels, frames or scans, Rejected `invalid` when it cannot be decoded
 */
export const writeAnew = (
  path: string,
  type: PictureType,
  { anew, thumbnail }: { readonly anew: string; readonly thumbnail: string },
): Promise<Picture> =>
  orDamaged('picture', async () => {
    const sharp = await load();
    const picture = await convert(sharp, path, type, anew);
    await sharp(anew).resize(within(SIDE.thumbnail)).webp({ quality: 75, effort: 2 }).toFile(thumbnail);
    return picture;
  });
