/**
 * Secrets that are given as files: `JWT_SECRET_FILE=/run/secrets/JWT_SECRET` instead of `JWT_SECRET=…`, so that they are in
 * no environment that Docker, systemd or a process list shows. And passwords of stores that are given apart from their
 * address, so that nothing in them has to be encoded and one file serves the store and its users.
 */
import { readFileSync } from 'node:fs';
import { fileFault } from '../infra/fileFaults.ts';
import { PASSWORD_OF, secretSettings, settingNames } from './config.ts';

const ENDING = '_FILE';

/** @returns what is wrong, if anything */
const takeFile = (env: NodeJS.ProcessEnv, variable: string): string | undefined => {
  const name = variable.slice(0, -ENDING.length);
  const file = env[variable]?.trim();
  delete env[variable];
  if (!file) return undefined;
  if (!secretSettings().includes(name)) return `${variable} is no setting: only secrets are read from files`;
  if (env[name]?.trim()) return `${name} and ${variable} are both set: remove one of them`;
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') return `${variable}: ${file} is empty`;
    env[name] = text;
    return undefined;
  } catch (error) {
    return `${variable}: ${fileFault(error) ?? String(error)}`;
  }
};

/** `scheme://user@…`, without a password. */
const ADDRESS_OF_USER = /^([a-z+]+:\/\/[^:@/?#]+)@/;

/** @returns what is wrong, if anything */
const takePassword = (env: NodeJS.ProcessEnv, variable: string, address: string): string | undefined => {
  const password = env[variable]?.trim();
  delete env[variable];
  if (!password) return undefined;
  const given = env[address]?.trim() ?? '';
  if (!ADDRESS_OF_USER.test(given))
    return `${variable} is set, so ${address} must name a user and no password, as in postgresql://resort@host/database`;
  env[address] = given.replace(ADDRESS_OF_USER, (_, start: string) => `${start}:${encodeURIComponent(password)}@`);
  return undefined;
};

/**
 * Puts secrets from files and passwords into the settings that they belong to. Every program calls it first, with its own
 * environment; what it starts gets the settings only.
 * @returns what is wrong, one line for each file or password that cannot be used
 */
export const takeSecretFiles = (env: NodeJS.ProcessEnv): string[] => {
  const files = settingNames()
    .map((name) => `${name}${ENDING}`)
    .filter((variable) => variable in env);
  return [
    ...files.map((variable) => takeFile(env, variable)),
    ...Object.entries(PASSWORD_OF).map(([variable, address]) => takePassword(env, variable, address)),
  ].filter((problem) => problem !== undefined);
};
