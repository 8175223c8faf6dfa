/** The read models of consents. */
import type { ReadModel } from '../engine/readModel.ts';
import { consentRecords } from './consentRecords.ts';
import { consents } from './consents.ts';
import { consentPolicies } from './policies.ts';

export const readModels: readonly ReadModel[] = [consentPolicies, consents, consentRecords];
