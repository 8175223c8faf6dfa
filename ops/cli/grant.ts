/** `grant`: gives a user of the event store the rights that the platform needs. */
import { Command } from 'commander';
import { connectEventStore } from '../../eventstore/client/index.ts';
import { unreadableEventStore } from '../checks/stores.ts';
import { CommandFailed } from './failed.ts';
import { writeLine } from './output.ts';

/** Read here and not with all settings: those of production refuse the well-known password that a new cluster has. */
const adminAddress = (): string => {
  const address = process.env.ESDB_CONNECTION_STRING?.trim();
  if (!address)
    throw new CommandFailed(
      'set ESDB_CONNECTION_STRING to the address with an admin of the event store: esdb://admin:…@node:2113',
    );
  const problem = unreadableEventStore(address);
  if (problem !== undefined) throw new CommandFailed(problem);
  return address;
};

const grant = async (user: string): Promise<void> => {
  const store = connectEventStore(adminAddress());
  try {
    const outcome = await store.grantReadAll(user);
    await writeLine(outcome === 'granted' ? `${user} may now read $all` : `${user} could read $all already`);
  } finally {
    await store.close();
  }
};

export const grantCommand = () =>
  new Command('grant')
    .description('Let a user of the event store read $all; ESDB_CONNECTION_STRING names an admin')
    .argument('<user>', 'the user of the platform, as in its connection string')
    .action(grant);
