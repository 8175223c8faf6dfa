/**
 * The mail server of the sandbox: takes every e-mail over SMTP and keeps the latest in memory, so that nothing leaves the
 * machine. It fails on demand. The packages that it needs are loaded here only, because production never has it.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Static, Type } from '@sinclair/typebox';
import type { ParsedMail } from 'mailparser';
import { OneOf } from '../../../domain/core/schema.ts';
import type { Logger } from '../../../infra/log.ts';

const KEPT = 200;
const LARGEST = 10 * 1024 * 1024;

export const MailFailurePlan = Type.Object(
  {
    /** How many of the next e-mails fail. 0 = none. */
    count: Type.Integer({ minimum: 0, maximum: 10_000 }),
    /**
     * `put_off`: 450, come back later. `refuse`: 550, there is no such mailbox. `block`: 554, nothing is taken from us.
     * `silence`: no answer.
     */
    kind: OneOf(['put_off', 'refuse', 'block', 'silence'], { default: 'put_off' }),
    /** Only e-mails to this address. */
    to: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type MailFailurePlan = Static<typeof MailFailurePlan>;

export interface ReceivedMail {
  readonly id: number;
  readonly at: string;
  readonly to: string;
  readonly mail: ParsedMail;
}

export interface MailServer {
  /** Newest first. */
  readonly received: readonly ReceivedMail[];
  plan: MailFailurePlan;
  readonly port: number;
  stop(): Promise<void>;
}

/** @param port 0 = any free one */
export const startMailServer = async (
  { port, host }: { readonly port: number; readonly host: string },
  log: Logger,
): Promise<MailServer> => {
  const [{ SMTPServer }, { simpleParser }] = await Promise.all([import('smtp-server'), import('mailparser')]);
  const received: ReceivedMail[] = [];
  let count = 0;
  const state = { plan: { count: 0, kind: 'put_off' } as MailFailurePlan };
  const fault = (address: string): MailFailurePlan['kind'] | undefined => {
    const { count: left, to = address } = state.plan;
    if (left === 0 || to !== address) return undefined;
    state.plan = { ...state.plan, count: state.plan.count - 1 };
    return state.plan.kind;
  };

  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    size: LARGEST,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => {
      const kind = fault(address);
      if (kind === undefined) callback();
      else if (kind === 'put_off') callback(smtpError(450, '4.7.1 come back later (requested failure)'));
      else if (kind === 'refuse') callback(smtpError(550, '5.1.1 no such mailbox (requested failure)'));
      else if (kind === 'block') callback(smtpError(554, '5.7.1 you are blocked (requested failure)'));
    },
    onData: (stream, { envelope }, callback) => {
      simpleParser(stream).then((mail) => {
        count += 1;
        const to = envelope.rcptTo.map(({ address }) => address).join(', ');
        received.unshift({ id: count, at: new Date().toISOString(), to, mail });
        received.splice(KEPT);
        callback();
      }, callback);
    },
  });
  server.on('error', (err) => log.debug({ err }, 'a connection to the mail server of the sandbox failed'));
  server.listen(port, host);
  await once(server.server, 'listening');
  return Object.assign(state, {
    received,
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
};

const smtpError = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });
