/** Starts what ROLE says: the whole system, or one part of it in this process. */
import { readConfig } from './config.ts';
import { runRoles } from './roles/run.ts';
import { runSystem } from './system.ts';

/** One clear line for what a person can put right; with its causes where it is more. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n  because: ${describe(error.cause)}`;
};

try {
  const config = readConfig(process.env);
  if (config.ROLE.includes('all')) await runSystem(config, process.env);
  else await runRoles(config);
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}
