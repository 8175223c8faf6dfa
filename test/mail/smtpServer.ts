/** A real SMTP server in the process of a test: it parses what arrives, and fails on demand. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/**
 * What the server answers to a recipient or to the message: a reply code with its text, or nothing at all; it can also hang
 * up, or take the message late.
 */
export type Fault = { readonly code: number; readonly text: string } | 'silence' | 'hangs up' | Promise<void>;

export interface SmtpRecorder {
  /** `smtp://…` with user and password. */
  readonly url: string;
  readonly mails: readonly ParsedMail[];
  /** How the client called itself last (EHLO). */
  readonly clientName: string;
  /** How many whole e-mails have come, taken or not. */
  readonly received: number;
  /** The recipients of all attempts, in order. */
  readonly attempts: readonly string[];
  /** undefined: everything is taken. */
  onRecipient: Fault | undefined;
  onMessage: Fault | undefined;
  /** Whether every message came over TLS. */
  readonly isEncrypted: boolean;
  stop(): Promise<void>;
}

/** @param hangUp ends all connections */
const answer = (fault: Fault, hangUp: () => void, callback: (error?: Error) => void): void => {
  if (fault === 'silence') return;
  if (fault === 'hangs up') hangUp();
  else if (fault instanceof Promise) void fault.then(() => callback());
  else callback(Object.assign(new Error(fault.text), { responseCode: fault.code }));
};

/**
 * @param starttls whether it offers STARTTLS, with a certificate that nobody trusts
 * @param secure whether it speaks TLS from the start, with that certificate
 */
export const startSmtp = async ({ starttls = false, secure = false } = {}): Promise<SmtpRecorder> => {
  const mails: ParsedMail[] = [];
  const attempts: string[] = [];
  const recorder = {
    onRecipient: undefined as Fault | undefined,
    onMessage: undefined as Fault | undefined,
    isEncrypted: true,
    clientName: '',
    received: 0,
  };
  const server = new SMTPServer({
    secure,
    hideSTARTTLS: !starttls,
    allowInsecureAuth: !starttls,
    disableReverseLookup: true,
    closeTimeout: 10,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'app' && password === 'p@ss' ? callback(null, { user: 'app' }) : callback(new Error('no')),
    onRcptTo: ({ address }, session, callback) => {
      attempts.push(address);
      recorder.clientName = String(session.hostNameAppearsAs);
      if (recorder.onRecipient) answer(recorder.onRecipient, hangUp, callback);
      else callback();
    },
    onData: (stream, session, callback) => {
      const parsed = simpleParser(stream).then((mail) => {
        recorder.received += 1;
        if (recorder.onMessage && !(recorder.onMessage instanceof Promise))
          return answer(recorder.onMessage, hangUp, callback);
        recorder.isEncrypted &&= session.secure;
        mails.push(mail);
        if (recorder.onMessage) answer(recorder.onMessage, hangUp, callback);
        else callback();
      });
      parsed.catch(() => undefined); // a client that hangs up before the end
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => sockets.add(socket));
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('error', () => undefined); // a client that hangs up
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(recorder, {
    url: `${secure ? 'smtps' : 'smtp'}://app:p%40ss@127.0.0.1:${port}`,
    mails,
    attempts,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
};
