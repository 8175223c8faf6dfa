/** What is taken and refused, as tables for `docs/media.md`. */
import { type Codec, playedCodecs } from './codecs.ts';
import { type Container, containers, pictureTypes, recordingTypes, refusedGroups, refusedTypes } from './formats.ts';

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replace('| --- |', '|---|')
    .replaceAll(' --- |', '---|');

const listed = (names: readonly string[]): string => [...new Set(names)].join(', ');
const codecNames = (codecs: readonly Codec[]): string =>
  listed(codecs.map((codec) => playedCodecs[codec].name)) || 'none';

const ofPictures = (): string =>
  table(
    ['Picture', 'Stored as', 'What is left of it'],
    Object.values(pictureTypes).map(({ name, stored, left }) => [name, stored, left]),
  );

/** Types that are packed in the same way are one group. */
const ofRecordings = (): string => {
  const groups = new Map<string, string[]>();
  for (const { name, packed } of Object.values(recordingTypes)) {
    const key = packed.join();
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const rows = [...groups].flatMap(([packed, names]) =>
    packed.split(',').map((key) => {
      const { name, picture, sound }: Container = containers[key as keyof typeof containers];
      return [listed(names), name, codecNames(picture), codecNames(sound)];
    }),
  );
  return table(['Recording', 'Stored as', 'with a picture in', 'and sound in'], rows);
};

const ofCodecs = (): string => {
  const rows = Object.values(playedCodecs).map(({ name, chromium, firefox, safari }) => [
    name,
    chromium,
    firefox,
    safari,
  ]);
  const distinct = [...new Map(rows.map((row) => [row[0], row])).values()];
  return table(['Codec', 'Chromium', 'Firefox', 'Safari'], distinct);
};

const ofRefused = (): string =>
  table(
    ['Refused (415)', 'In the words'],
    [...Object.values(refusedTypes), ...Object.values(refusedGroups)].map(({ name, detail }) => [name, detail]),
  );

export const mediaTables = (): string => [ofPictures(), ofRecordings(), ofCodecs(), ofRefused()].join('\n\n');
