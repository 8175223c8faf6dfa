/**
 * Writes what the processes load into few files: `dist/bundle/main.mjs` and `cli.mjs`. A role has some 900 modules of
 * ours and as many of packages; finding and linking them one by one takes longer than running them. `npm run build` runs
 * this after the compiler; `dist/` stays complete without it, and `npm run dev` uses only that.
 */
import { statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const DIST = fileURLToPath(new URL('../..', import.meta.url));

/** Packages of many small files. Others stay where they are: some load binaries and files beside their modules. */
const PACKED = [
  '@bufbuild/protobuf',
  '@livekit/protocol',
  '@oxc-project/runtime', // the bundler's own helpers
  '@sinclair/typebox',
  'ajv',
  'ajv-formats',
  'jose',
  'kysely',
  'livekit-server-sdk',
  'nodemailer',
  'oauth4webapi',
  'openid-client',
  'semver',
  'uuid',
];

const isPacked = (id: string): boolean => PACKED.some((name) => id === name || id.startsWith(`${name}/`));

/** A module goes on finding files and programs from its own place in `dist/`, not from the bundle's. */
const keepsItsPlace: Plugin = {
  name: 'keeps-its-place',
  transform: (code, id) => {
    if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return null;
    const place = relative(join(DIST, 'bundle'), id).split(sep).join('/');
    return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
  },
};

/** Milliseconds since 1970; 0 for a file that is not there. */
const writtenAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Whether nothing was compiled or installed since the bundle was written. Then it is left alone: commands are built and run
 * beside a running system, whose roles may start again from it at that moment.
 */
const isUpToDate = (): boolean => {
  const made = writtenAt(join(DIST, 'bundle/main.mjs'));
  return ['.tsbuildinfo', '../package-lock.json'].every((file) => writtenAt(join(DIST, file)) < made);
};

const write = async (): Promise<void> => {
  const bundle = await rolldown({
    input: { main: join(DIST, 'ops/main.js'), cli: join(DIST, 'ops/cli/main.js') },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !isPacked(id),
    plugins: [keepsItsPlace],
  });
  await bundle.write({
    dir: join(DIST, 'bundle'),
    cleanDir: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
};

if (!isUpToDate()) await write();
