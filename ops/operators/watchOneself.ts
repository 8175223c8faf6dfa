/** Has alerts know of what is wrong with this process, and operators be told of it. */
import { smsSenderOf } from '../../commands/accounts/connect.ts';
import { mailTransportOf } from '../../commands/mail/connect.ts';
import type { Logger } from '../../infra/log.ts';
import { createPool, OF_REQUESTS } from '../../infra/postgres.ts';
import type { Config } from '../config.ts';
import { countLines } from '../healthLine.ts';
import type { Condition } from '../probe.ts';
import type { Running } from '../roles/role.ts';
import { startTeller } from './teller.ts';

const LOOK_MS = 5_000;

/** @param usesStores whether some role of the process does: others cannot report */
export const watchOneself = (
  config: Config,
  {
    roles,
    usesStores,
    condition,
    log,
  }: {
    readonly roles: string;
    readonly usesStores: boolean;
    readonly condition: () => Condition;
    readonly log: Logger;
  },
): Running => {
  const look = (): void => {
    const { faults, remarks } = condition();
    countLines([...faults, ...remarks]);
  };
  const looking = setInterval(look, LOOK_MS).unref();
  const teller = usesStores ? tellerOf(config, roles, log) : undefined;
  return {
    stop: async () => {
      clearInterval(looking);
      await teller?.stop();
    },
  };
};

/** undefined: nobody is to be told. */
const tellerOf = (config: Config, roles: string, log: Logger): Running | undefined => {
  const { DATABASE_URL: databaseUrl, OPERATORS: operators, PUBLIC_URL: publicUrl } = config;
  if (operators.length === 0 || !databaseUrl) return undefined;
  const pool = createPool(databaseUrl, { ...OF_REQUESTS, max: 1, applicationName: 'operators', log });
  const mail = mailTransportOf(config);
  const channels = { mail, sms: smsSenderOf(config, { pool, log }), publicUrl, operators };
  const teller = startTeller({ pool, channels, roles, log });
  return {
    stop: async () => {
      await teller.stop();
      mail?.close();
      await pool.end();
    },
  };
};
