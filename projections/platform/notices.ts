/** What apps are told when their configuration or their flags have changed: that they should fetch them again. */
import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, OneOf } from '../../domain/core/schema.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { platformChannel } from './channels.ts';

/** All apps would otherwise ask in the same second. */
const SPREAD_S = 10;

const Row = Type.Object({
  part: OneOf(['config', 'flags'] as const, { description: 'What has changed.' }),
  revision: Type.Integer({ description: 'Rises with every change.' }),
  changed_at: Instant,
});
type Row = (typeof Row)['static'];

const about = (part: Row['part']) => ({
  keys: () => [{ part }],
  fold: (row: Row | undefined, { at }: Pick<Recorded, 'at'>): Row => ({
    part,
    revision: (row?.revision ?? 0) + 1,
    changed_at: at,
  }),
});
const flags = about('flags');

export const platformNotices = readModel('platform_notices', {
  version: 1,
  row: Row,
  key: 'part',
  entity: 'platform',
  on: {
    PlatformConfigChanged: about('config'),
    FeatureFlagCreated: flags,
    FeatureFlagRedefined: flags,
    FeatureFlagSwitched: flags,
    FeatureFlagDeleted: flags,
    FlagSegmentDefined: flags,
    FlagSegmentDeleted: flags,
  },
  publishTo: [{ channel: platformChannel, idsOf: () => ONE_CHANNEL, audience: 'guest' }],
  wire: wireForm(
    Type.Object({
      ...Row.properties,
      fetch_within_s: Type.Integer({ description: 'Fetch it again after a random time of at most this many seconds.' }),
    }),
    (row: Row) => ({ ...row, fetch_within_s: SPREAD_S }),
  ),
});
