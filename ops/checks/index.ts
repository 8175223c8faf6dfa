/** The one list of checks: what the start refuses, what it warns of, and what `docs/operations.md` says about them. */
import type { Check } from './check.ts';
import { parts } from './parts.ts';
import { refused, refusedAlways, warned } from './settings.ts';

const rows = (checks: readonly Check[], effect: string): string[] =>
  checks.map(({ name, asks, mayHappen }) => `| \`${name}\` | ${asks} | ${mayHappen} | ${effect} |`);

/** The table of `docs/operations.md`. A check compares the two. */
export const checkTable = (): string =>
  [
    '| check | asks | otherwise | effect |',
    '|---|---|---|---|',
    ...rows(refusedAlways, 'nothing starts'),
    ...rows(refused, 'production does not start'),
    ...rows(warned, 'a warning at the start'),
    ...rows(
      parts.filter(({ roles }) => roles.length > 0),
      'told in the log, in `/health` and in metrics while it runs',
    ),
    ...rows(
      parts.filter(({ roles }) => roles.length === 0),
      'told by `resort check`',
    ),
  ].join('\n');
