/** Judges recommendations by made-up histories: how often the next booking is among the first ten. */
import { recommend } from '../../domain/recommendations/recommend.ts';
import { createRecommendationIndex } from '../../projections/recommendations/recommendationIndex.ts';
import { type MadeResort, makeResort, NOW, type Person } from './histories.ts';

const AT = 10;
const asker = { month: new Date(NOW).getUTCMonth(), at: NOW };

/** All that is known in memory, as the API keeps it. */
export const indexOf = ({ items, people }: MadeResort) => {
  const index = createRecommendationIndex();
  index.setItems(items.map((item) => ({ ...item, offer: null })));
  for (const { id, history } of people) index.counts.set(id, history);
  return index;
};

/** The share of people whose next booking is among the first ten of what they are recommended. */
const hitRate = (people: readonly Person[], recommended: (person: Person) => readonly string[]): number =>
  people.filter((person) => recommended(person).slice(0, AT).includes(person.next)).length / people.length;

/** Hit rates at 10: of ours and of what most people booked, for people with a history and for strangers. */
export const judge = (seed: number) => {
  const resort = makeResort(seed);
  const index = indexOf(resort);
  const newTo = ({ history }: Pick<Person, 'history'>) => {
    const booked = new Set(history.map(({ itemId }) => itemId));
    return [...index.items()].filter(({ id }) => !booked.has(id));
  };
  const byPeople = resort.items
    .map(({ id }) => ({ id, people: index.peopleOf(id) }))
    .sort((a, b) => b.people - a.people || (a.id < b.id ? -1 : 1));
  const popular = ({ history }: Pick<Person, 'history'>) => {
    const booked = new Set(history.map(({ itemId }) => itemId));
    return byPeople.map(({ id }) => id).filter((id) => !booked.has(id));
  };
  const ours = (history: Person['history']) =>
    recommend(index, newTo({ history }), { history, ...asker }, AT).map(({ item }) => item.id);
  // A fifth of the people is asked: enough to tell the methods apart.
  const asked = resort.people.filter((_, n) => n % 5 === 0);
  const cold = ours([]);
  return {
    ours: hitRate(asked, ({ history }) => ours(history)),
    popularity: hitRate(asked, popular),
    cold: hitRate(resort.people, () => cold),
    coldPopularity: hitRate(resort.people, () => popular({ history: [] })),
  };
};
