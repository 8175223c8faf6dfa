import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rejected } from '../../domain/core/decider.ts';
import {
  type FavoriteCommand,
  type FavoriteEvent,
  favoriteOf,
  favorites,
  MAX_FAVORITES,
  MAX_WATCHED,
  type Watch,
} from '../../domain/favorites/favorites.ts';
import { favoriteKinds, kindOf } from '../../domain/favorites/kinds.ts';
import { at, id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(favorites);
const hotel = { kind: 'hotel', id: id(7) };
const webcam = { kind: 'webcam', id: id(8) };
const drop: Watch = { reasons: ['price_drop'], stay: null };
const stay = { checkIn: '2026-03-08', checkOut: '2026-03-10', guests: 2 };
const added = (target = hotel): FavoriteEvent => ({ type: 'FavoriteAdded', data: { target } });
const watched = (watch: Watch | null, target = hotel): FavoriteEvent => ({
  type: 'FavoriteWatchSet',
  data: { target, watch },
});
const removed: FavoriteEvent = { type: 'FavoriteRemoved', data: { target: hotel } };
const add = (watch?: Watch | null, target = hotel): FavoriteCommand => ({
  ...{ type: 'AddFavorite', target, at: at(0) },
  ...(watch !== undefined && { watch }),
});

describe('a favourite', () => {
  it('is added once', () => given([]).when(add()).thenOnce([added()]));
  it('is removed once', () => given([added()]).when({ type: 'RemoveFavorite', target: hotel }).thenOnce([removed]));
  it('that is none need not be removed', () => given([]).when({ type: 'RemoveFavorite', target: hotel }).then([]));
  it('can be added again', () => given([added(), removed]).when(add()).thenOnce([added()]));
  it('is one of at most so many', () => {
    const all = Array.from({ length: MAX_FAVORITES }, (_, n) => added({ kind: 'tour', id: id(1_000 + n) }));
    given(all).when(add()).then('conflict');
    given([...all.slice(1), added()])
      .when(add())
      .then([]);
  });
  it('goes with all others when the person is erased', () => {
    given([added(), added(webcam)])
      .when({ type: 'RemoveAllFavorites' })
      .thenOnce([
        { type: 'FavoriteRemoved', data: { target: webcam } },
        { type: 'FavoriteRemoved', data: { target: hotel } },
      ]);
  });
});

describe('a watch', () => {
  it('is set with the favourite, or later', () => {
    given([])
      .when(add(drop))
      .thenOnce([added(), watched(drop)]);
    given([added()])
      .when(add(drop))
      .thenOnce([watched(drop)]);
  });
  it('stays when nothing is said of it, and ends with null', () => {
    given([added(), watched(drop)])
      .when(add())
      .then([]);
    given([added(), watched(drop)])
      .when(add(null))
      .thenOnce([watched(null)]);
  });
  it('ends with the favourite', () =>
    expect(favoriteOf(given([added(), watched(drop), removed, added()]).state, hotel)?.watch).toBeNull());
  it('is only for what the kind can be watched for', () => {
    given([]).when(add(drop, webcam)).then('invalid');
    given([])
      .when(add({ reasons: ['free_dates'], stay: null }, { kind: 'tour', id: id(9) }))
      .then('invalid');
    for (const kind of favoriteKinds)
      for (const reason of kindOf(kind).watchedFor)
        given([])
          .when(add({ reasons: [reason], stay: null }, { kind, id: id(9) }))
          .thenOnce([added({ kind, id: id(9) }), watched({ reasons: [reason], stay: null }, { kind, id: id(9) })]);
  });
  it.each([
    ['in the past', { ...stay, checkIn: '2026-02-27' }],
    ['backwards', { ...stay, checkOut: stay.checkIn }],
    ['too long', { ...stay, checkOut: '2026-05-01' }],
    ['too far ahead', { ...stay, checkIn: '2031-03-01', checkOut: '2031-03-02' }],
  ])('is refused for dates %s', (_, wrong) =>
    given([])
      .when(add({ ...drop, stay: wrong }))
      .then('invalid'),
  );
  it('has dates only of what people stay in', () => {
    given([])
      .when(add({ ...drop, stay }))
      .thenOnce([added(), watched({ ...drop, stay })]);
    given([])
      .when(add({ ...drop, stay }, { kind: 'tour', id: id(9) }))
      .then('invalid');
  });
  it('is one of at most so many', () => {
    const all = Array.from({ length: MAX_WATCHED }, (_, n) => {
      const target = { kind: 'tour', id: id(1_000 + n) };
      return [added(target), watched(drop, target)];
    }).flat();
    given(all).when(add(drop)).then('conflict');
    given(all).when(add()).then([added()]);
  });
  it('of dates that have begun everywhere is none of them', () => {
    const watchedFrom = (checkIn: string) =>
      Array.from({ length: MAX_WATCHED }, (_, n) => {
        const target = { kind: 'room', id: id(1_000 + n) };
        return [added(target), watched({ ...drop, stay: { ...stay, checkIn } }, target)];
      }).flat();
    given(watchedFrom('2026-02-28')).when(add(drop)).then('conflict');
    const past = watchedFrom('2026-02-27');
    given(past)
      .when(add(drop))
      .thenOnce([added(), watched(drop)]);
    const all = [...watchedFrom('2026-02-28'), added(), watched({ ...drop, stay: { ...stay, checkIn: '2026-02-27' } })];
    given(all).when(add(drop)).then('conflict');
    given(all)
      .when(add(null))
      .thenOnce([watched(null)]);
  });
});

it('whatever is commanded, the state is that of the last command about a thing', () => {
  const target = fc.record({ kind: fc.constantFrom('hotel', 'room'), id: fc.constantFrom(id(1), id(2)) });
  const watch = fc.constantFrom(undefined, null, drop, { ...drop, stay });
  const commands = fc.array(fc.tuple(fc.boolean(), target, watch), { maxLength: 30 });
  fc.assert(
    fc.property(commands, (list) => {
      let state = favorites.initial;
      const expected = new Map<string, Watch | null>();
      for (const [isAdded, of, wish] of list) {
        const key = `${of.kind} ${of.id}`;
        const command: FavoriteCommand = isAdded ? add(wish, of) : { type: 'RemoveFavorite', target: of };
        state = favorites.decide(command, state).reduce(favorites.evolve, state);
        if (isAdded) expected.set(key, wish === undefined ? (expected.get(key) ?? null) : wish);
        else expected.delete(key);
      }
      expect(new Map([...state.all].map(([key, { watch: is }]) => [key, is]))).toEqual(expected);
    }),
  );
});

it('refuses with a sentence that says what can be done', () => {
  const refuse = () =>
    favorites.decide(add({ reasons: ['free_dates'], stay: null }, { kind: 'tour', id: id(9) }), favorites.initial);
  expect(refuse).toThrow(Rejected);
  expect(refuse).toThrow('A tour cannot be watched for free_dates. Choose from price_drop.');
});
