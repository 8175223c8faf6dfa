/** Runs the commands that its parent sends, one after the other: starting a process takes longer than most of them. */
import { runCommand } from '../../dist/ops/cli/run.js';

process.setMaxListeners(0); // each command waits for Ctrl-C until its process ends
process.on('message', async ({ args, settings }) => {
  const own = { ...process.env };
  Object.assign(process.env, settings);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (text, ...rest) => {
      written[name] += text;
      rest.find((each) => typeof each === 'function')?.();
      return true;
    };
  process.exitCode = 0;
  await runCommand(args);
  for (const name of Object.keys(settings)) delete process.env[name];
  Object.assign(process.env, own);
  process.send({ code: process.exitCode, ...written });
});
