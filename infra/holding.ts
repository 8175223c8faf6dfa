/**
 * What everything that holds something about people says of itself: why, on which legal basis, who sees it, how long. It is
 * declared beside the thing (`personal` of read models, `holds` of migrations, `holdsElsewhere` of manifests);
 * `docs/privacy.md` is made of it, and `retention.ts` keeps the periods.
 */

/** The legal basis, in the terms of GDPR article 6 (1) and of part 1 of article 6 of the Russian law 152-FZ. */
export const legalBases = {
  consent: 'consent (GDPR a; 152-FZ item 1)',
  contract: 'contract with the person (GDPR b; 152-FZ item 5)',
  law: 'duty by law (GDPR c; 152-FZ item 2)',
  vital: 'life and health (GDPR d; 152-FZ item 6)',
  interest: 'legitimate interest (GDPR f; 152-FZ item 7)',
} as const;
export type LegalBasis = keyof typeof legalBases;

/** Who sees something about a person, in the words of `docs/privacy.md`. */
export const viewers = {
  self: 'the person',
  seller: 'the seller of what is booked',
  friends: 'friends, as far as the person shares',
  members: 'those in the same chat, call or room',
  readers: 'those who see what it is attached to',
  users: 'everybody who is signed in',
  public: 'everybody',
  admins: 'admins',
  auditors: 'auditors',
  rescuers: 'rescuers',
  support: 'agents of the support',
  provider: 'the provider outside',
  nobody: 'nobody: only programs',
} as const;
export type Viewer = keyof typeof viewers;

/** Why a module holds something about people. Declared once a module, in `domain/<module>/purpose.ts`. */
export interface Purpose {
  /** After "in order to". */
  readonly purpose: string;
  readonly basis: LegalBasis;
  readonly seenBy: readonly Viewer[];
}

/** From an instant in a row on. Without `days` and `hours` the row goes at that instant. */
export interface Period {
  /** The column with the instant, or the day. */
  readonly after: string;
  /** Whether the column is a day (UTC), after whose end the period begins. */
  readonly isDay?: true;
  /** Days, or the name of the setting that has them. */
  readonly days?: number | string;
  readonly hours?: number;
  /** Of which rows, as a condition in SQL; all unless given. */
  readonly where?: string;
  /** What deletes the rows where that is not `keepPeriods`. */
  readonly by?: string;
}

/** How long something is kept. */
export type Kept =
  /** As long as the account of its person: the erasure ends it. */
  | 'account'
  /** Until something happens. */
  | { readonly until: string }
  /** For good, and why. */
  | { readonly always: string }
  | readonly Period[];

/** What holds something about people says why, how long, and who sees it where that is not as the purpose says. */
export interface Holding {
  readonly why: Purpose;
  readonly kept: Kept;
  readonly seenBy?: readonly Viewer[];
}

/** Of what the books are made of. */
export const forTheBooks: Kept = {
  always: 'ids, times and amounts, for the books (402-FZ: five years at least); texts go with the account',
};

/** What becomes of a row at the erasure of somebody whom it names. */
export type AtErasure = 'deleted' | { readonly stay: string };

/** The columns with people whose erasure deletes the row. @param own the column with the person whose row it is */
export const deletingColumns = (
  own: string,
  {
    erased,
    others = {},
  }: { readonly erased?: object | 'deleted'; readonly others?: Readonly<Record<string, AtErasure>> },
): readonly string[] => [
  ...(erased === 'deleted' ? [own] : []),
  ...Object.keys(others).filter((column) => others[column] === 'deleted'),
];

/** Why a row stays when somebody is erased whom it names. */
export const staysBecause = {
  soldBy: { stay: 'the guest keeps what they booked; the id names no seller any more' },
  sold: { stay: 'it is closed, and those who booked it go on seeing what it was' },
  doneBy: { stay: 'it stays provable who did it; the id names nobody any more' },
  with: { stay: 'the other keeps what they wrote; the id names nobody any more' },
} as const;

/** Rows that say which admin changed what of the platform. */
export const actsOfAdmins = {
  why: { purpose: 'prove which admin changed what', basis: 'interest', seenBy: ['admins', 'auditors'] },
  kept: { always: 'ids only, so that it stays provable who changed what' },
  exported: 'as `audit_events`',
} as const;

export const periodsOf = (kept: Kept): readonly Period[] => (Array.isArray(kept) ? kept : []);

/** What is held outside of read models and durable tables. */
export interface HeldElsewhere extends Holding {
  readonly what: string;
  readonly where: 'memory' | 'files' | 'database' | 'provider' | 'backups' | 'logs';
  /** How the person gets it, or why not. */
  readonly exported: string;
  /** How the erasure reaches it. */
  readonly erased: string;
}
