/** The sender for local use: nothing leaves the machine, the sandbox shows what would have been sent. */
import type { Logger } from '../../infra/log.ts';
import { type Migrations, migrations } from '../../infra/migrations.ts';
import { withoutStatistics } from '../../infra/plannerStatistics.ts';
import type { Pool } from '../../infra/postgres.ts';
import { masked } from './sms.ts';
import type { SmsSender } from './smsSender.ts';

const steps = migrations('accounts', {
  '0001_sandbox_messages': `
    create table ops.sandbox_messages (
      id bigint generated always as identity primary key,
      phone text not null,
      text text not null,
      at timestamptz not null default now()
    );
    create index sandbox_messages_phone on ops.sandbox_messages (phone, id desc);
  `,
  personalData: {
    'ops.sandbox_messages': {
      nothing: 'development only: messages to a phone number, which the erasure of its account deletes',
      retention: [{ after: 'at', days: 1 }],
    },
  },
});

export const sandboxMessageMigrations: Migrations = {
  ...steps,
  everyStart: withoutStatistics('ops.sandbox_messages'),
};

/** @param sandboxUrl where the messages can be read */
export const createSandboxSms = (pool: Pool, log: Logger, sandboxUrl: string): SmsSender => ({
  async send(phone, text) {
    await pool.query('insert into ops.sandbox_messages (phone, text) values ($1, $2)', [phone, text]);
    log.info({ to: masked(phone), read_at: `${sandboxUrl}/sms` }, 'SMS kept in the sandbox');
  },
});
