/** Every module of the write side, and what follows from that. A new module adds one line to the list and its import. */

import { settingValues } from '../infra/settings.ts';
import { accounts } from './accounts/index.ts';
import { analytics } from './analytics/index.ts';
import { badges } from './badges/index.ts';
import { bookings } from './bookings/index.ts';
import { calls } from './calls/index.ts';
import { catalog } from './catalog/index.ts';
import { chat } from './chat/index.ts';
import { consents } from './consents/index.ts';
import { content } from './content/index.ts';
import type { CoreDeps } from './core/deps.ts';
import type { CommandModule, ModuleConfig } from './core/module.ts';
import { partsOf } from './core/policyParts.ts';
import { coreSettings, type WithSettings } from './core/settings.ts';
import { favorites } from './favorites/index.ts';
import type { FileUsers, FileUses, FileUsesPort } from './files/fileUses.ts';
import { files } from './files/index.ts';
import { flags } from './flags/index.ts';
import { forums } from './forums/index.ts';
import { friends } from './friends/index.ts';
import { leaderboards } from './leaderboards/index.ts';
import { ledger } from './ledger/index.ts';
import { mail } from './mail/index.ts';
import type { NotificationsPort } from './notifications/deps.ts';
import { notifications } from './notifications/index.ts';
import { notificationPolicy } from './notifications/policy.ts';
import { partners } from './partners/index.ts';
import { passes } from './passes/index.ts';
import { payments } from './payments/index.ts';
import type { PaidModule, PayableKind, PayablesPort } from './payments/payables.ts';
import { platform } from './platform/index.ts';
import { privacy } from './privacy/index.ts';
import { promotions } from './promotions/index.ts';
import { purchases } from './purchases/index.ts';
import type { PurchaseDividers, PurchaseParts, PurchasePartsPort } from './purchases/purchaseParts.ts';
import { push } from './push/index.ts';
import { recommendations } from './recommendations/index.ts';
import type { AppealableKinds, AppealsPort } from './reports/appealables.ts';
import { reports } from './reports/index.ts';
import { resort } from './resort/index.ts';
import { reviews } from './reviews/index.ts';
import { sos } from './sos/index.ts';
import { stories } from './stories/index.ts';
import { support } from './support/index.ts';
import { tracking } from './tracking/index.ts';
import { voice } from './voice/index.ts';

/** The lowest module first. */
const modules = [
  accounts,
  consents,
  flags,
  platform,
  push,
  mail,
  friends,
  files,
  reports,
  catalog,
  partners,
  ledger,
  payments,
  promotions,
  bookings,
  purchases,
  passes,
  reviews,
  calls,
  chat,
  support,
  tracking,
  leaderboards,
  badges,
  resort,
  analytics,
  sos,
  content,
  privacy,
  forums,
  voice,
  recommendations,
  favorites,
  stories,
  notifications,
] as const;
type Module = (typeof modules)[number];

type IntersectionOf<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type PortsOf<M> = M extends { readonly connect: (...given: never[]) => infer Ports } ? Ports : never;
type AppealablesOf<M> = M extends { readonly appealables: infer Declared } ? Declared : never;
type SettingsDeclaredBy<M> = M extends { readonly settings: infer Declared } ? Declared : never;

/** Everything that commands, policies and jobs can need. Each names the part of it that it uses. */
export type CommandDeps = CoreDeps &
  WithSettings<ModuleSettings> &
  IntersectionOf<PortsOf<Module>> &
  PayablesPort &
  FileUsesPort &
  AppealsPort &
  PurchasePartsPort &
  NotificationsPort;

/** A manifest, also with what it registers with the modules below. */
type Manifest = CommandModule<CommandDeps> &
  Partial<FileUsers & AppealableKinds & PurchaseDividers & PaidModule<CommandDeps>>;
const manifests: readonly Manifest[] = modules;

/** A part of all manifests, in the order of the modules. */
const all = <T>(part: (manifest: Manifest) => readonly T[] | undefined): readonly T[] =>
  manifests.flatMap((manifest) => part(manifest) ?? []);

type ModuleSettings = IntersectionOf<SettingsDeclaredBy<Module>>;
/** Environment settings of all modules: name → schema. */
export const moduleSettings: ModuleSettings = Object.assign({}, ...manifests.map((each) => each.settings));

/** What people are told, of all modules. */
export const notificationDeclarations = all((each) => each.notifications);
export const policies = [...all((each) => each.policies), notificationPolicy(notificationDeclarations)];
/** The names of the policies' checkpoints, when each is divided into this many parts. */
export const policyConsumers = (parts: number): readonly string[] =>
  partsOf(policies, parts).map(({ consumer }) => consumer);
export const jobs = all((each) => each.jobs);
/** The aggregates that each API process follows, of all modules. */
export const followedByApi = all((each) => each.followedByApi);
/** The aggregates that each worker follows, of all modules. */
export const followedByWorkers = all((each) => each.followedByWorkers);
/** Of the durable tables of all modules. */
export const moduleMigrations = all((each) => each.migrations);
/** What all modules hold about people outside of tables. */
export const moduleExternalPersonalData = all((each) => each.externalPersonalData);
/** Each deletes what has expired. */
export const modulePrunes = all((each) => each.prunes);
/** What each module does when a person is erased. */
export const moduleErasures = manifests.flatMap((each) => each.erasure ?? []);

const payableKinds = all((each) => each.payables);
/** The fields by which a request names what it pays for: `booking_id`, `purchase_id` and so on. */
export const payableFields = payableKinds.flatMap(({ fields }) => fields);

/** How each module says whether it uses a file. */
const fileUses: FileUses = Object.assign({}, ...manifests.map((each) => each.fileUses));

/** What can be appealed, of all modules: of every kind, or this does not compile. */
export const appealables: AppealsPort['appealables'] = Object.assign(
  {} as IntersectionOf<AppealablesOf<Module>>,
  ...manifests.map((each) => each.appealables),
);

/** How each module ends what purchases were divided into. */
const purchaseParts: PurchaseParts = Object.assign({}, ...manifests.map((each) => each.purchaseParts));

/** Binds what can be paid for to the dependencies. Bind again after replacing a dependency. */
export const bindPayables = (deps: Omit<CommandDeps, 'payables'>): CommandDeps => {
  const payables = new Map<string, PayableKind>();
  const bound: CommandDeps = { ...deps, payables };
  for (const { kind, fields, bind } of payableKinds) payables.set(kind, { fields, ...bind(bound) });
  return bound;
};

/** Makes the ports and settings of all modules. Nothing is asked of the stores yet. */
export const connectModules = (
  config: ModuleConfig<ModuleSettings>,
  given: Omit<CoreDeps, 'settings'>,
): CommandDeps => {
  const declared = settingValues({ ...coreSettings, ...moduleSettings }, config);
  const core: CoreDeps = { ...given, settings: declared };
  const ports = manifests.map((each): { readonly settings?: object } => ({
    ...each.connect?.(config as never, core),
  }));
  const settings = Object.assign({}, declared, ...ports.map((each) => each.settings));
  const told = new Map(notificationDeclarations.map((each) => [each.name, each]));
  return bindPayables(
    Object.assign({}, core, ...ports, { settings, notifications: told, fileUses, purchaseParts, appealables }),
  );
};
