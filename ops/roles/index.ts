/** What a process can be. Each role is a module of its own, loaded only where it runs. */
import type { Logger } from '../../infra/log.ts';
import type { Config, Role } from '../config.ts';
import type { Running, StartRole } from './role.ts';

/** What one module does; `all` and `worker` are made of these. */
type SingleRole = Exclude<Role, 'all' | 'worker'>;

const MODULES: Record<SingleRole, () => Promise<{ readonly start: StartRole }>> = {
  api: () => import('./api.ts'),
  projector: () => import('./projector.ts'),
  policies: () => import('./policies.ts'),
  realtime: () => import('./realtime.ts'),
  sandbox: () => import('./sandbox.ts'),
  eventstore: () => import('./eventstore.ts'),
};

/** `worker` runs everything that opens no port: the projector and the policies in one process. */
const expand = (role: Role): readonly SingleRole[] => {
  if (role === 'all') throw new Error('ROLE=all is a system of processes, not a role of one');
  return role === 'worker' ? ['projector', 'policies'] : [role];
};

/** Each of them once, in the order to start them in. */
export const expandRoles = (roles: readonly Role[]): readonly SingleRole[] => [...new Set(roles.flatMap(expand))];

export const startRole = async (role: SingleRole, config: Config, log: Logger): Promise<Running> =>
  (await MODULES[role]()).start(config, log);
