/**
 * Voice messages and videos: read by their container, and packed anew with one track of each kind. The place of recording,
 * other tags and other tracks are gone; sound and picture are copied as they are.
 */
import { stat } from 'node:fs/promises';
import type { Input, InputAudioTrack, InputTrack, InputVideoTrack, OutputFormat } from 'mediabunny';
import { rounded } from '../../../domain/core/numbers.ts';
import type { Mime } from '../../../domain/files/folders.ts';
import { type Container, type ContainerName, containers, packingOf, recordingTypes } from '../formats.ts';
import { tooLarge, unsupported } from '../refusals.ts';
import { damaged, orDamaged } from './damaged.ts';

type Library = typeof import('mediabunny');

/** The index comes last: players ask for that part of the file. To put it first, all of it would have to be in memory. */
const outputs: Readonly<Record<ContainerName, (library: Library) => OutputFormat>> = {
  mp4: ({ Mp4OutputFormat }) => new Mp4OutputFormat({ fastStart: false }),
  webm: ({ WebMOutputFormat }) => new WebMOutputFormat(),
  ogg: ({ OggOutputFormat }) => new OggOutputFormat(),
  mp3: ({ Mp3OutputFormat }) => new Mp3OutputFormat(),
  adts: ({ AdtsOutputFormat }) => new AdtsOutputFormat(),
  wav: ({ WavOutputFormat }) => new WavOutputFormat(),
};
export const isRecording = (found: string): boolean => Object.hasOwn(recordingTypes, found);

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
/** Of a video: cameras write a few for each kind. */
const MAX_TRACKS = 32;
/** Pixels of a video. */
const MAX_SIDE = 16_384;

/** Works with an input. Formats are named: playlists would make the library open other files and addresses. */
const reading = <T>(path: string, work: (input: Input, library: Library) => Promise<T>): Promise<T> =>
  orDamaged('recording', async () => {
    const library = await import('mediabunny');
    const { Input, FilePathSource, ADTS, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } = library;
    const input = new Input({
      source: new FilePathSource(path),
      formats: [MP4, QTFF, WEBM, MATROSKA, OGG, MP3, ADTS, WAVE],
    });
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

/** Kinds of AAC that browsers play: LC and HE. Apps for calls and radio use others. */
const PLAYED_AAC = ['mp4a.40.2', 'mp4a.40.5', 'mp4a.40.29', 'mp4a.67'];

/** The codec of a track as `packingOf` names it; undefined: it has no name. */
const codecOf = async (track: InputTrack): Promise<string | undefined> => {
  const codec = await track.getCodec();
  if (codec === null) {
    const id = await track.getInternalCodecId();
    return typeof id === 'string' ? id : undefined;
  }
  if (codec !== 'aac') return codec;
  return PLAYED_AAC.includes((await track.getCodecParameterString()) ?? '') ? codec : 'aac-other';
};

/** In the order of the file, but tracks that are not enabled come last. */
const preferred = async <T extends InputTrack>(tracks: readonly T[]): Promise<T[]> => {
  const enabled: T[] = [];
  const others: T[] = [];
  for (const track of tracks) ((await track.getDisposition()).default ? enabled : others).push(track);
  return [...enabled, ...others];
};

interface Chosen {
  readonly container: ContainerName;
  readonly picture: InputVideoTrack | undefined;
  readonly sound: InputAudioTrack | undefined;
}

/** The library reads no other codecs in WAV, and says so before there is a track. */
const isUnknownCodec = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Unsupported WAVE');

/** In Ogg, the library passes over what has a codec that it does not know. Other files without tracks are not complete. */
const HIDES_UNKNOWN = ['audio/ogg', 'audio/opus'];

/** All tracks, by kind. @throws UploadRefused when the library does not know their codec, Rejected `invalid` */
const tracksOf = async (input: Input, found: string) => {
  try {
    const pictures = await preferred(await input.getVideoTracks());
    const sounds = await preferred(await input.getAudioTracks());
    if (pictures.length + sounds.length === 0 && !HIDES_UNKNOWN.includes(found)) throw damaged('recording');
    return { pictures, sounds };
  } catch (error) {
    throw isUnknownCodec(error) ? unsupported(String(packingOf(found, [], [undefined]))) : error;
  }
};

/** The tracks that are kept, and the container for them. @throws UploadRefused when browsers play none of them */
const choose = async (input: Input, found: string): Promise<Chosen> => {
  const { pictures, sounds } = await tracksOf(input, found);
  if (pictures.length + sounds.length > MAX_TRACKS) throw tooLarge(`At most ${MAX_TRACKS} tracks are accepted.`);
  const codecs = { pictures: await Promise.all(pictures.map(codecOf)), sounds: await Promise.all(sounds.map(codecOf)) };
  const packing = packingOf(found, codecs.pictures, codecs.sounds);
  if (typeof packing === 'string') throw unsupported(packing);
  const { container, picture, sound } = packing;
  return {
    container,
    picture: picture === undefined ? undefined : pictures[picture],
    sound: sound === undefined ? undefined : sounds[sound],
  };
};

/**
 * What the recording at `path` is. @param found its type by content
 * @throws UploadRefused for codecs that browsers do not play and too many packets, Rejected `invalid` when it is damaged
 */
export const readRecording = (path: string, found: string): Promise<Recording> =>
  reading(path, async (input, library) => {
    const { container, picture, sound } = await choose(input, found);
    const tracks = [picture, sound].filter((track) => track !== undefined);
    const { voice, video = voice } = containers[container] as Container;
    await checkPackets(tracks, (await stat(path)).size, library);
    const seconds = Math.max(...(await Promise.all(tracks.map((track) => track.computeDuration()))));
    if (!Number.isFinite(seconds) || seconds <= 0) throw damaged('recording');
    const size = picture && { width: Math.round(picture.displayWidth), height: Math.round(picture.displayHeight) };
    if (size && !(isDrawable(size.width) && isDrawable(size.height))) throw damaged('recording');
    return {
      kind: picture ? 'video' : 'voice',
      mime: picture ? video : voice,
      durationS: rounded(seconds, 3),
      width: size?.width ?? null,
      height: size?.height ?? null,
    };
  });

/** Packs the recording at `path` anew into `to`. @throws like `readRecording` */
export const packAnew = (path: string, to: string, found: string): Promise<void> =>
  reading(path, async (input, library) => {
    const { Conversion, FilePathTarget, Output } = library;
    const { container, picture, sound } = await choose(input, found);
    const isKept = (track: InputTrack): boolean => track.id === picture?.id || track.id === sound?.id;
    const conversion = await Conversion.init({
      input,
      output: new Output({ format: outputs[container](library), target: new FilePathTarget(to) }),
      video: (track) => ({ discard: !isKept(track) }),
      audio: (track) => ({ discard: !isKept(track) }),
      copy: { mode: 'forced' },
      tags: {},
      showWarnings: false,
    });
    const kept = [picture, sound].filter((track) => track !== undefined);
    if (!conversion.isValid || conversion.utilizedTracks.length !== kept.length) throw damaged('recording');
    await conversion.execute();
  });
