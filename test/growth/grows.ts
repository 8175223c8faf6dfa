/** What costs more when there is more. */

export interface Growth {
  /** Operations, and the query field if only that filter or order does: `GET /api/v1/bookings/me ?type`. */
  readonly what: RegExp;
  readonly because: string;
}

/** What is bounded by something else than the history, so that it may grow. */
export const bounded: readonly Growth[] = [
  {
    what: /v1\/(hotels|tours|restaurants|transfers|instructors|companies|(ski-?pass|pass)\/tariffs|insurance\/products|badges|resort)\b/,
    because: 'as much as the resort offers at once, whatever its history',
  },
  {
    what: /v1\/(provider\/(hotels|tours|restaurants|transfers|instructors|companies)|ota\/v1)|GET \/ota\/v1\//,
    because: 'as much as one seller offers at once',
  },
  {
    what: /admin\/(ski-pass\/tariffs|insurance\/products|api-keys|promo-codes|projections)\b/,
    because: 'as many as people of the resort have made by hand',
  },
  {
    what: /v1\/(news|promotions|events|events\.ics|admin\/posts)\b/,
    because: 'as many as people of the resort have written',
  },
  {
    what: /v1\/((bookings\/(me)?|purchases\/me|payments\/(me|history)|role-requests\/me|tracking\/sessions|sos\/me) \?\w+|(ski-?pass|pass)\/me|tracking\/(stats|targets)|ai\/recommendations|favorites|stories\/mine|attachments|forums\/appeals\/me|me\/consents)/,
    because: 'what one guest has done themselves: a filter looks through it',
  },
  {
    what: /v1\/(push\/devices|friends(\/live|\/blocked|\/invitations\/sent)?|leaderboard \?friends)/,
    because: 'devices and friends of one person: their number is limited',
  },
  {
    what: /v1\/chats(\/me)? /,
    because: 'looks up the newest message of each group that somebody is in: a message is not written for each member',
  },
  { what: /v1\/(stories|sos) \?/, because: 'as many as are open now: a story ends after a day' },
  {
    what: /v1\/audit\/events \?/,
    because: 'looks past the reads of the log that the check itself has made: they are in the log, too',
  },
  { what: /admin\/payments\/review/, because: 'as many as wait for a person' },
  {
    what: /admin\/(chat-reports|forums\/reports|leaderboard-name-reports)/,
    because: 'what is reported has one row of evidence, and a name one person: only copies share them',
  },
  { what: /admin\/ledger\/balances/, because: 'as many as there are accounts: three for each seller' },
  {
    what: /admin\/ledger\/funnel/,
    because: 'as much as was booked in the period: copies are of the time of their originals',
  },
  {
    what: /bookings\/provider \?(type|from|to|date)/,
    because: 'sorts what begins in these days; a seller mostly has one type',
  },
];

/** What grows with the history and should not. */
export const notYet: readonly Growth[] = [];

/** The same of commands: of the process that answers (`api`) and of the worker that follows (`worker`). */
export const boundedCommands: readonly Growth[] = [
  { what: /^PATCH \/api\/v1\/rooms\/:id api/, because: 'as many as a room has nights for sale' },
  {
    what: /tracking\/sessions\/:id\/finish/,
    because: 'what one guest has recorded within two days: copies are of the time of their originals',
  },
  {
    what: /^POST \/api\/v1\/purchases\/:id\/cancel worker/,
    because: 'as many as watch what was held just before: when it changes, each of them is compared',
  },
  {
    what: /^(POST \/api\/v1\/support\/tickets\/:id\/resolve|PUT \/api\/v1\/forums\/posts\/:id\/reaction) worker/,
    because: 'more of what workers do by the clock fell into it: each statement reads as little as before',
  },
];

/** Commands that cost more with the history and should not. */
export const notYetCommands: readonly Growth[] = [];
