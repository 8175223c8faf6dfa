/** The wire form of listings of every kind, derived from the details of the kind. */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { Currency, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { withMajor, withMajorSchema } from '../engine/majorUnits.ts';
import { wireForm } from '../engine/wire.ts';

export const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA name. All times of the listing are in this zone.',
  examples: ['Europe/Moscow'],
});

/** What everybody sees of a listing: the details and what never changes, with both units of every amount. */
export const listingFields = (details: TObject) => ({
  id: Uuid,
  ...withMajorSchema(snakeSchema(details)).properties,
  timezone: Timezone,
  currency: Currency,
});

export const listingForm = (details: TObject) => {
  const schema: TObject = Type.Object(listingFields(details));
  return wireForm(schema, (row: { readonly currency: string }) => withMajor(row, row.currency) as Static<TObject>);
};
