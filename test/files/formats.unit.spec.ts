/** How recordings are packed, for all combinations of codecs. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Codec, playedCodecs } from '../../commands/files/codecs.ts';
import {
  type Container,
  containers,
  kindsOfType,
  packingOf,
  recordingTypes,
  refusalOf,
} from '../../commands/files/formats.ts';
import { kindOf } from '../../domain/files/folders.ts';

const codec = fc.constantFrom(
  ...Object.keys(playedCodecs),
  'vorbis',
  'flac',
  'ac3',
  'alac',
  'samr',
  'pcm-s16be',
  'constructor',
  undefined,
);
const type = fc.constantFrom(...Object.keys(recordingTypes));

it('a recording keeps its sound and its picture, in a container in which browsers play both, or is refused', () => {
  fc.assert(
    fc.property(
      type,
      fc.array(codec, { maxLength: 4 }),
      fc.array(codec, { maxLength: 4 }),
      (found, pictures, sounds) => {
        const packing = packingOf(found, pictures, sounds);
        if (typeof packing === 'string') {
          expect(packing).toMatch(/ Save it /);
          return;
        }
        const { picture, sound }: Container = containers[packing.container];
        const kept = [packing.picture, packing.sound];
        expect(kept.map((at) => at !== undefined)).toEqual([pictures.length > 0, sounds.length > 0]);
        if (packing.picture !== undefined) expect(picture).toContain(pictures[packing.picture]);
        if (packing.sound !== undefined) expect(sound).toContain(sounds[packing.sound]);
      },
    ),
  );
});

it('the first track that can be played is kept, in the container that is preferred', () => {
  expect(packingOf('video/quicktime', ['avc'], ['ac3', 'aac', 'mp3'])).toEqual({
    container: 'mp4',
    picture: 0,
    sound: 1,
  });
  expect(packingOf('video/webm', ['avc', 'vp8'], ['opus'])).toEqual({ container: 'webm', picture: 1, sound: 0 });
  expect(packingOf('video/webm', ['avc'], ['opus'])).toEqual({ container: 'mp4', picture: 0, sound: 0 });
  expect(packingOf('video/quicktime', [], ['pcm-s16'])).toEqual({ container: 'wav', picture: undefined, sound: 0 });
});

it('what is refused is named, with what to do', () => {
  expect(packingOf('video/3gpp', ['s263'], ['samr'])).toContain('The picture of this recording has the codec H.263');
  expect(packingOf('video/3gpp', ['avc'], ['samr'])).toContain('The sound of this recording has the codec AMR');
  expect(packingOf('video/mp4', [undefined], [])).toContain('has a codec that not all browsers play');
  expect(packingOf('video/mp4', ['toString'], [])).toContain('has a codec that not all browsers play');
  expect(packingOf('video/matroska', ['vp8'], ['aac'])).toContain(
    'do not play this picture and this sound in one file',
  );
});

it('every codec that is taken is taken by a container, whose types are those that are stored', () => {
  const all: readonly Container[] = Object.values(containers);
  const taken = new Set<Codec>(all.flatMap(({ picture, sound }) => [...picture, ...sound]));
  expect([...taken].sort()).toEqual(Object.keys(playedCodecs).sort());
  for (const { voice, video } of all)
    expect([kindOf(voice), video && kindOf(video)]).toEqual(['voice', video && 'video']);
});

it('types of pictures, sound and videos are refused in words of their own, others in none', () => {
  for (const mime of ['image/heic', 'image/jxl', 'audio/amr', 'video/x-flv']) {
    expect(refusalOf(mime)).toMatch(/ Send (it|them) as /);
    expect(kindsOfType(mime)).not.toEqual([]);
  }
  for (const mime of ['application/zip', 'unknown', 'constructor/x']) {
    expect(refusalOf(mime)).toBeUndefined();
    expect(kindsOfType(mime)).toEqual([]);
  }
});
