/**
 * What production refuses: secrets that anybody can read in the source, everything of the sandbox, which accepts test cards
 * and shows the codes of text messages, and tombstones where a restore forgets them. Outside production, what is unsafe is a warning.
 */
import path from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { isSameOrigin } from '../infra/settings.ts';

type Declarations = Readonly<Record<string, TSchema>>;
type Values = Readonly<Record<string, unknown>>;

/** One line for each kind of problem; empty when the settings are fit for production. */
export const unfitForProduction = (declarations: Declarations, values: Values): string[] => {
  const weak = defaultSecrets(declarations, values);
  const sandboxed = sandboxAddresses(declarations, values);
  return [
    ...(weak.length > 0 ? [`NODE_ENV=production needs secrets of its own, set: ${weak.join(', ')}`] : []),
    ...([values.ROLE].flat().includes('sandbox') ? ['ROLE sandbox is not allowed with NODE_ENV=production'] : []),
    ...forgettingTombstones(values),
    ...(sandboxed.length > 0
      ? [`NODE_ENV=production needs real providers, set to an address outside SANDBOX_URL: ${sandboxed.join(', ')}`]
      : []),
  ];
};

/** A restore begins with an empty data folder: tombstones in it would be gone, and erased people back without a word. */
const forgettingTombstones = ({ DATA_DIR, TOMBSTONES_DIR }: Values): string[] => {
  if (typeof DATA_DIR !== 'string' || typeof TOMBSTONES_DIR !== 'string') return [];
  const relative = path.relative(path.resolve(DATA_DIR), path.resolve(TOMBSTONES_DIR));
  const isInside = relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
  return isInside
    ? [
        `NODE_ENV=production needs TOMBSTONES_DIR outside of DATA_DIR (${DATA_DIR}), on storage of its own: a restore empties DATA_DIR, and without the tombstones it brings back whoever was erased`,
      ]
    : [];
};

/** Secrets with the development value of any setting, as previous secret too, or with a documented default in them. */
const defaultSecrets = (declarations: Declarations, values: Values): string[] => {
  const known = new Set(Object.values(declarations).flatMap(({ dev }) => (dev === undefined ? [] : [dev])));
  return Object.entries(declarations).flatMap(([name, schema]) => {
    const value = values[name];
    if (!schema.secret || typeof value !== 'string') return [];
    return known.has(value) || (schema.wellKnown !== undefined && value.includes(schema.wellKnown)) ? [name] : [];
  });
};

/** Settings in use whose value, or a text inside it, is an address of the sandbox. */
const sandboxAddresses = (declarations: Declarations, values: Values): string[] =>
  Object.entries(declarations)
    .filter(([name, { neededBy }]) => name !== 'SANDBOX_URL' && (!neededBy || values[neededBy] !== undefined))
    .filter(([name]) => textsIn(values[name]).some((text) => isSameOrigin(text, String(values.SANDBOX_URL))))
    .map(([name]) => name);

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|\[::1\]|localhost)$/i;

/** What is unsafe outside production, one sentence each, for the log of the start. */
export const warningsFor = ({ NODE_ENV, HOST }: { readonly NODE_ENV: string; readonly HOST: string }): string[] =>
  NODE_ENV === 'production' || LOOPBACK.test(HOST)
    ? []
    : [
        `HOST ${HOST} opens a system with default secrets to the network: whoever reaches it can sign in as anybody. Set NODE_ENV=production, or HOST=127.0.0.1.`,
      ];
