/**
 * The parts of the product as apps show them in their menus. Each is declared once, in the manifest of its module. From that
 * follow `/modules`, what the configuration and the flags can close, and which operations are then refused.
 */
import { MODULE_FLAG } from '../../domain/core/moduleFlag.ts';
import type { Access } from './access.ts';

export interface AppModule {
  /** How clients and the configuration name it. Never changes. */
  readonly key: string;
  /** The flag that closes it for those for whom it is off. A flag that does not exist closes nothing. */
  readonly flag: string;
  /** It is never closed: somebody's safety depends on it. */
  readonly alwaysOpen: boolean;
}

export const appModule = (key: string, { alwaysOpen = false } = {}): AppModule => ({
  key,
  flag: `${MODULE_FLAG}${key}`,
  alwaysOpen,
});

/** A part of the product with the accesses of its operations, which say whose role fits. */
export interface OpenedModule extends AppModule {
  readonly accesses: ReadonlySet<Access>;
}

/** Accesses of people. Admins, partners, senders of signed messages and the seeding tools are never refused. */
const OF_PEOPLE: readonly Access[] = ['public', 'user', 'provider'];

/** Whether operations with this access are refused while their part of the product is closed. */
export const isGuarded = (module: AppModule | undefined, access: Access): module is AppModule =>
  module !== undefined && !module.alwaysOpen && OF_PEOPLE.includes(access);

/** Whether the part of the product can be closed for anybody. */
export const canBeClosed = ({ alwaysOpen, accesses }: OpenedModule): boolean =>
  !alwaysOpen && OF_PEOPLE.some((access) => accesses.has(access));
