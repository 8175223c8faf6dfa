/** Transfer routes of the demo: between the airport of Sochi, the railway and the villages. */
import type { TransferDetails, Vehicle } from '../../domain/catalog/transfer.ts';
import { at, DAILY, rub, type Sample } from './offers.ts';

const PLACES = {
  airport: { name: 'Sochi airport (AER)', ...at(43.4499, 39.9566) },
  station: { name: 'Adler railway station', ...at(43.4325, 39.9066) },
  polyana: { name: 'Krasnaya Polyana', ...at(43.6794, 40.2055) },
  estoSadok: { name: 'Esto-Sadok', ...at(43.6871, 40.2604) },
  rosa: { name: 'Rosa Khutor', ...at(43.6715, 40.2963) },
};

const vehicle = (
  name: string,
  kind: Vehicle['class'],
  seats: number,
  luggage: number,
  units: number,
  roubles: number,
) => ({ name, class: kind, seats, luggage, units, priceMinor: rub(roubles) });

const route = (
  slug: string,
  from: keyof typeof PLACES,
  to: keyof typeof PLACES,
  { km, minutes, roubles }: { readonly km: number; readonly minutes: number; readonly roubles: number },
): Sample<TransferDetails> => ({
  slug,
  details: {
    name: `${PLACES[from].name} – ${PLACES[to].name}`,
    city: PLACES[to].name,
    description: 'Met with a name board, skis and child seats at no charge, an hour of waiting included.',
    origin: PLACES[from],
    destination: PLACES[to],
    lengthKm: km,
    durationMinutes: minutes,
    turnaroundMinutes: minutes + 15,
    serviceHours: [{ weekdays: DAILY, from: '00:00', to: '24:00' }],
    closedDates: [],
    vehicles: [
      vehicle('Sedan', 'comfort', 3, 3, 6, roubles),
      vehicle('Minivan', 'minivan', 7, 8, 4, Math.round(roubles * 1.7)),
      vehicle('Minibus', 'minibus', 16, 20, 2, Math.round(roubles * 3)),
    ],
    cancellationPolicy: 'flexible',
  },
});

export const sampleTransfers: readonly Sample<TransferDetails>[] = [
  route('aer-rosa', 'airport', 'rosa', { km: 46, minutes: 60, roubles: 3_000 }),
  route('rosa-aer', 'rosa', 'airport', { km: 46, minutes: 60, roubles: 3_000 }),
  route('aer-polyana', 'airport', 'polyana', { km: 38, minutes: 45, roubles: 2_600 }),
  route('aer-esto-sadok', 'airport', 'estoSadok', { km: 42, minutes: 60, roubles: 2_800 }),
  route('adler-rosa', 'station', 'rosa', { km: 51, minutes: 75, roubles: 3_200 }),
];
