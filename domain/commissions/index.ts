/** What the domain layer has of this module. */
import { commissionRules } from './commissionRules.ts';

export const commissions = { aggregates: [commissionRules] } as const;
