/** Deletes compiled files whose source was moved or deleted. `npm run build` runs it after the compiler. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Deletes every `x.js` and `x.js.map` in `dist` for which `root` has no `x.ts`, and folders that are empty then.
 *
 * @returns the paths of the deleted files, relative to `dist`
 */
export const removeStale = (root: string, dist: string): string[] => {
  const compiled = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.js(\.map)?$/.test(file),
  );
  const stale = compiled.filter((file) => !existsSync(join(root, file.replace(/\.js(\.map)?$/, '.ts'))));
  for (const file of stale) rmSync(join(dist, file));
  removeEmptyFolders(dist);
  return stale;
};

const removeEmptyFolders = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const inner = join(folder, entry.name);
    removeEmptyFolders(inner);
    if (readdirSync(inner).length === 0) rmSync(inner, { recursive: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = fileURLToPath(new URL('../..', import.meta.url));
  removeStale(join(dist, '..'), dist);
}
