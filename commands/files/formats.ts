/**
 * Which pictures and recordings are taken, what becomes of them, and what is refused in which words. Reading, the API's
 * description and `docs/media.md` follow from these declarations.
 */

import type { MediaKind, Mime } from '../../domain/files/folders.ts';
import { type Codec, nameOf } from './codecs.ts';

/** Types of pictures that are decoded, as they are found by content. */
export const pictureTypes = {
  'image/jpeg': {
    name: 'JPEG',
    stored: 'JPEG',
    left: 'the first picture, in standard range: not the others of an MPF file, the video of a motion photo or the gain map of Ultra HDR',
  },
  'image/png': { name: 'PNG', stored: 'JPEG, or WebP where it is transparent', left: 'the picture' },
  'image/webp': {
    name: 'WebP',
    stored: 'JPEG; WebP where it is transparent or animated',
    left: 'all frames, their times and how often they repeat',
  },
  'image/gif': {
    name: 'GIF',
    stored: 'JPEG; WebP where it is transparent or animated',
    left: 'all frames, their times and how often they repeat',
  },
  'image/avif': { name: 'AVIF', stored: 'JPEG, or WebP where it is transparent', left: 'the picture' },
} as const;
export type PictureType = keyof typeof pictureTypes;

export interface Container {
  readonly name: string;
  /** As what it is served with sound alone, and with a picture. */
  readonly voice: Mime;
  readonly video?: Mime;
  /** What browsers play in this container. */
  readonly picture: readonly Codec[];
  readonly sound: readonly Codec[];
}

/** Containers in which recordings are stored. */
export const containers = {
  mp4: {
    name: 'MP4',
    voice: 'audio/mp4',
    video: 'video/mp4',
    picture: ['avc', 'hevc', 'vp9', 'av1'],
    sound: ['aac', 'mp3', 'opus'],
  },
  webm: {
    name: 'WebM',
    voice: 'audio/webm',
    video: 'video/webm',
    picture: ['vp8', 'vp9', 'av1'],
    sound: ['opus'],
  },
  ogg: { name: 'Ogg', voice: 'audio/ogg', picture: [], sound: ['opus'] },
  mp3: { name: 'MP3', voice: 'audio/mpeg', picture: [], sound: ['mp3'] },
  adts: { name: 'AAC', voice: 'audio/aac', picture: [], sound: ['aac'] },
  wav: {
    name: 'WAV',
    voice: 'audio/wav',
    picture: [],
    sound: ['pcm-u8', 'pcm-s16', 'pcm-s24', 'pcm-f32', 'ulaw', 'alaw'],
  },
} as const satisfies Record<string, Container>;
export type ContainerName = keyof typeof containers;

interface RecordingType {
  readonly name: string;
  /** The first container that takes its sound and picture is used: both are copied, never encoded again. */
  readonly packed: readonly ContainerName[];
}

const ofMp4 = (name: string): RecordingType => ({ name, packed: ['mp4', 'wav'] });

/** Types of recordings that are packed anew, as they are found by content. MP4 has any brand that is not one of below. */
export const recordingTypes: Readonly<Record<string, RecordingType>> = {
  'video/mp4': ofMp4('MP4'),
  'audio/mp4': ofMp4('M4A'),
  'audio/x-m4a': ofMp4('M4A'),
  'video/x-m4v': ofMp4('M4V'),
  'video/3gpp': ofMp4('3GP'),
  'video/3gpp2': ofMp4('3G2'),
  'video/quicktime': ofMp4('QuickTime'),
  'audio/webm': { name: 'WebM', packed: ['webm', 'mp4', 'wav'] },
  'video/webm': { name: 'WebM', packed: ['webm', 'mp4', 'wav'] },
  'video/matroska': { name: 'Matroska', packed: ['webm', 'mp4', 'wav'] },
  'audio/ogg': { name: 'Ogg', packed: ['ogg'] },
  'audio/opus': { name: 'Ogg', packed: ['ogg'] },
  'audio/mpeg': { name: 'MP3', packed: ['mp3'] },
  'audio/aac': { name: 'AAC', packed: ['adts'] },
  'audio/wav': { name: 'WAV', packed: ['wav'] },
};

const namesOf = (types: readonly { readonly name: string }[]): string =>
  [...new Set(types.map(({ name }) => name))].join(', ');

/** What is taken, for descriptions: the names of types. */
export const takenTypes = {
  pictures: namesOf(Object.values(pictureTypes)),
  recordings: namesOf(Object.values(recordingTypes)),
};

/** Own names of types that `file-type` does not tell from others. */
export const ANIMATED_AVIF = 'image/avif-sequence';
export const ANIMATED_PNG = 'image/apng';
export const HEIF = 'image/heic';

const animated = (name: string): string =>
  `Animated ${name} cannot be read, and would become a still picture. Send it as GIF or animated WebP, or as a video.`;

interface RefusedType {
  readonly name: string;
  readonly detail: string;
}

/** Types that are refused in words of their own. */
export const refusedTypes: Readonly<Record<string, RefusedType>> = {
  [HEIF]: {
    name: 'HEIC, HEIF',
    detail: 'Photos in the format HEIC cannot be read. Send them as JPEG ("Most Compatible" in the camera).',
  },
  [ANIMATED_AVIF]: { name: 'Animated AVIF', detail: animated('AVIF') },
  [ANIMATED_PNG]: { name: 'Animated PNG', detail: animated('PNG') },
};

/** Types that are refused by what they are in general. */
export const refusedGroups: Readonly<Record<string, RefusedType & { readonly kinds: readonly MediaKind[] }>> = {
  image: {
    kinds: ['image'],
    name: 'Other pictures (TIFF, BMP, JPEG XL, raw pictures of cameras)',
    detail: 'Pictures of this type are not shown by all browsers. Send it as JPEG or PNG.',
  },
  audio: {
    kinds: ['voice'],
    name: 'Other sound (AMR, FLAC, AIFF, CAF)',
    detail: 'Sound of this type is not played by all browsers. Send it as M4A (AAC) or MP3.',
  },
  video: {
    kinds: ['video', 'voice'],
    name: 'Other videos (AVI, MPEG, Theora)',
    detail: 'Videos of this type are not played by all browsers. Send it as MP4 with H.264 and AAC.',
  },
};

const groupOf = (mime: string) => {
  const [group = ''] = mime.split('/');
  return Object.hasOwn(refusedGroups, group) ? refusedGroups[group] : undefined;
};

/** The kinds of media that a type can be; none for a type that is neither picture, sound nor video. */
export const kindsOfType = (mime: string): readonly MediaKind[] => groupOf(mime)?.kinds ?? [];

/** Why a type that is not taken is refused; undefined when it is neither picture, sound nor video. */
export const refusalOf = (mime: string): string | undefined =>
  (Object.hasOwn(refusedTypes, mime) ? refusedTypes[mime] : groupOf(mime))?.detail;

/** What carries the codec, and what to use instead, in the words of a person. */
type Part = 'picture' | 'sound';
const advice: Record<Part, string> = { picture: 'H.264', sound: 'AAC' };

/** @param codec undefined: it has no name */
const codecRefusal = (part: Part, codec: string | undefined): string => {
  const name = codec === undefined ? undefined : nameOf(codec);
  const has = name ? `the codec ${name}, which` : 'a codec that';
  return `The ${part} of this recording has ${has} not all browsers play in such a file. Save it with ${advice[part]}.`;
};

const NOTHING_KNOWN =
  'Nothing in this recording is of a kind that browsers play. Save it as M4A (AAC), MP3, or MP4 with H.264 and AAC.';

/** What of a recording is kept: the container, and the place of each track in its list. */
export interface Packing {
  readonly container: ContainerName;
  readonly picture: number | undefined;
  readonly sound: number | undefined;
}

const takes = (codecs: readonly Codec[], codec: string | undefined): boolean => codecs.some((taken) => taken === codec);
const firstOf = (taken: readonly Codec[], codecs: readonly (string | undefined)[]): number | undefined => {
  const at = codecs.findIndex((codec) => takes(taken, codec));
  return at < 0 ? undefined : at;
};

/**
 * How a recording is packed: in the first container for its type that takes one of its pictures and one of its sounds. None
 * of the two is dropped because of its codec.
 * @param type one of `recordingTypes`
 * @param pictures the codecs of its tracks, the preferred first; undefined: not known
 * @returns the reason to refuse it as a string
 */
export const packingOf = (
  type: string,
  pictures: readonly (string | undefined)[],
  sounds: readonly (string | undefined)[],
): Packing | string => {
  const { packed = [] } = recordingTypes[type] ?? {};
  if (pictures.length + sounds.length === 0) return NOTHING_KNOWN;
  for (const container of packed) {
    const into: Container = containers[container];
    if (pictures.length > 0 && into.video === undefined) continue;
    const [picture, sound] = [firstOf(into.picture, pictures), firstOf(into.sound, sounds)];
    const isWhole =
      (pictures.length === 0) === (picture === undefined) && (sounds.length === 0) === (sound === undefined);
    if (isWhole) return { container, picture, sound };
  }
  const playable = (part: Part, codecs: readonly (string | undefined)[]) =>
    codecs.length === 0 ||
    packed.some((name) => {
      const into: Container = containers[name];
      return (pictures.length === 0 || into.video !== undefined) && firstOf(into[part], codecs) !== undefined;
    });
  if (!playable('picture', pictures)) return codecRefusal('picture', pictures[0]);
  if (!playable('sound', sounds)) return codecRefusal('sound', sounds[0]);
  return 'Browsers do not play this picture and this sound in one file. Save it as MP4 with H.264 and AAC.';
};
