/** The version of this program, from package.json. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Relative to the sources package.json is one folder up, relative to `dist/` two. */
const load = (path: string): { version: string } | undefined => {
  try {
    return require(path) as { version: string };
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
};

export const VERSION = (load('../package.json') ?? load('../../package.json') ?? { version: 'unknown' }).version;

/** @returns that this version of Node has reached its end of life, where it has: https://nodejs.org/en/about/previous-releases */
export const nodeWarnings = (version: string = process.version): string[] =>
  Number.parseInt(version.slice(1), 10) < 22
    ? [`Node ${version.slice(1)} has reached its end of life. It still works; Node 22, 24 and 26 are supported.`]
    : [];
