/** Audio and video calls between two people, and credentials for the TURN server that relays them. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { callRoutes } from './calls.ts';
import { turnRoutes } from './turn.ts';

export const calls: ApiModule = { service: 'calls', opens: appModule('calls'), routes: [...turnRoutes, ...callRoutes] };
