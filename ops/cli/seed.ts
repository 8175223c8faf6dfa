/** `seed`: creates demo data through commands. */
import { Command, InvalidArgumentError } from 'commander';
import { formatPosition } from '../../eventstore/checkpoints.ts';
import { seedDemo, seedHotels } from '../seed/demo.ts';
import { progress, writeJson, writeLine } from './output.ts';
import { type CliContext, CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly hotels?: number;
  readonly json?: true;
}

const hotels = async (cli: CliContext, count: number, at: string) => {
  const bar = progress('seed', 'hotels');
  bar.update(0, 0);
  try {
    return await seedHotels(cli, count, at, {
      onProgress: (done) => bar.update(done / count, done),
    });
  } finally {
    bar.end();
  }
};

const seed = (options: Options) =>
  withStores(async (cli) => {
    if (cli.config.NODE_ENV === 'production') throw new CommandFailed('demo data cannot be seeded in production');
    const at = new Date().toISOString();
    const { position } = options.hotels
      ? await hotels(cli, options.hotels, at)
      : await seedDemo(cli, cli.config.DATA_DIR, at);
    const upTo = position && formatPosition(position);
    if (options.json) return writeJson({ position: upTo });
    await writeLine(upTo ? `seeded, up to position ${upTo}` : 'nothing was left to seed');
  });

const positive = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a number from 1 to 999999');
  return Number(text);
};

export const seedCommand = new Command('seed')
  .description('Seed demo data: a resort with accounts and a partner key, or many hotels for measurements')
  .option('--hotels <n>', 'seed only this many hotels of one owner', positive)
  .option('--json', 'print JSON')
  .action(seed);
