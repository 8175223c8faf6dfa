/** The write-side manifest of this module. */
import { passClosures } from '../../domain/passes/closures.ts';
import { pass } from '../../domain/passes/pass.ts';
import { skiPassTariff } from '../../domain/passes/tariff.ts';
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import type { PurchaseDividers } from '../purchases/purchaseParts.ts';
import { closureTelling, passPurchaseMigrations, prunePurchases } from './closureTelling.ts';
import { connectPasses } from './connect.ts';
import { passUse } from './issuePass.ts';
import { passNotifications } from './notifications.ts';
import { passPolicy } from './policy.ts';
import { passParts, passRefund } from './refunds.ts';
import { passSettings } from './settings.ts';

export const passes = {
  policies: [passPolicy],
  jobs: [passRefund, closureTelling],
  notifications: passNotifications,
  followedByApi: [pass, passClosures, skiPassTariff],
  migrations: [passPurchaseMigrations],
  prunes: [prunePurchases],
  fileUses: { pass: { isUsed: passUse, whose: 'uploader' } },
  purchaseParts: { ski_pass: passParts },
  settings: passSettings,
  connect: connectPasses,
} as const satisfies CommandModule & FileUsers & PurchaseDividers;
