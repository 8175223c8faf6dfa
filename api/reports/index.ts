/** Reports of what breaks the rules, and appeals against decisions of moderators. What is reported has the operations for it. */
import { appealKinds } from '../../domain/reports/appeal.ts';
import type { ApiModule } from '../http/module.ts';
import { appealRoutes } from './appealRoutes.ts';

export const reports: ApiModule = {
  service: 'social',
  routes: appealRoutes({
    path: 'appeals',
    name: 'Appeal',
    where: '',
    kinds: appealKinds,
    about: 'About something of yours that was removed or hidden, or your mute or ban.',
    undoes: 'what was removed or hidden is restored, a mute or ban is lifted.',
    projections: [],
  }),
};
