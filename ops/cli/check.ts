/** `check`: everything that could be wrong with this installation, tried now. */
import { Command } from 'commander';
import { createLogger } from '../../infra/log.ts';
import { ConfigError } from '../../infra/settings.ts';
import { parts } from '../checks/parts.ts';
import { tryParts } from '../checks/watch.ts';
import { type Config, readConfig, warningsFor } from '../config.ts';
import { readRuntime } from '../runtime.ts';
import { takeSecretFiles } from '../secretFiles.ts';
import { writeJson, writeLine } from './output.ts';

interface Result {
  readonly check: string;
  readonly state: 'ok' | 'failed' | 'warning';
  /** What was tried, or what is wrong, what may happen, and what to do. */
  readonly detail: string;
}

/** Of a system that runs here, the stores are those that it has started. */
const withRunningStores = async (config: Config): Promise<Config> => {
  const running = await readRuntime(config.DATA_DIR);
  return {
    ...config,
    DATABASE_URL: config.DATABASE_URL ?? running?.databaseUrl,
    ESDB_CONNECTION_STRING: config.ESDB_CONNECTION_STRING ?? running?.eventStore,
  } as Config;
};

/** Parts are tried only with settings that can be read: others would be asked in vain. */
const results = async (env: NodeJS.ProcessEnv): Promise<Result[]> => {
  let config: Config;
  try {
    config = readConfig(env, takeSecretFiles(env));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const failed = error.message.split('\n').map((detail) => ({ check: 'settings', state: 'failed' as const, detail }));
    const rest = 'stores and services were not tried: they are once the settings are right';
    return [...failed, { check: 'settings', state: 'warning', detail: rest }];
  }
  const log = createLogger({ level: 'silent', role: 'check' });
  const usable = await withRunningStores(config);
  const tried = await Promise.all(parts.map((check) => tryParts(check, usable, log)));
  return [
    { check: 'settings', state: 'ok', detail: 'all settings can be read, and none is refused' },
    ...warningsFor(config, env).map((detail) => ({ check: 'settings', state: 'warning' as const, detail })),
    ...tried.flat().map(({ check, part, line, note }) => ({
      check: check.name,
      state: line === undefined ? ('ok' as const) : check.isAdvice ? ('warning' as const) : ('failed' as const),
      detail: line ?? [part, note].filter((text) => text !== undefined).join(': '),
    })),
  ];
};

const run = async ({ json }: { readonly json?: true }): Promise<void> => {
  const found = await results(process.env);
  if (found.some(({ state }) => state === 'failed')) process.exitCode = 1;
  if (json) return writeJson(found);
  for (const { check, state, detail } of found) await writeLine(`${state.padEnd(7)}  ${check.padEnd(17)}  ${detail}`);
};

export const checkCommand = () =>
  new Command('check')
    .description('Try the settings and everything outside that they name, and say what is wrong and what to do')
    .option('--json', 'print JSON')
    .action(run);
