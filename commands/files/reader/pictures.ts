/**
 * Pictures are decoded and written anew: what else the upload has (place, camera, comments, code behind the picture) is
 * gone, it is upright, and no larger than screens need. Opaque pictures become JPEG, others and animations WebP.
 */
import type { Metadata } from 'sharp';
import { Rejected } from '../../../domain/core/decider.ts';
import type { Mime } from '../../../domain/files/folders.ts';
import { createKeyedQueue } from '../../../infra/keyedQueue.ts';
import { tooLarge, UploadRefused } from '../refusals.ts';

export interface Picture {
  readonly mime: Mime;
  readonly width: number;
  readonly height: number;
}

/** Pixels of all frames together: a small file can claim very many. Cameras of phones make up to 50 million. */
const MAX_PIXELS = 60_000_000;
const MAX_FRAMES = 300;
/** The longer side in pixels. */
const SIDE = { still: 2_560, animated: 1_024, thumbnail: 400 };
const DECODE_S = 30;

/** Decoding a large picture takes some 200 MB and a core. */
const decoding = createKeyedQueue({ atOnce: 2, waiting: 50, patienceMs: 30_000 });

/** Loaded at the first upload: most processes never need it. */
const load = async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
};
type Sharp = Awaited<ReturnType<typeof load>>;

const damaged = () => new Rejected('invalid', 'The picture is damaged or is not complete. Choose another one.');

/** What the header says, before anything is decoded. */
const check = ({ width = 0, height = 0, pages = 1, pageHeight = height }: Metadata): { animated: boolean } => {
  if (width === 0 || pageHeight === 0) throw damaged();
  if (pages > MAX_FRAMES) throw tooLarge(`The animation has ${pages} frames. At most ${MAX_FRAMES} are accepted.`);
  if (width * pageHeight * pages > MAX_PIXELS)
    throw tooLarge(
      `The picture has ${width} × ${pageHeight} pixels${pages > 1 ? ` in ${pages} frames` : ''}. At most ${MAX_PIXELS / 1e6} million pixels are accepted.`,
    );
  return { animated: pages > 1 };
};

const within = (side: number) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

const convert = async (sharp: Sharp, from: string, to: string): Promise<Picture> => {
  const header = await sharp(from, { limitInputPixels: false }).metadata();
  const { animated } = check(header);
  const input = sharp(from, { limitInputPixels: MAX_PIXELS, animated, failOn: 'truncated' }).timeout({
    seconds: DECODE_S,
  });
  const upright = animated ? input : input.autoOrient();
  const sized = upright.resize(within(animated ? SIDE.animated : SIDE.still));
  const asWebp = animated || header.hasAlpha === true;
  const { width, height, pageHeight } = await (asWebp
    ? sized.webp({ quality: 80, effort: 2 })
    : sized.jpeg({ quality: 85 })
  ).toFile(to);
  return { mime: asWebp ? 'image/webp' : 'image/jpeg', width, height: pageHeight ?? height };
};

/**
 * Writes the picture `from` to `to`, and its thumbnail (a WebP of the first frame) to `thumbnail`.
 * @throws UploadRefused when it has too many pixels or frames, Rejected `invalid` when it cannot be decoded
 * @throws Overloaded while too many pictures are being decoded
 */
export const writeAnew = (from: string, to: string, thumbnail: string): Promise<Picture> =>
  decoding.run('pictures', async () => {
    const sharp = await load();
    try {
      const picture = await convert(sharp, from, to);
      await sharp(to).resize(within(SIDE.thumbnail)).webp({ quality: 75, effort: 2 }).toFile(thumbnail);
      return picture;
    } catch (error) {
      if (error instanceof Rejected || error instanceof UploadRefused) throw error;
      throw damaged();
    }
  });
