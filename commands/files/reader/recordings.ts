/**
 * Voice messages and videos: read by their container, and packed anew with their first track of each kind only. The
 * place of recording, other tags and other tracks are gone; sound and picture are copied as they are.
 */
import type { Input, OutputFormat } from 'mediabunny';
import { Rejected } from '../../../domain/core/decider.ts';
import { rounded } from '../../../domain/core/numbers.ts';
import type { Mime } from '../../../domain/files/folders.ts';
import { createKeyedQueue } from '../../../infra/keyedQueue.ts';
import { withTimeout } from '../../../infra/retry.ts';
import { UploadRefused, unsupported } from '../refusals.ts';

type Library = typeof import('mediabunny');

interface Container {
  readonly voice?: Mime;
  readonly video?: Mime;
  readonly output: (library: Library) => OutputFormat;
}

/**
 * The index comes last: players ask for that part of the file. To put it first, all of the file would have to be in
 * memory, and 50 MB are copied in 0.3 s, in which nothing else is answered.
 */
const MP4: Container = {
  voice: 'audio/mp4',
  video: 'video/mp4',
  output: ({ Mp4OutputFormat }) => new Mp4OutputFormat({ fastStart: false }),
};
const WEBM: Container = {
  voice: 'audio/webm',
  video: 'video/webm',
  output: ({ WebMOutputFormat }) => new WebMOutputFormat(),
};
const OGG: Container = { voice: 'audio/ogg', output: ({ OggOutputFormat }) => new OggOutputFormat() };

/** Types as they are found by content. */
const CONTAINERS: Readonly<Record<string, Container>> = {
  'audio/mp4': MP4,
  'audio/x-m4a': MP4,
  'video/mp4': MP4,
  'video/x-m4v': MP4,
  'video/quicktime': MP4,
  'audio/webm': WEBM,
  'video/webm': WEBM,
  'audio/ogg': OGG,
  'audio/opus': OGG,
  'audio/mpeg': { voice: 'audio/mpeg', output: ({ Mp3OutputFormat }) => new Mp3OutputFormat() },
  'audio/aac': { voice: 'audio/aac', output: ({ AdtsOutputFormat }) => new AdtsOutputFormat() },
  'audio/wav': { voice: 'audio/wav', output: ({ WavOutputFormat }) => new WavOutputFormat() },
};
export const isRecording = (found: string): boolean => found in CONTAINERS;

export interface Recording {
  readonly kind: 'voice' | 'video';
  readonly mime: Mime;
  /** In seconds, with milliseconds. */
  readonly durationS: number;
  /** Of a video, in pixels, upright. */
  readonly width: number | null;
  readonly height: number | null;
}

const WITHIN_MS = 30_000;

const packing = createKeyedQueue({ atOnce: 2, waiting: 50, patienceMs: 30_000 });

const damaged = () => new Rejected('invalid', 'The recording is damaged or is not complete. Record it again.');
const unknownCodec = () =>
  unsupported('The recording has a codec that is not accepted. Use H.264, HEVC, VP9 or AV1, and AAC, MP3 or Opus.');

/** Works with an input. Formats are named: playlists would make the library open other files and addresses. */
const reading = async <T>(path: string, work: (input: Input, library: Library) => Promise<T>): Promise<T> => {
  const library = await import('mediabunny');
  const { Input, FilePathSource, ADTS, MP3, MP4, OGG, QTFF, WAVE, WEBM } = library;
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM, OGG, MP3, ADTS, WAVE] });
  try {
    return await withTimeout(work(input, library), WITHIN_MS, 'reading a recording');
  } catch (error) {
    if (error instanceof Rejected || error instanceof UploadRefused) throw error;
    throw damaged(); // also when it takes too long
  } finally {
    input.dispose();
  }
};

/**
 * What the recording at `path` is. @param found its type by content
 * @throws UploadRefused for codecs that are not known, Rejected `invalid` when it is damaged
 */
export const readRecording = (path: string, found: string): Promise<Recording> =>
  reading(path, async (input) => {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (!video && !audio) throw damaged();
    const kind = video ? 'video' : 'voice';
    const mime = CONTAINERS[found]?.[kind];
    if (!mime || (video ?? audio)?.codec == null) throw unknownCodec();
    const seconds = await input.computeDuration();
    if (!Number.isFinite(seconds) || seconds <= 0) throw damaged();
    return {
      kind,
      mime,
      durationS: rounded(seconds, 3),
      width: video?.displayWidth ?? null,
      height: video?.displayHeight ?? null,
    };
  });

/** Packs the recording at `path` anew into `to`. @throws like `readRecording`; Overloaded while too many are packed */
export const packAnew = (path: string, to: string, found: string): Promise<void> =>
  packing.run('recordings', () =>
    reading(path, async (input, library) => {
      const { Conversion, FilePathTarget, Output } = library;
      const format = CONTAINERS[found]?.output(library);
      if (!format) throw unknownCodec();
      const conversion = await Conversion.init({
        input,
        output: new Output({ format, target: new FilePathTarget(to) }),
        tracks: 'primary',
        copy: { mode: 'forced' },
        tags: {},
        showWarnings: false,
      });
      if (!conversion.isValid || conversion.discardedTracks.length > 0) throw unknownCodec();
      const late = setTimeout(() => void conversion.cancel(), WITHIN_MS);
      await conversion.execute().finally(() => clearTimeout(late));
    }),
  );
