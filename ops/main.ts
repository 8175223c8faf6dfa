/** Starts the roles of ROLE: the whole system, or some roles in this process. */
import { endWithNpm } from '../infra/npm.ts';
import { endProcess, sayFatal } from '../infra/output.ts';
import { readConfig } from './config.ts';
import { settlePorts } from './ports.ts';
import { isSupervised } from './roleProcess.ts';
import { runRoles } from './roles/run.ts';
import { takeSecretFiles } from './secretFiles.ts';
import { runSystem } from './system.ts';

/** What an error and its causes say. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n  because: ${describe(error.cause)}`;
};

try {
  endWithNpm();
  const config = readConfig(process.env, takeSecretFiles(process.env));
  if (config.ROLE.includes('all')) await runSystem(config, process.env);
  else if (isSupervised()) await runRoles(config);
  else await runRoles(readConfig({ ...process.env, ...(await settlePorts(config.ROLE, config)) }));
} catch (error) {
  sayFatal(process.env.ROLE?.trim() || 'all', describe(error));
  await endProcess(1);
}
