/** Copies of people's names: whatever shows a name follows the account, or says here why it does not. */
import { expect, it } from 'vitest';
import { models } from '../../projections/modules.ts';

const looksLikeName = (column: string): boolean => /author$|name$|holder$|nick$/.test(column);

/** Where the names of accounts are: they follow `AccountOpened` and `ProfileChanged`. */
const follow = [
  ...['accounts.first_name', 'accounts.last_name'],
  ...['forum_authors.first_name', 'forum_authors.last_name'],
  ...['review_authors.first_name', 'review_authors.last_name'],
  ...['chat_people.first_name', 'chat_people.last_name'],
  ...['track_people.first_name', 'track_people.last_name'],
];
/** They stay as they are, and are changed where they are: see "Rectification" in `docs/privacy.md`. */
const stay: Readonly<Record<string, string>> = {
  'bookings.guest_name': 'who comes, who may be somebody else',
  'passes.holder_name': 'who rides, who may be somebody else',
  'leaderboard_people.display_name': 'chosen for the leaderboards, and never that of the account unasked',
  'payment_settings.nominal_account_holder': 'as the bank knows it',
  'role_requests.company_name': 'what was asked for and answered',
};
/** No names of people. */
const others: readonly string[] = [
  ...['api_keys.name', 'badges.name', 'flag_segments.name', 'insurance_products.name', 'purchases.product_name'],
  ...['companies.name', 'hotels.name', 'instructors.name', 'restaurants.name', 'rooms.name', 'tours.name'],
  ...['transfers.name', 'resort_lifts.name', 'resort_slopes.name', 'webcams.name'],
  ...['passes.tariff_name', 'ski_pass_tariffs.name'],
];

it('every column that looks like the name of a person follows the account, or says why it stays', () => {
  const columns = models.flatMap(({ name, row }) =>
    Object.keys(row.properties)
      .filter(looksLikeName)
      .map((column) => `${name}.${column}`),
  );
  expect(columns.toSorted()).toEqual([...follow, ...Object.keys(stay), ...others].toSorted());
});

it('the names of accounts follow the profile', () => {
  for (const model of new Set(follow.map((column) => column.split('.')[0])))
    expect(models.find(({ name }) => name === model)?.handlers.has('ProfileChanged'), model).toBe(true);
});
