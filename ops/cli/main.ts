/** Entry of the command line. */
import { endWithNpm } from '../../infra/npm.ts';
import { runCommand } from './run.ts';

endWithNpm();
await runCommand(process.argv.slice(2));
