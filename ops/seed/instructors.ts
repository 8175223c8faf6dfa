/** Instructors of the demo; all belong to one school. */
import type { InstructorDetails } from '../../domain/catalog/instructor.ts';
import { at, DAILY, rub, type Sample } from './offers.ts';

const instructor = (
  slug: string,
  name: string,
  city: string,
  description: string,
  {
    disciplines,
    levels,
    languages,
    roubles,
    maxGroup = 4,
  }: Pick<InstructorDetails, 'disciplines' | 'levels' | 'languages'> & { roubles: number; maxGroup?: number },
): Sample<InstructorDetails> => ({
  slug,
  details: {
    name,
    city,
    description,
    disciplines,
    levels,
    languages,
    ...(city === 'Rosa Khutor' ? at(43.6709, 40.2948) : at(43.6894, 40.2639)),
    pricePerHourMinor: rub(roubles),
    maxGroup,
    workingHours: [{ weekdays: DAILY, from: '09:00', to: '17:00' }],
    closedDates: [],
    cancellationPolicy: 'moderate',
  },
});

export const sampleInstructors: readonly Sample<InstructorDetails>[] = [
  instructor('ilya', 'Ilya Morozov', 'Rosa Khutor', 'Fifteen seasons, no hurry. First turns in an hour.', {
    disciplines: ['ski'],
    levels: ['beginner', 'intermediate', 'kids'],
    languages: ['ru', 'en'],
    roubles: 4_500,
  }),
  instructor('daria', 'Daria Belova', 'Rosa Khutor', 'Boarder-cross team once, patient teacher now.', {
    disciplines: ['snowboard'],
    levels: ['beginner', 'intermediate', 'advanced'],
    languages: ['ru', 'en'],
    roubles: 4_800,
  }),
  instructor('timur', 'Timur Akhmedov', 'Rosa Khutor', 'Mountain guide. Powder when there is some, skills when not.', {
    disciplines: ['freeride', 'ski', 'telemark'],
    levels: ['advanced', 'expert'],
    languages: ['ru', 'en', 'de'],
    roubles: 7_900,
    maxGroup: 5,
  }),
  instructor('sofia', 'Sofia Lind', 'Esto-Sadok', 'Children from four, in three languages and many songs.', {
    disciplines: ['ski'],
    levels: ['kids', 'beginner'],
    languages: ['ru', 'en', 'sv'],
    roubles: 5_200,
    maxGroup: 6,
  }),
  instructor('pavel', 'Pavel Zimin', 'Esto-Sadok', 'Classic and skating on the Laura stadium tracks.', {
    disciplines: ['cross_country'],
    levels: ['beginner', 'intermediate', 'advanced'],
    languages: ['ru'],
    roubles: 3_600,
    maxGroup: 8,
  }),
  instructor('marta', 'Marta Ilves', 'Esto-Sadok', 'Video of every run, three drills, one cocoa.', {
    disciplines: ['ski', 'snowboard'],
    levels: ['intermediate', 'advanced', 'expert'],
    languages: ['ru', 'en', 'et'],
    roubles: 5_900,
  }),
];
