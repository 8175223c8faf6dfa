/**
 * The processing record, entry by entry: what is held about people, whose it is, why and on which legal basis, how long, who
 * sees it, how it gets into the export and what the erasure does. Each entry is declared as `personalData` beside the table
 * (`migrations`) or read model that holds it, or as `externalPersonalData` of a module for files, memory and systems outside.
 * `ops/processingRecord.ts` collects them: `docs/privacy.md`, the export, the erasure and the retention follow from them.
 */

/** The legal basis, in the terms of GDPR article 6 (1) and of part 1 of article 6 of the Russian law 152-FZ. */
export const legalBases = {
  consent: 'consent (GDPR a; 152-FZ item 1)',
  contract: 'contract with the person (GDPR b; 152-FZ item 5)',
  law: 'duty by law (GDPR c; 152-FZ item 2)',
  vital: 'life and health (GDPR d; 152-FZ item 6)',
  interest: 'legitimate interest (GDPR f; 152-FZ item 7)',
} as const;
type LegalBasis = keyof typeof legalBases;

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

/** Why a module holds something about people. Declared once a module, in `domain/<module>/index.ts`. */
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
export type Retention =
  /** As long as the account of its person: the erasure ends it. */
  | 'account'
  /** Until something happens. */
  | { readonly until: string }
  /** For good, and why. */
  | { readonly always: string }
  | readonly Period[];

/** What every entry of the processing record says. */
export interface ProcessingRecord {
  readonly why: Purpose;
  readonly retention: Retention;
  /** Where that is not as the purpose says. */
  readonly seenBy?: readonly Viewer[];
}

/** What becomes of a row at the erasure of somebody whom it names: it is deleted, or why it is kept. */
export type AtErasure = 'deleted' | { readonly kept: string };

/** Rows of a table or a read model. */
export interface PersonalRows<Column extends string | null = string> extends ProcessingRecord {
  /** The column with the id of the person whose row it is. */
  readonly whose: Column;
  /** At the erasure of this person. */
  readonly erased?: AtErasure;
  /** Further columns that name people → what becomes of the row at the erasure of one of these. */
  readonly others?: Readonly<Record<string, AtErasure>>;
}

/** A durable table with rows about one person each. */
export interface TableAboutPeople extends PersonalRows {
  /** The columns that the person may see. */
  readonly exported: readonly string[];
  readonly erased: AtErasure;
}

/** A durable table. A check refuses one that declares nothing. */
export type PersonalTable =
  | TableAboutPeople
  | {
      /** Nothing about a person that could be read; the text says what instead. */
      readonly nothing: string;
      /** Where rows are not kept for good. */
      readonly retention?: Retention;
    };

/** Table (`ops.sessions`) → what it holds about people. */
export type PersonalTables = Readonly<Record<string, PersonalTable>>;

/** The tables with rows about one person each. */
export const tablesAboutPeople = (
  declared: readonly { readonly personalData?: PersonalTables }[],
): [table: string, about: TableAboutPeople][] =>
  declared.flatMap(({ personalData = {} }) =>
    Object.entries(personalData).flatMap(([table, data]): [string, TableAboutPeople][] =>
      'whose' in data ? [[table, data]] : [],
    ),
  );

/** What is held outside of read models and durable tables. */
export interface ExternalPersonalData extends ProcessingRecord {
  readonly what: string;
  readonly where: 'memory' | 'files' | 'database' | 'provider' | 'backups' | 'logs';
  /** How the person gets it, or why not. */
  readonly exported: string;
  /** How the erasure reaches it. */
  readonly erased: string;
}

/** The columns with people whose erasure deletes the row. */
export const deletingColumns = <Column extends string | null>({
  whose,
  erased,
  others = {},
}: Pick<PersonalRows<Column>, 'whose' | 'erased' | 'others'>): readonly string[] => [
  ...(erased === 'deleted' && whose !== null ? [whose] : []),
  ...Object.keys(others).filter((column) => others[column] === 'deleted'),
];

export const periodsOf = (retention: Retention): readonly Period[] => (Array.isArray(retention) ? retention : []);

/** Of what the books are made of. */
export const forTheBooks: Retention = {
  always: 'ids, times and amounts, for the books (402-FZ: five years at least); texts go with the account',
};

/** Why a row is kept when somebody is erased whom it names. */
export const keptBecause = {
  soldBy: { kept: 'the guest keeps what they booked; the id names no seller any more' },
  sold: { kept: 'it is closed, and those who booked it go on seeing what it was' },
  doneBy: { kept: 'it stays provable who did it; the id names nobody any more' },
  with: { kept: 'the other keeps what they wrote; the id names nobody any more' },
} as const;

/** Rows that say which admin changed what of the platform. */
export const actsOfAdmins = {
  whose: null,
  why: { purpose: 'prove which admin changed what', basis: 'interest', seenBy: ['admins', 'auditors'] },
  retention: { always: 'ids only, so that it stays provable who changed what' },
  exported: 'as `audit_events`',
} as const;
