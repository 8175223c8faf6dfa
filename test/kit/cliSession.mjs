/** Runs the commands that its parent sends, one after the other: starting a process takes longer than most of them. */
import { program } from '../../dist/ops/cli/program.js';

process.setMaxListeners(0); // each command waits for Ctrl-C until its process ends
process.on('message', async (args) => {
  let stdout = '';
  process.stdout.write = (text) => {
    stdout += text;
    return true;
  };
  const error = await program.parseAsync(args, { from: 'user' }).then(
    () => undefined,
    (thrown) => String(thrown?.stack ?? thrown),
  );
  process.send({ stdout, error });
});
