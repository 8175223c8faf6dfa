/** Companies of the demo, each with the account that owns it. */
import type { CompanyDetails } from '../../domain/catalog/company.ts';
import { at, type Sample } from './offers.ts';

const company = (
  slug: string,
  name: string,
  description: string,
  sells: CompanyDetails['sells'],
  where: Pick<CompanyDetails, 'city' | 'address' | 'location'>,
): Sample<CompanyDetails> => ({
  slug,
  details: { name, description, sells, website: `https://${slug}.resort.example`, ...where },
});

const ROSA = { city: 'Rosa Khutor', address: 'Naberezhnaya Panorama 1', ...at(43.6714, 40.2966) };
const POLYANA = { city: 'Krasnaya Polyana', address: 'Gornaya 12', ...at(43.6789, 40.2062) };

/** Person of the demo → company. */
export const sampleCompanies = {
  hotelier: company('vershina', 'Vershina Hotels', 'A dozen houses, from bunk to suite.', ['hotel'], POLYANA),
  touroperator: company('tropa', 'Tropa', 'Guides of the western Caucasus, all year round.', ['tour'], ROSA),
  transfer: company('perevoz', 'Perevoz', 'Drivers who know the gorge road in any weather.', ['transfer'], POLYANA),
  instructor: company('kant', 'Kant School', 'Six teachers, five disciplines, one hill.', ['instructor'], ROSA),
  restaurant: company('ugol', 'Ugol Group', 'Six kitchens between the river and the summit.', ['restaurant'], ROSA),
} as const;
