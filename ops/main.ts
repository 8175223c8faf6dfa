/** Starts the roles of ROLE: the whole system, or some roles in this process. */
import { readConfig } from './config.ts';
import { runRoles } from './roles/run.ts';
import { runSystem } from './system.ts';

/** Describes an error in one line, with its causes below it. */
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
