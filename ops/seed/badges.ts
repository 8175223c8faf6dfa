/** The badges of the demo resort. */
import { defineBadge } from '../../commands/badges/catalogue.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import type { Badge } from '../../domain/badges/catalogue.ts';

const badges: readonly Badge[] = [
  {
    name: { ru: 'Десять дней на склоне', en: 'Ten days on the slope' },
    description: { ru: 'Десять дней катания за сезон.', en: 'Ten ski days in one season.' },
    metric: 'days',
    threshold: 10,
    window: 'season',
    season: null,
  },
  {
    name: { ru: 'Эверест за день', en: 'Everest in a day' },
    description: { ru: '8849 метров спуска за один день.', en: '8,849 metres of descent in one day.' },
    metric: 'vertical',
    threshold: 8_849,
    window: 'day',
    season: null,
  },
  {
    name: { ru: 'Марафонец недели', en: 'Marathon week' },
    description: { ru: '200 км на лыжах за неделю.', en: '200 km on skis in one week.' },
    metric: 'distance',
    threshold: 200_000,
    window: 'week',
    season: null,
  },
  {
    name: { ru: 'Знаток курорта', en: 'Connoisseur' },
    description: { ru: 'Десять опубликованных отзывов.', en: 'Ten published reviews.' },
    metric: 'reviews',
    threshold: 10,
    window: 'ever',
    season: null,
  },
];

/** Safe to repeat. @param contextFor a context for each thing, by its name */
export const seedBadges = async (
  deps: CommandDeps,
  contextFor: (...name: string[]) => CommandContext,
): Promise<void> => {
  for (const badge of badges) await defineBadge(deps, contextFor('badge', badge.name.en), badge);
};
