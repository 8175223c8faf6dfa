/** All channels of a client over one WebSocket, which is open while there are some. */
import type { ServerFrame } from '../generated/types.ts';
import type { Session } from '../rest/session.ts';
import { createAllowance } from './allowance.ts';
import { ChannelState } from './channel.ts';
import type { SocketConstructor } from './connection.ts';
import { type Follow, type FollowOptions, follow, type Snapshot } from './follow.ts';
import { type Link, startLink } from './link.ts';
import { createPace } from './pace.ts';
import { type Consumer, type SubscribeOptions, type Subscription, SubscriptionEnded } from './subscription.ts';
import { type Frame, isChange, isEphemeral, type Publish, type RowsOf } from './types.ts';

/** Of the socket: `idle` without subscriptions, `connecting` until the hub has let the client in, then `open`. */
export type LiveState = 'idle' | 'connecting' | 'open';

export interface Live {
  readonly state: LiveState;
  /** Subscribes to a channel until it is closed, across lost connections. Several to one channel share that of the hub. */
  subscribe<A extends string>(channel: A, options: SubscribeOptions<A>): Subscription<A>;
  /** The rows of one kind that a list shows, kept up to date: a snapshot, then each change after it. */
  follow<A extends string, E extends keyof RowsOf<A> & string>(
    channel: A,
    snapshot: Snapshot<RowsOf<A>[E]>,
    options: FollowOptions<E, RowsOf<A>[E]>,
  ): Follow<RowsOf<A>[E]>;
  /** Ends all subscriptions. */
  close(): void;
}

export interface LiveOptions {
  /** `wss://host/ws`. */
  readonly url: string;
  readonly WebSocket: SocketConstructor | undefined;
  readonly session: Session;
  /** Whether the account has written what servers do not show yet: a channel that it may read can still be forbidden. */
  readonly hasUnseenWrite: () => boolean;
  readonly longestWaitMs: number;
  /** Every frame of the hub, before it is handled. */
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  readonly onState?: ((state: LiveState) => void) | undefined;
}

/** Frames that may be published at once, and in a second: fewer than what makes the hub close the socket. */
const PUBLISHED = { burst: 50, perSecond: 10 };

/** As the client has it. */
export interface OwnLive extends Live {
  /** There is a new token. */
  use(token: string): void;
}

export const createLive = (options: LiveOptions): OwnLive => {
  const { url, WebSocket, session, hasUnseenWrite, longestWaitMs, onFrame, onState } = options;
  const channels = new Map<string, ChannelState>();
  /** The channels by what the ids of their frames begin with. */
  const byKey = new Map<string, ChannelState>();
  const allowance = createAllowance(PUBLISHED.burst, PUBLISHED.perSecond);
  let link: Link | undefined;
  let socket: LiveState = 'idle';
  let keys = 0;

  const become = (next: LiveState): void => {
    if (next === socket) return;
    socket = next;
    onState?.(next);
  };

  const end = (state: ChannelState, reason?: SubscriptionEnded): void => {
    if (channels.get(state.channel) !== state) return;
    channels.delete(state.channel);
    byKey.delete(state.key);
    if (channels.size === 0) {
      const ended = link;
      link = undefined;
      ended?.stop();
    }
    state.end(reason);
    if (!link) become('idle'); // a handler may have subscribed again
  };

  const leave = (state: ChannelState, consumer: Consumer): void => {
    if (!state.leave(consumer)) return;
    const isSubscribed = channels.get(state.channel) === state && socket === 'open';
    if (isSubscribed) link?.send({ type: 'unsubscribe', channel: state.channel });
    end(state);
  };

  const refused = ({ code, detail, id = '' }: Extract<ServerFrame, { type: 'error' }>): void => {
    const state = byKey.get(id.split('.')[0] ?? '');
    const error = new SubscriptionEnded(code, detail);
    if (!state?.isAsking(id)) state?.refused(id, error);
    else if (code === 'forbidden' && hasUnseenWrite()) state.askLater();
    else end(state, error);
  };

  const receive = (frame: Frame) => {
    onFrame?.(frame);
    if (isChange(frame)) return channels.get(frame.channel)?.changed(frame);
    if (isEphemeral(frame)) return channels.get(frame.channel)?.told(frame);
    if (frame.type === 'error') return refused(frame);
    if (frame.type === 'subscribed') return channels.get(frame.channel)?.subscribed(frame);
    if (frame.type !== 'unsubscribed' || frame.reason !== 'forbidden') return;
    const state = channels.get(frame.channel);
    if (state) end(state, new SubscriptionEnded('forbidden', 'This account may not read the channel any more.'));
  };

  const start = () => {
    if (!WebSocket) throw new Error('This runtime has no WebSocket. Pass one as `WebSocket`, such as that of `ws`.');
    const pace = createPace((frame) => started.send(frame));
    const started = startLink({
      url,
      WebSocket,
      session,
      longestWaitMs,
      onFrame: receive,
      onReady: () => {
        for (const state of channels.values()) state.connected();
        become('open');
      },
      onLost: () => {
        pace.reset();
        for (const state of channels.values()) state.disconnected();
        if (link) become('connecting');
      },
      onRefused: (code, detail) => {
        link = undefined;
        for (const state of [...channels.values()]) end(state, new SubscriptionEnded(code, detail));
      },
    });
    return { ...started, send: pace.send };
  };

  const open = (channel: string): ChannelState => {
    if (!link) {
      link = start();
      become('connecting');
    }
    keys += 1;
    const state = new ChannelState(channel, String(keys), (frame) => link?.send(frame));
    channels.set(channel, state);
    byKey.set(state.key, state);
    if (socket === 'open') state.connected();
    return state;
  };

  const subscribe = <A extends string>(channel: A, options: SubscribeOptions<A>): Subscription<A> => {
    const state = channels.get(channel) ?? open(channel);
    const consumer = state.join(options as SubscribeOptions);
    const publish = (event: string, data: object): boolean => {
      const isSent = state.canPublish(consumer) && allowance.take();
      if (isSent) state.publish(consumer, event, data);
      return isSent;
    };
    return {
      channel,
      get cursor() {
        return consumer.cursor;
      },
      publish: publish as Publish<A>,
      close: () => leave(state, consumer),
    };
  };

  return {
    get state() {
      return socket;
    },
    subscribe,
    follow: (channel, snapshot, options) => follow({ subscribe }, channel, snapshot, options),
    use: (token) => link?.use(token),
    close: () => {
      for (const state of [...channels.values()]) end(state);
    },
  };
};
