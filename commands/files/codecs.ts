/** Codecs of recordings: what they are called, and which browsers play those that are taken. */

interface PlayedCodec {
  readonly name: string;
  readonly chromium: string;
  readonly firefox: string;
  readonly safari: string;
}

const WHERE_DECODED = 'where the device decodes it';
const YES = { chromium: 'yes', firefox: 'yes', safari: 'yes' };

/**
 * Codecs that are taken. Of Chromium 156 and Firefox 153 it was tried with the samples in `test/files/phones`, on Linux and
 * without a graphics card; of Safari it is what caniuse.com says.
 */
export const playedCodecs = {
  avc: { name: 'H.264', ...YES },
  hevc: { name: 'HEVC', chromium: WHERE_DECODED, firefox: WHERE_DECODED, safari: 'yes' },
  vp8: { ...YES, name: 'VP8', safari: '16, on phones 17.4' },
  vp9: { ...YES, name: 'VP9', safari: '16, on phones 17.4' },
  av1: { ...YES, name: 'AV1', safari: '17, where the device decodes it' },
  aac: { name: 'AAC (LC, HE)', ...YES },
  mp3: { name: 'MP3', ...YES },
  opus: { ...YES, name: 'Opus', safari: '18.4; before, not in Ogg' },
  'pcm-u8': { name: 'PCM', ...YES },
  'pcm-s16': { name: 'PCM', ...YES },
  'pcm-s24': { name: 'PCM', ...YES },
  'pcm-f32': { name: 'PCM', ...YES },
  ulaw: { name: 'PCM', ...YES },
  alaw: { name: 'PCM', ...YES },
} as const satisfies Record<string, PlayedCodec>;
/** By the names that the library gives them. */
export type Codec = keyof typeof playedCodecs;

/** The names of others, by those of the library, or of MP4 where the library does not know them. */
const otherNames: Readonly<Record<string, string>> = {
  prores: 'ProRes',
  jpeg: 'Motion JPEG',
  mjpa: 'Motion JPEG',
  s263: 'H.263',
  h263: 'H.263',
  mp4v: 'MPEG-4 Part 2',
  'aac-other': 'AAC of a kind other than LC and HE',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  alac: 'ALAC',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  dts: 'DTS',
  samr: 'AMR',
  sawb: 'AMR',
  apac: 'APAC',
};

/** What people call a codec; undefined when it has no name here. */
export const nameOf = (codec: string): string | undefined => {
  if (codec.startsWith('pcm-')) return 'PCM';
  const names: Readonly<Record<string, string>> = { ...otherNames, aac: 'AAC' };
  if (Object.hasOwn(names, codec)) return names[codec];
  return Object.hasOwn(playedCodecs, codec) ? playedCodecs[codec as Codec].name : undefined;
};
