/** The tables of `docs/privacy.md`, made of the processing record. */
import type { TSchema } from '@sinclair/typebox';
import { moduleSettings } from '../commands/modules.ts';
import { aggregates, purposes } from '../domain/modules.ts';
import { personalFields } from '../eventstore/personalPaths.ts';
import {
  type AtErasure,
  type ExternalPersonalData,
  legalBases,
  type Period,
  type PersonalTable,
  type ProcessingRecord,
  type Purpose,
  periodsOf,
  type Retention,
  type Viewer,
  viewers,
} from '../infra/personalData.ts';
import type { DeclaredPersonalData, ReadModel } from '../projections/engine/readModel.ts';
import { models } from '../projections/modules.ts';
import { externalPersonalData } from './processingRecord.ts';
import { allMigrations } from './tables.ts';

const settings: Readonly<Record<string, TSchema>> = moduleSettings;
const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
/** A Markdown table; `|` in a cell is escaped. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

const seenText = (seenBy: readonly Viewer[]): string => seenBy.map((viewer) => viewers[viewer]).join(', ');

const lengthText = ({ days, hours }: Period): string => {
  if (typeof days === 'string') return `\`${days}\` (${settings[days]?.default} days unless set)`;
  if (days !== undefined) return days === 1 ? '1 day' : `${days} days`;
  return hours === undefined ? '' : `${hours} h`;
};

const periodText = (period: Period): string => {
  const { after, isDay, where, by } = period;
  const from = isDay ? `the end of \`${after}\`` : `\`${after}\``;
  const length = lengthText(period);
  return [
    length === '' ? `until ${from}` : `${length} after ${from}`,
    ...(where === undefined ? [] : [`where \`${where}\``]),
    ...(by === undefined ? [] : [`by ${by}`]),
  ].join(', ');
};

/** How long something is kept, in words. */
const retentionText = (retention: Retention): string => {
  if (retention === 'account') return 'as long as the account';
  if ('until' in retention) return `until ${retention.until}`;
  if ('always' in retention) return `for good: ${retention.always}`;
  return periodsOf(retention).map(periodText).join('; ');
};

/** A line of a purpose's table. */
interface Line extends ProcessingRecord {
  readonly thing: string;
  readonly what: string;
  readonly exported: string;
  readonly erased: string;
}

const MOST_COLUMNS = 8;
/** What a row without personal texts says. */
const columnsText = ({ row }: ReadModel, of: string): string => {
  const columns = Object.keys(row.properties).filter((column) => column !== of);
  return `${code(columns.slice(0, MOST_COLUMNS))}${columns.length > MOST_COLUMNS ? ', …' : ''}`;
};

const atErasure = (what: AtErasure): string => (what === 'deleted' ? 'deleted' : `stays: ${what.kept}`);

/** What becomes of a row at the erasure of somebody else whom it names. */
const othersText = (others: Readonly<Record<string, AtErasure>> = {}): string =>
  Object.entries(others)
    .map(([column, what]) => `; at that of \`${column}\`: ${atErasure(what)}`)
    .join('');

const modelErased = ({ texts, values, erased, retention, others }: DeclaredPersonalData): string => {
  const isForGood = typeof retention === 'object' && 'always' in retention;
  const blank = [...texts, ...values].length > 0 ? 'replaced by `[erased]` or null' : undefined;
  const own =
    erased === 'deleted'
      ? erased
      : (blank ?? (erased ? atErasure(erased) : isForGood ? 'what stays names nobody' : 'nothing'));
  return `${own}${othersText(others)}`;
};

const modelLine = (model: ReadModel, declared: DeclaredPersonalData): Line => {
  const { whose, texts, values, exported } = declared;
  const thing = `\`read.${model.name}\``;
  if (whose === null)
    return {
      ...{ ...declared, thing, what: 'ids of people', erased: 'the ids stay; they name nobody' },
      exported: String(exported),
    };
  const personal = [...texts, ...values];
  return {
    ...declared,
    thing,
    what: personal.length === 0 ? `no texts: ${columnsText(model, whose)}` : code(personal),
    exported: typeof exported === 'string' ? exported : `\`${model.name}\``,
    erased: modelErased(declared),
  };
};

const tableLine = (name: string, declared: Extract<PersonalTable, { readonly whose: string }>): Line => ({
  ...declared,
  thing: `\`${name}\``,
  what: declared.exported.length === 0 ? 'what programs need to know' : code(declared.exported),
  exported: declared.exported.length === 0 ? 'no: nothing to read' : `\`${name}\``,
  erased: `${declared.erased === 'deleted' ? 'deleted' : `kept: ${declared.erased.kept}`}${othersText(declared.others)}`,
});

const tables = allMigrations.flatMap(({ personalData = {} }) => Object.entries(personalData));

/** Every table and read model with personal data. */
export const lines: readonly Line[] = [
  ...models.flatMap((model) => (model.personalData ? [modelLine(model, model.personalData)] : [])),
  ...tables.flatMap(([name, declared]) => ('whose' in declared ? [tableLine(name, declared)] : [])),
];

/** Events with personal texts or values: their streams' category → type with its fields. */
const inLog = new Map(
  aggregates.flatMap(({ category, events }): [string, string][] => {
    const found = Object.entries(events).flatMap(([type, declared]) => {
      const fields = personalFields(type, declared).map(({ path }) => path.join('.'));
      return fields.length === 0 ? [] : [`\`${type}\` (${fields.join(', ')})`];
    });
    return found.length === 0 ? [] : [[category, found.join('; ')]];
  }),
);

/** Categories of streams that say something about people without saying why. */
export const withoutPurpose: readonly string[] = [...inLog.keys()].filter((category) => !purposes.has(category));

const section = (text: string): string => {
  const own = lines.filter(({ why }) => why.purpose === text);
  const logged = [...inLog]
    .filter(([category]) => purposes.get(category)?.purpose === text)
    .map(([, events]) => events);
  const [declared] = [
    ...own.map(({ why }) => why),
    ...[...purposes.values()].filter(({ purpose }) => purpose === text),
  ] as Purpose[];
  const { basis, seenBy } = declared as Purpose;
  return [
    `### To ${text}`,
    '',
    `Legal basis: ${legalBases[basis]}. Seen by: ${seenText(seenBy)}, unless a line says otherwise.`,
    ...(logged.length === 0 ? [] : ['', `Encrypted in the event log, as long as the account: ${logged.join('; ')}.`]),
    ...(own.length === 0 ? [] : ['', recordTable(own)]),
  ].join('\n');
};

const recordTable = (own: readonly Line[]): string =>
  table(
    ['where', 'what', 'how long', 'seen by', 'in the export', 'at the erasure'],
    own.map(({ thing, what, retention, seenBy, exported, erased }) => [
      thing,
      what,
      retentionText(retention),
      seenBy === undefined ? '' : seenText(seenBy),
      exported,
      erased,
    ]),
  );

const externalRow = ({
  what,
  where,
  why,
  retention,
  seenBy,
  exported,
  erased,
}: ExternalPersonalData): readonly string[] => [
  what,
  where,
  `to ${why.purpose}: ${legalBases[why.basis]}`,
  retentionText(retention),
  seenText(seenBy ?? why.seenBy),
  exported,
  erased,
];

/** The generated part of `docs/privacy.md`. */
export const privacyTables = (): string => {
  const texts = [...new Set([...lines.map(({ why }) => why.purpose), ...[...purposes.values()].map((p) => p.purpose)])];
  const used = texts.filter(
    (text) =>
      lines.some(({ why }) => why.purpose === text) ||
      [...inLog.keys()].some((category) => purposes.get(category)?.purpose === text),
  );
  return [
    ...used.map(section),
    '### Outside of tables and the log',
    table(
      ['what', 'where', 'why', 'how long', 'seen by', 'in the export', 'at the erasure'],
      externalPersonalData.map(externalRow),
    ),
    '### Tables that hold nothing to read about a person',
    table(
      ['table', 'what it holds', 'how long'],
      tables.flatMap(([name, declared]) =>
        'nothing' in declared
          ? [[`\`${name}\``, declared.nothing, declared.retention ? retentionText(declared.retention) : '']]
          : [],
      ),
    ),
  ].join('\n\n');
};
