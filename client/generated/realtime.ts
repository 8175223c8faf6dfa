// Generated from openapi.json and asyncapi.json: see CONTRIBUTING.md, "Update committed documents".

/** Addresses of the channels. */
export const channels = {
  /** Changes that concern one account. Only this account may subscribe. */
  user: (id: string) => `realtime:user_${id}` as const,
  /** Changes that concern a seller: bookings, reviews. This seller and admins may subscribe. Alias: `realtime:provider:{id}`. */
  provider: (id: string) => `provider_${id}` as const,
  /** Tells apps that the configuration or the flags have changed. Everybody who is signed in may subscribe. Fetch `/platform/me` and `/platform/config` again after a random time of at most `fetch_within_s` seconds. Alias: `realtime:platform`. */
  platform: () => `platform` as const,
  /** Friends of one account, and their live positions. Only this account may subscribe. */
  friends: (id: string) => `friends_${id}` as const,
  /** Signals between the two people in a call, from the first ring to its end. Only they may subscribe. A change of the network needs no new call: send an offer with `restart`. Alias: `realtime:call_{id}`. */
  call: (id: string) => `call_${id}` as const,
  /** Messages and members of a chat. Its members may subscribe, but not while one of two has blocked the other; admins too where it is a chat with the support. */
  chat: (id: string) => `chat_${id}` as const,
  /** Support tickets: opened, taken, answered, returned, resolved. Admins may subscribe. */
  support_queue: () => `support_queue` as const,
  /** A track that is being recorded: its owner, and the accounts that it is shared with, until their share or the session ends. Alias: `realtime:tracking:{id}`. */
  tracking: (id: string) => `tracking_${id}` as const,
  /** States of the lifts and the queues at them, of each lift at most every 5 s. Everybody who is signed in may subscribe. Alias: `realtime:lift_queues`. */
  lift_queues: () => `lift_queues` as const,
  /** States of the slopes, and what is reported of the mountain. Everybody who is signed in may subscribe. Alias: `realtime:resort`. */
  resort: () => `resort` as const,
  /** All SOS incidents, with positions as they come. Admins may subscribe. Alias: `realtime:sos_board`. */
  sos_board: () => `sos_board` as const,
  /** Published news, promotions and events, with their texts in both languages. Everybody who is signed in may subscribe. A post is `created` when it is published, and `removed` when it expires or is taken back. Alias: `realtime:content`. */
  content: () => `content` as const,
  /** Posts of a topic of the forums, reactions to them, and whether it is pinned, locked or removed. Everybody who is signed in may subscribe. */
  forum_topic: (id: string) => `topic_${id}` as const,
};

/** Why the hub closes a socket. */
export const closeCodes = {
  "going_away": 4000,
  "slow_consumer": 4001,
  "unavailable": 4002,
  "token_expired": 4003,
  "internal": 4004,
  "crowded": 4005,
  "auth_timeout": 4500,
  "bad_token": 4501,
  "logged_out": 4502,
  "too_many_sockets": 4503,
  "rate_limited": 4504,
  "frame_too_large": 4505
} as const;
