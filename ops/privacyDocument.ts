/** The tables of `docs/privacy.md`, made of what everything that holds something about people declares. */
import type { TSchema } from '@sinclair/typebox';
import { moduleSettings } from '../commands/modules.ts';
import { aggregates, purposes } from '../domain/modules.ts';
import { personalFields } from '../eventstore/personalPaths.ts';
import {
  type AtErasure,
  type HeldElsewhere,
  type Holding,
  type LegalBasis,
  legalBases,
  type Period,
  type Purpose,
  periodsOf,
  type Viewer,
  viewers,
} from '../infra/holding.ts';
import type { Held } from '../infra/migrations.ts';
import type { PersonalColumns, ReadModel } from '../projections/engine/readModel.ts';
import { models } from '../projections/modules.ts';
import { heldElsewhere } from './heldElsewhere.ts';
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
const keptText = (kept: Holding['kept']): string => {
  if (kept === 'account') return 'as long as the account';
  if ('until' in kept) return `until ${kept.until}`;
  if ('always' in kept) return `for good: ${kept.always}`;
  return periodsOf(kept).map(periodText).join('; ');
};

/** A line of a purpose's table. */
interface Line extends Holding {
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

const atErasure = (what: AtErasure): string => (what === 'deleted' ? 'deleted' : `stays: ${what.stay}`);

/** What becomes of a row at the erasure of somebody else whom it names. */
const othersText = (others: Readonly<Record<string, AtErasure>> = {}): string =>
  Object.entries(others)
    .map(([column, what]) => `; at that of \`${column}\`: ${atErasure(what)}`)
    .join('');

const modelErased = ({ texts, values = [], erased, kept, others }: PersonalColumns): string => {
  const isForGood = typeof kept === 'object' && 'always' in kept;
  const blank = [...texts, ...values].length > 0 ? 'replaced by `[erased]` or null' : undefined;
  const own =
    erased === 'deleted'
      ? erased
      : (blank ?? (erased ? atErasure(erased) : isForGood ? 'what stays names nobody' : 'nothing'));
  return `${own}${othersText(others)}`;
};

const modelLine = (model: ReadModel, declared: PersonalColumns): Line => {
  const { name } = model;
  const { of, texts, values = [] } = declared;
  const personal = [...texts, ...values];
  return {
    ...declared,
    thing: `\`read.${name}\``,
    what: personal.length === 0 ? `no texts: ${columnsText(model, of)}` : code(personal),
    exported: `\`${name}\``,
    erased: modelErased(declared),
  };
};

const namesLine = (model: ReadModel, names: NonNullable<ReadModel['names']>): Line => ({
  ...names,
  thing: `\`read.${model.name}\``,
  what: 'ids of people',
  erased: 'the ids stay; they name nobody',
});

const tableLine = (name: string, held: Extract<Held, { readonly person: string }>): Line => ({
  ...held,
  thing: `\`${name}\``,
  what: held.exported.length === 0 ? 'what programs need to know' : code(held.exported),
  exported: held.exported.length === 0 ? 'no: nothing to read' : `\`${name}\``,
  erased: `${held.erased === 'deleted' ? 'deleted' : `kept: ${held.erased.kept}`}${othersText(held.others)}`,
});

const tables = allMigrations.flatMap(({ holds = {} }) => Object.entries(holds));

/** Every holding in a table. */
export const lines: readonly Line[] = [
  ...models.flatMap((model) => [
    ...(model.personal ? [modelLine(model, model.personal)] : []),
    ...(model.names ? [namesLine(model, model.names)] : []),
  ]),
  ...tables.flatMap(([name, held]) => ('person' in held ? [tableLine(name, held)] : [])),
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
    `Legal basis: ${legalBases[basis as LegalBasis]}. Seen by: ${seenText(seenBy)}, unless a line says otherwise.`,
    ...(logged.length === 0 ? [] : ['', `Encrypted in the event log, as long as the account: ${logged.join('; ')}.`]),
    ...(own.length === 0 ? [] : ['', holdingTable(own)]),
  ].join('\n');
};

const holdingTable = (own: readonly Line[]): string =>
  table(
    ['where', 'what', 'how long', 'seen by', 'in the export', 'at the erasure'],
    own.map(({ thing, what, kept, seenBy, exported, erased }) => [
      thing,
      what,
      keptText(kept),
      seenBy === undefined ? '' : seenText(seenBy),
      exported,
      erased,
    ]),
  );

const elsewhereRow = ({ what, where, why, kept, seenBy, exported, erased }: HeldElsewhere): readonly string[] => [
  what,
  where,
  `to ${why.purpose}: ${legalBases[why.basis]}`,
  keptText(kept),
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
      heldElsewhere.map(elsewhereRow),
    ),
    '### Tables that hold nothing to read about a person',
    table(
      ['table', 'what it holds', 'how long'],
      tables.flatMap(([name, held]) =>
        'nothing' in held ? [[`\`${name}\``, held.nothing, held.kept === undefined ? '' : keptText(held.kept)]] : [],
      ),
    ),
  ].join('\n\n');
};
