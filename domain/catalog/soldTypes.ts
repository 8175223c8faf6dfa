/** The types of everything that is sold: what is booked, and services of the resort, which are bought without a booking. */
import { type Static, Type } from '@sinclair/typebox';
import { OneOf } from '../core/schema.ts';
import { bookingTypes } from './bookableItem.ts';

const serviceTypes = ['ski_pass', 'insurance'] as const;
export const ServiceType = OneOf(serviceTypes);
export type ServiceType = Static<typeof ServiceType>;

const soldTypes = [...bookingTypes, ...serviceTypes] as const;
export const SoldType = OneOf(soldTypes);
export type SoldType = Static<typeof SoldType>;
export const SoldTypes = Type.Array(SoldType, { maxItems: soldTypes.length, uniqueItems: true });

export const isService = (type: SoldType): type is ServiceType => (serviceTypes as readonly SoldType[]).includes(type);
