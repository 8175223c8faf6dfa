/**
 * Voice messages and videos: read by their container, and packed anew with their first track of each kind only. The
 * place of recording, other tags and other tracks are gone; sound and picture are copied as they are.
 */
import { stat } from 'node:fs/promises';
import type { Input, InputTrack, OutputFormat } from 'mediabunny';
import { rounded } from '../../../domain/core/numbers.ts';
import type { Mime } from '../../../domain/files/folders.ts';
import { tooLarge, unsupported } from '../refusals.ts';
import { damaged, orDamaged } from './damaged.ts';

type Library = typeof import('mediabunny');

interface Container {
  readonly voice?: Mime;
  readonly video?: Mime;
  readonly output: (library: Library) => OutputFormat;
}

/** The index comes last: players ask for that part of the file. To put it first, all of it would have to be in memory. */
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

/** Of both tracks. Ten minutes of the shortest packets (2.5 ms) are 240,000. */
const MAX_PACKETS = 250_000;
/** Pixels of a video. */
const MAX_SIDE = 16_384;

const unknownCodec = () =>
  unsupported('The recording has a codec that is not accepted. Use H.264, HEVC, VP9 or AV1, and AAC, MP3 or Opus.');

/** Works with an input. Formats are named: playlists would make the library open other files and addresses. */
const reading = <T>(path: string, work: (input: Input, library: Library) => Promise<T>): Promise<T> =>
  orDamaged('recording', async () => {
    const library = await import('mediabunny');
    const { Input, FilePathSource, ADTS, MP3, MP4, OGG, QTFF, WAVE, WEBM } = library;
    const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM, OGG, MP3, ADTS, WAVE] });
    try {
      return await work(input, library);
    } finally {
      input.dispose();
    }
  });

/**
 * Tables can name the same bytes any number of times: then a small file would take long to pack, and become a large one.
 * @throws UploadRefused with too many packets, Rejected `invalid` when they have more bytes than the file
 */
const checkPackets = async (tracks: readonly InputTrack[], size: number, { EncodedPacketSink }: Library) => {
  let [packets, bytes] = [0, 0];
  for (const track of tracks)
    for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
      packets += 1;
      bytes += packet.byteLength + (packet.sideData.alphaByteLength ?? 0);
      if (bytes > size) throw damaged('recording');
      if (packets > MAX_PACKETS) throw tooLarge(`At most ${MAX_PACKETS} packets of a recording are accepted.`);
    }
};

const isDrawable = (pixels: number): boolean => pixels > 0 && pixels <= MAX_SIDE;

/**
 * What the recording at `path` is. @param found its type by content
 * @throws UploadRefused for codecs that are not known and too many packets, Rejected `invalid` when it is damaged
 */
export const readRecording = (path: string, found: string): Promise<Recording> =>
  reading(path, async (input, library) => {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const tracks = [video, audio].filter((track) => track !== null);
    if (tracks.length === 0) throw damaged('recording');
    const kind = video ? 'video' : 'voice';
    const mime = CONTAINERS[found]?.[kind];
    if (!mime || (video ?? audio)?.codec == null) throw unknownCodec();
    await checkPackets(tracks, (await stat(path)).size, library);
    const seconds = await input.computeDuration();
    if (!Number.isFinite(seconds) || seconds <= 0) throw damaged('recording');
    const size = video && { width: Math.round(video.displayWidth), height: Math.round(video.displayHeight) };
    if (size && !(isDrawable(size.width) && isDrawable(size.height))) throw damaged('recording');
    return { kind, mime, durationS: rounded(seconds, 3), width: size?.width ?? null, height: size?.height ?? null };
  });

/** Packs the recording at `path` anew into `to`. @throws like `readRecording` */
export const packAnew = (path: string, to: string, found: string): Promise<void> =>
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
    await conversion.execute();
  });
