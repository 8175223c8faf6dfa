/** What phones, cameras and browsers make (`phones/make.sh`): taken and played, or refused with what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inspecting } from './inspecting.ts';
import { animation, mp4, photo, pngWith } from './samples.ts';

const FOLDER = path.join(import.meta.dirname, 'phones');
const sample = (name: string): Buffer => readFileSync(path.join(FOLDER, name));
const { inspected, refusal } = inspecting();

/** What is stored: its container, and the codecs of its tracks. */
const recordings = {
  'video-h264-aac.mp4': 'video/mp4 avc aac',
  'video-h264-aac.mov': 'video/mp4 avc aac',
  'video-h264-aac-turned.mov': 'video/mp4 avc aac',
  'video-h264-ac3-and-aac.mov': 'video/mp4 avc aac',
  'video-h264-opus.mkv': 'video/mp4 avc opus',
  'video-hevc-aac.mov': 'video/mp4 hevc aac',
  'video-hevc-hev1-aac.mp4': 'video/mp4 hevc aac',
  'video-vp9-opus.mp4': 'video/mp4 vp9 opus',
  'video-av1-aac.mp4': 'video/mp4 av1 aac',
  'video-vp8-opus.webm': 'video/webm vp8 opus',
  'video-vp9-opus.webm': 'video/webm vp9 opus',
  'video-av1-opus.webm': 'video/webm av1 opus',
  'voice-aac.m4a': 'audio/mp4 aac',
  'voice-aac-3gp4.3gp': 'audio/mp4 aac',
  'voice-aac.mov': 'audio/mp4 aac',
  'voice-aac.aac': 'audio/aac aac',
  'voice-opus.ogg': 'audio/ogg opus',
  'voice-opus.webm': 'audio/webm opus',
  'voice-mp3.mp3': 'audio/mpeg mp3',
  'voice-pcm.wav': 'audio/wav pcm-s16',
  'voice-pcm24.wav': 'audio/wav pcm-s24',
  'voice-float.wav': 'audio/wav pcm-f32',
  'voice-alaw.wav': 'audio/wav alaw',
  'voice-pcm.mov': 'audio/wav pcm-s16',
};

/** What is stored: its type and its number of frames. */
const pictures = {
  'picture-still.avif': 'image/jpeg 1',
  'picture-10bit.avif': 'image/jpeg 1',
  'picture-animated.gif': 'image/webp 4',
  'picture-animated.webp': 'image/webp 4',
};

const refused = {
  'picture-still.heic': 'Photos in the format HEIC cannot be read. Send them as JPEG',
  'picture-animated.avif': 'Animated AVIF cannot be read',
  'picture-animated.png': 'Animated PNG cannot be read',
  'picture-still.bmp': 'Pictures of this type are not shown by all browsers. Send it as JPEG or PNG.',
  'picture-still.tiff': 'Pictures of this type are not shown by all browsers. Send it as JPEG or PNG.',
  'video-h264-pcm.mov': 'the codec PCM, which not all browsers play in such a file. Save it with AAC.',
  'video-h264-ac3.mov': 'the codec AC-3',
  'video-h264-eac3.mp4': 'the codec E-AC-3',
  'video-h264-alac.mov': 'the codec ALAC',
  'video-h264-amr.3gp': 'the codec AMR',
  'video-h264-flac.mp4': 'the codec FLAC',
  'video-prores.mov': 'the codec ProRes, which not all browsers play in such a file. Save it with H.264.',
  'video-mjpeg.mov': 'the codec Motion JPEG',
  'video-h263.3gp': 'the codec H.263',
  'video-mpeg4-aac.3gp': 'the codec MPEG-4 Part 2',
  'video-vp8-pcm.mkv': 'the codec PCM',
  'video-mpeg4-mp3.avi': 'Videos of this type are not played by all browsers. Send it as MP4',
  'voice-amr.3gp': 'the codec AMR',
  'voice-amr.amr': 'Sound of this type is not played by all browsers. Send it as M4A (AAC) or MP3.',
  'voice-alac.m4a': 'the codec ALAC',
  'voice-pcm-big-endian.mov': 'the codec PCM',
  'voice-flac.ogg': 'Nothing in this recording is of a kind that browsers play.',
  'voice-vorbis.ogg': 'the codec Vorbis',
  'voice-adpcm.wav': 'has a codec that not all browsers play',
  'voice-flac.flac': 'Sound of this type',
  'voice-pcm.aiff': 'Sound of this type',
  'voice-pcm.caf': 'Sound of this type',
};

it('every sample has its line here', () => {
  const samples = readdirSync(FOLDER).filter((name) => name !== 'make.sh');
  expect(Object.keys({ ...recordings, ...pictures, ...refused }).sort()).toEqual(samples.sort());
});

const opened = (bytes: Buffer) => new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS });
const packetsOf = async (track: InputTrack | null): Promise<number> => {
  let count = 0;
  if (track) for await (const _ of new EncodedPacketSink(track).packets()) count += 1;
  return count;
};

describe('a recording', () => {
  it.each(Object.entries(recordings))('%s is stored as %s', async (name, expected) => {
    const upload = sample(name);
    const { facts, bytes } = await inspected(upload);
    const [before, after] = [opened(upload), opened(bytes)];
    const codecs = (await after.getTracks()).map(({ codec }) => codec);
    expect([facts.mime, ...codecs].join(' ')).toBe(expected);
    // The sound is all there, and as many pictures.
    const pictures = [await before.getPrimaryVideoTrack(), await after.getPrimaryVideoTrack()] as const;
    expect(await packetsOf(pictures[1])).toBe(await packetsOf(pictures[0]));
    const duration = await before.computeDuration();
    expect(Math.abs((facts.durationS ?? 0) - duration)).toBeLessThan(0.1);
    expect(Math.abs((await after.computeDuration()) - duration)).toBeLessThan(0.1);
  });

  it('is upright', async () => {
    const { facts, bytes } = await inspected(sample('video-h264-aac-turned.mov'));
    expect(facts).toMatchObject({ width: 48, height: 64 });
    expect(await (await opened(bytes).getPrimaryVideoTrack())?.getRotation()).not.toBe(0);
  });

  it.each([
    'isom',
    'iso5',
    'mp41',
    'mp42',
    'avc1',
    '3gp4',
    '3gp5',
    '3gp6',
    '3gs7',
    '3ge6',
    '3g2a',
    '3g2c',
    'MSNV',
    'M4V ',
    'XAVC',
    'qt  ',
  ])('in MP4 of the brand %s is taken', async (brand) => {
    const upload = sample('video-h264-aac.mp4');
    upload.write(brand, 8, 'latin1');
    expect((await inspected(upload)).facts).toMatchObject({ mime: 'video/mp4', durationS: 1 });
    const voice = sample('voice-aac.m4a');
    voice.write(brand, 8, 'latin1');
    expect((await inspected(voice)).facts).toMatchObject({ mime: 'audio/mp4' });
  });
});

describe('a picture', () => {
  it.each(Object.entries(pictures))('%s is stored as %s', async (name, expected) => {
    const { facts, bytes, thumbnail } = await inspected(sample(name));
    const { pages = 1 } = await sharp(bytes).metadata();
    expect(`${facts.mime} ${pages}`).toBe(expected);
    expect(thumbnail?.length).toBeGreaterThan(0);
  });

  it('that is animated keeps its times and how often it is repeated', async () => {
    const once = await sharp(await animation(20, 3), { animated: true })
      .gif({ loop: 1, delay: [70, 90, 300] })
      .toBuffer();
    expect(await sharp((await inspected(once)).bytes).metadata()).toMatchObject({ loop: 1, delay: [70, 90, 300] });
  });

  it('in AVIF is one, whatever the first brand is', async () => {
    const upload = sample('picture-still.avif');
    upload.write('mif1', 8, 'latin1');
    expect(await refusal(upload)).toBe('accepted');
  });

  it('with the frames of an animation in PNG is taken if there is one', async () => {
    const one = pngWith(
      await sharp(await photo(9, 9))
        .png()
        .toBuffer(),
      'acTL',
      Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]),
    );
    const many = pngWith(
      await sharp(await photo(9, 9))
        .png()
        .toBuffer(),
      'acTL',
      Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]),
    );
    expect(await refusal(one)).toBe('accepted');
    expect(await refusal(many)).toContain('Animated PNG cannot be read');
  });

  it('that has a video behind it (a motion photo) is a picture, without the video', async () => {
    const { facts, bytes } = await inspected(Buffer.concat([await photo(60, 40), await mp4(1)]));
    expect(facts).toMatchObject({ mime: 'image/jpeg', width: 60, durationS: null });
    expect(bytes.includes('ftyp')).toBe(false);
  });
});

it.each(Object.entries(refused))('%s is refused', async (name, sentence) => {
  const told = await refusal(sample(name));
  expect(told).toContain('unsupported_media_type: ');
  expect(told).toContain(sentence);
});

it('a folder that does not take the kind says so, whatever the codec is', async () => {
  for (const name of ['voice-amr.amr', 'voice-alac.m4a', 'voice-opus.ogg'])
    expect(await refusal(sample(name), 'avatars')).toContain('The folder avatars takes no file of the kind v');
  expect(await refusal(sample('video-h264-ac3.mov'), 'reviews')).toContain('takes no file of the kind video');
});
