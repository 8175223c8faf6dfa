/**
 * Stand-ins for local use, in one small server: the APIs of YooKassa and T-Bank with one payment page, identity
 * providers to sign in through, push services, a voice server, and an inbox for text messages, push messages and e-mails. Use it on one machine only: it listens on loopback by
 * default, and shows all its data to everyone who can connect.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { koaBody } from 'koa-body';
import { Rejected } from '../../domain/core/decider.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import { ApiError } from './core/apiError.ts';
import { bothProtocols } from './core/bothProtocols.ts';
import { mountControl } from './core/control.ts';
import { createFailures } from './core/failures.ts';
import type { NotificationFormats } from './core/notificationFormats.ts';
import { createNotifications } from './core/notifications.ts';
import { forgetRequests, openState } from './core/state.ts';
import { mailTable, mountMails } from './mail/inbox.ts';
import { type MailServer, startMailServer } from './mail/mailServer.ts';
import { mountIdentityProviders } from './oauth/identityProviders.ts';
import { mountMethodPage } from './payments/methodPage.ts';
import { createMethodService } from './payments/methodService.ts';
import { mountOffice } from './payments/office.ts';
import { mountPaymentPage } from './payments/paymentPage.ts';
import { createPaymentService } from './payments/paymentService.ts';
import { CONFIRM_WITHIN_MS } from './payments/payments.ts';
import { mountPush } from './push/mount.ts';
import { mountInbox } from './sms/inbox.ts';
import { mountTbankApi, REGISTER_PREFIX, TBANK_PREFIX, tbankFault } from './tbank/api.ts';
import { mountNominalApi, NOMINAL_PREFIX, nominalFault } from './tbank/nominalApi.ts';
import { tbankFormat } from './tbank/notificationFormat.ts';
import { mountVoice, type VoiceSandboxOptions } from './voice/livekit.ts';
import { mountWeather } from './weather/openMeteo.ts';
import { API_PREFIX, faultOf, mountYookassaApi } from './yookassa/api.ts';
import { yookassaFormat } from './yookassa/notificationFormat.ts';

export interface SandboxOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Default: loopback. */
  readonly host?: string;
  /** Where browsers reach it; the listening address by default. */
  readonly publicUrl?: string;
  /** Where the roles of the platform reach it; the listening address by default. */
  readonly rolesUrl?: string;
  /** Payments are kept in `sandbox/` of this folder. Unset = in memory. */
  readonly dataDir?: string;
  /** Receives the notifications. */
  readonly webhookUrl: string;
  /** Signs them. */
  readonly webhookSecret: string;
  /** Database with `ops.sandbox_messages`. Unset = there are no messages. */
  readonly pool?: Pool;
  /** Where it takes e-mails; 0 = any free port. Unset = nowhere. */
  readonly smtpPort?: number;
  readonly log: Logger;
  /** The only terminal of T-Bank's API, and the default address of its notifications. */
  readonly tbank?: { readonly terminalKey: string; readonly password: string; readonly webhookUrl?: string };
  /** The voice server. Unset = there is none. */
  readonly voice?: VoiceSandboxOptions;
  /** The only shop and key that YooKassa's API accepts. Unset = any. */
  readonly credentials?: { readonly shopId: string; readonly secretKey: string };
  /** The name above the amount. */
  readonly merchant?: string;
  /** How long the payer has; one hour by default. */
  readonly confirmWithinMs?: number;
}

export interface Sandbox {
  /** `http://127.0.0.1:8082`; the APIs are under `/yookassa/v3`, `/tbank/v2` and `/tbank/nominal`. */
  readonly address: string;
  /** Where it takes e-mails. */
  readonly smtpPort?: number;
  stop(): Promise<void>;
}

const SWEEP_MS = 1_000;
const DEFAULT_TERMINAL: NonNullable<SandboxOptions['tbank']> = { terminalKey: 'sandbox', password: 'sandbox' };

export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { log } = options;
  const stopping = new AbortController();
  const state = openState(options.dataDir === undefined ? undefined : join(options.dataDir, 'sandbox'));
  const { terminalKey, password, webhookUrl = options.webhookUrl } = options.tbank ?? DEFAULT_TERMINAL;
  const formats: NotificationFormats = {
    yookassa: yookassaFormat(options.webhookUrl, options.webhookSecret),
    tbank: tbankFormat(webhookUrl, password),
  };
  const notifications = createNotifications({ state, formats, log });
  const service = createPaymentService(state, notifications, formats, log);
  const methods = createMethodService(state, notifications, log);
  const failures = createFailures(stopping.signal);

  const http1 = createServer();
  const publicUrl = (): string => options.publicUrl?.replace(/\/$/, '') ?? addressOf(server);
  const rolesUrl = (): string => options.rolesUrl?.replace(/\/$/, '') ?? addressOf(server);

  const router = new Router();
  mountPaymentPage(router, service, options.merchant ?? 'Resort Booking');
  mountMethodPage(router, methods, options.merchant ?? 'Resort Booking');
  const push = mountPush(router, rolesUrl);
  const { server, closeAll } = bothProtocols(http1, push.http2);
  let mailServer: MailServer | undefined;
  mountInbox(router, { service, push, mails: () => mailTable(mailServer) }, options.pool, log);
  mountMails(router, () => mailServer);
  mountControl(router, notifications, failures, state);
  mountOffice(router, service);
  const pageUrl = (id: string): string => `${publicUrl()}/pay/${id}`;
  const methodUrl = (id: string): string => `${publicUrl()}/link/${id}`;
  const { confirmWithinMs = CONFIRM_WITHIN_MS, credentials } = options;
  const shared = { state, service, failures, pageUrl, confirmWithinMs };
  mountYookassaApi(router, { ...shared, methods, methodUrl, ...(credentials && { credentials }) });
  mountTbankApi(router, { ...shared, terminalKey, password });
  mountNominalApi(router, state, failures);
  mountIdentityProviders(router, { publicUrl, rolesUrl });
  mountWeather(router);
  if (options.voice) mountVoice(router, options.voice, log);
  const koa = new Koa();
  koa.use(envelope(log));
  koa.use(koaBody({ multipart: false, text: false, jsonLimit: '64kb', formLimit: '16kb' }));
  koa.use(router.routes());
  koa.use(router.allowedMethods());
  const callback = koa.callback();
  http1.on('request', (request, response) => {
    if (!push.answers(request, response)) void callback(request, response);
  });

  try {
    mailServer = options.smtpPort === undefined ? undefined : await startMailServer(mailOptions(options), log);
    await listening(server, options);
  } catch (error) {
    await mailServer?.stop();
    state.close();
    throw error;
  }
  notifications.wake();
  const sweeping = setInterval(() => {
    service.sweep();
    methods.sweep();
    forgetRequests(state, Date.now());
  }, SWEEP_MS);

  return {
    address: addressOf(server),
    ...(mailServer && { smtpPort: mailServer.port }),
    stop: async () => {
      stopping.abort();
      clearInterval(sweeping);
      const closed = new Promise((resolve) => server.close(resolve));
      closeAll();
      await Promise.all([closed, notifications.stop(), mailServer?.stop()]);
      state.close();
    },
  };
};

const mailOptions = ({ smtpPort = 0, host = '127.0.0.1' }: SandboxOptions) => ({ port: smtpPort, host });

const listening = (server: Server, { port, host = '127.0.0.1' }: SandboxOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** The address of the server on this machine. */
const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  const name = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
};

/** The outermost middleware: headers of every reply, and errors in the format of the API that was called. */
const envelope =
  (log: Logger): Koa.Middleware =>
  async (ctx, next) => {
    ctx.set({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new ApiError(404, 'not_found', 'Nothing at this address');
    } catch (error) {
      answer(ctx, toApiError(error, log));
    }
  };

const answer = (ctx: Context, error: ApiError): void => {
  ctx.status = error.status;
  if (ctx.path.startsWith(API_PREFIX)) ctx.body = faultOf(error);
  else if ([TBANK_PREFIX, REGISTER_PREFIX].some((prefix) => ctx.path.startsWith(prefix))) ctx.body = tbankFault(error);
  else if (ctx.path.startsWith(NOMINAL_PREFIX)) ctx.body = nominalFault(error);
  else ctx.body = { code: error.code, detail: error.message };
};

const toApiError = (error: unknown, log: Logger): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof Rejected) return new ApiError(400, 'invalid_request', error.message);
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined;
  // Errors of the body parser: malformed, too long, or in an unknown encoding.
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ApiError(status, 'invalid_request', 'The request cannot be read');
  log.error({ err: error }, 'the sandbox failed');
  return new ApiError(500, 'internal_server_error', 'Internal server error');
};
