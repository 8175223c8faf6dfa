/** The client: the operations of the API as methods, and its channels. */
import type { SocketConstructor } from './live/connection.ts';
import { createLive, type Live, type LiveState } from './live/live.ts';
import type { Frame } from './live/types.ts';
import { type Api, type CallOptions, createApi } from './rest/api.ts';
import { ApiError } from './rest/errors.ts';
import { createLastWrite } from './rest/lastWrite.ts';
import { createSession, externalSession, type Session, type Tokens } from './rest/session.ts';

export interface ClientOptions {
  /** Of the platform: `https://resort.example`. */
  readonly baseUrl: string;
  /** Of an earlier sign-in, as `onTokens` gave them. */
  readonly tokens?: Tokens;
  /** Called with new tokens to store, and with undefined when the session has ended. */
  readonly onTokens?: (tokens: Tokens | undefined) => void;
  /** Gives a valid access token, where the application keeps tokens itself; instead of `tokens`. */
  readonly token?: () => string | undefined | Promise<string | undefined>;
  /** Of a partner. */
  readonly apiKey?: string;
  /** How long one attempt of a call may take; by default 30 s, or 10 minutes for an upload. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** For runtimes without one, such as Node 20: that of `ws`. */
  readonly WebSocket?: SocketConstructor;
  /** Address of the WebSocket; `/ws` of the base address by default. */
  readonly liveUrl?: string;
  /** Longest wait before the WebSocket is opened again; 30 s by default. */
  readonly longestWaitMs?: number;
  /** Every frame of the WebSocket, before it is handled. */
  readonly onFrame?: (frame: Frame) => void;
  /** Called with each new `live.state`: an application shows that it is offline. */
  readonly onLiveState?: (state: LiveState) => void;
}

export interface Client extends Api {
  readonly live: Live;
  /** Ends all subscriptions. The methods still work. */
  close(): void;
}

const LONGEST_WAIT_MS = 30_000;

/** @throws TypeError when the base address is none */
export const createClient = (options: ClientOptions): Client => {
  const { origin, pathname } = new URL(options.baseUrl);
  const baseUrl = origin + pathname.replace(/\/$/, '');
  const lastWrite = createLastWrite();
  const shared = {
    baseUrl,
    lastWrite,
    fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => globalThis.fetch(...request)),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs,
  };

  /** Without rotation, an answer that is lost ends no session, and several tabs can share the tokens. */
  const refresh = async (refresh_token: string) => {
    try {
      return await createApi({ ...shared, session: externalSession(() => undefined) }).refreshTokens({ refresh_token });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return 'refused';
      throw error;
    }
  };
  const session: Session = options.token
    ? externalSession(options.token)
    : createSession({
        tokens: options.tokens,
        refresh,
        onTokens: (tokens) => {
          if (tokens) live.use(tokens.access_token);
          options.onTokens?.(tokens);
        },
      });

  const api = createApi({ ...shared, session });
  const live = createLive({
    url: options.liveUrl ?? `${baseUrl.replace(/^http/, 'ws')}/ws`,
    WebSocket: options.WebSocket ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket,
    session,
    hasUnseenWrite: lastWrite.isUnseen,
    longestWaitMs: options.longestWaitMs ?? LONGEST_WAIT_MS,
    onFrame: options.onFrame,
    onState: options.onLiveState,
  });
  return {
    ...api,
    signOut: async (input?: Parameters<Api['signOut']>[0], call?: CallOptions) => {
      const reply = await api.signOut(input, call);
      session.set(undefined);
      return reply;
    },
    live,
    close: () => live.close(),
  };
};
