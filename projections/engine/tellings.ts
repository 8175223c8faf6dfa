/** Which channels are told of a row that moved, whose access to them begins or ends with it, and what the messages say. */
import type { PoolClient } from '../../infra/postgres.ts';
import type { Change, Withdrawal } from './changes.ts';
import { addressOf } from './channels.ts';
import { handled } from './handlerFailure.ts';
import { type ReadDb, readDbIn } from './readDb.ts';
import type { Json, Publication, ReadModel } from './readModel.ts';
import { formsOf } from './replies.ts';
import { inTurn } from './statementsInTurn.ts';
import type { Audience } from './wire.ts';

/** A row before and after a batch of events, or a part of it. */
export interface Move {
  readonly before: Json | undefined;
  readonly after: Json | null;
  /** When the last of the events happened. */
  readonly at: string;
}

/** What one channel is told of a row that moved. */
interface Telling {
  readonly channel: string;
  readonly verb: 'created' | 'updated' | 'removed';
  /** As it is now. For a channel that is no longer told of it: as it was, or what stands for a text that was withdrawn. */
  readonly row: Json;
  readonly audience: Audience;
  readonly at: string;
  readonly startsFor: string | null;
  readonly endsFor: string | null;
  /** Whether the channel's former changes of the row may be withdrawn later. */
  readonly isWithdrawable: boolean;
  /** What stands for a text that was withdrawn; null: the former changes may stay. */
  readonly withdrawn: Json | null;
}

const NO_ACCESS = { startsFor: null, endsFor: null };

const accessOf = ({ before, after }: Omit<Move, 'at'>, { memberOf }: Pick<Publication<Json>, 'memberOf'>) => {
  const formerMember = (before && memberOf?.(before)) ?? null;
  const member = (after && memberOf?.(after)) ?? null;
  return member === formerMember ? NO_ACCESS : { startsFor: member, endsFor: formerMember };
};

/** Whether somebody's access to a channel ends with this move of a row. */
export const endsAccess = (model: ReadModel, move: Omit<Move, 'at'>): boolean =>
  model.publishTo.some((to) => to.memberOf && accessOf(move, to).endsFor !== null);

const tellingsOf = (
  { before, after, at }: Move,
  { channel, idsOf, audience, memberOf, withdraws }: Publication<Json>,
): Telling[] => {
  const earlier = new Set(before ? idsOf(before) : []);
  const now = new Set(after ? idsOf(after) : []);
  const access = accessOf({ before, after }, { memberOf });
  const withdrawn = (before && after && withdraws?.(before, after)) ?? null;
  const of = { audience, at, ...access };
  const tell = (row: Json, verb: Telling['verb'], id: string): Telling => ({
    ...{ channel: addressOf(channel, id), verb, row, ...of },
    isWithdrawable: withdraws !== undefined,
    withdrawn,
  });
  return [
    ...(before ? [...earlier].filter((id) => !now.has(id)).map((id) => tell(withdrawn ?? before, 'removed', id)) : []),
    ...(after ? [...now].map((id) => tell(after, earlier.has(id) ? 'updated' : 'created', id)) : []),
  ];
};

/** Whose the row is; null: nobody's. */
const personOf = ({ personalData }: ReadModel, row: Json): string | null => {
  const person = personalData?.whose && row[personalData.whose];
  return typeof person === 'string' ? person : null;
};

/** Somebody, where none of these texts has their id. */
const unnamed = (person: string | null, ...texts: readonly string[]): readonly string[] =>
  person === null || texts.some((text) => text.includes(person)) ? [] : [person];

/** The addresses of the channels that are told of rows that moved. */
export const channelsOf = ({ publishTo }: ReadModel, moves: readonly Move[]): string[] =>
  publishTo.flatMap(({ channel, idsOf }) =>
    moves.flatMap(({ before, after }) =>
      [before, after].flatMap((row) => (row ? idsOf(row) : [])).map((id) => addressOf(channel, id)),
    ),
  );

/**
 * The messages about rows that moved, each in the wire form of its channel's audience. A row that came and went within
 * the batch makes no message.
 */
export const changesOf = async (db: ReadDb, model: ReadModel, moves: readonly Move[]): Promise<Change[]> => {
  if (model.publishTo.length === 0) return [];
  const tellings = handled(() => moves.flatMap((move) => model.publishTo.flatMap((to) => tellingsOf(move, to))));
  if (tellings.length === 0) return [];
  const formsFor = await formsOf(
    db,
    model,
    [...new Set(tellings.flatMap(({ row, withdrawn }) => (withdrawn ? [row, withdrawn] : [row])))],
    [...new Set(tellings.map(({ audience }) => audience))],
  );
  const withdrawals = new Map<string, Withdrawal>();
  return handled(() =>
    tellings.map(({ channel, verb, row, audience, at, startsFor, endsFor, isWithdrawable, withdrawn }) => {
      // The last change of a row in the batch is what its former ones show.
      const key = `${channel} ${row.id}`;
      if (withdrawn) withdrawals.set(key, { id: String(row.id), instead: formsFor(withdrawn, audience).text });
      const data = formsFor(row, audience).text;
      return {
        channel,
        type: `${model.entity}.${verb}`,
        data,
        at,
        startsFor,
        endsFor,
        ofRow: isWithdrawable ? String(row.id) : null,
        ofPeople: unnamed(personOf(model, row), channel, data),
        withdraws: withdrawals.get(key) ?? null,
      };
    }),
  );
};

/** What moved in the rows of some models. */
export interface Moved {
  readonly model: ReadModel;
  readonly moves: readonly Move[];
}

/** What the hubs send of it, once the rows of all models are written: wire forms show parts of other models. */
export const changesOfAll = async (client: PoolClient, moved: readonly Moved[]): Promise<Change[]> => {
  const published = moved.filter(({ model, moves }) => model.publishTo.length > 0 && moves.length > 0);
  const changes = await inTurn(client, published, ({ model, moves }, db) => changesOf(readDbIn(db), model, moves));
  return changes.flat();
};
