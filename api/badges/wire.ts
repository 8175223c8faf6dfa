/** What everybody sees of a badge. */
import { type Static, Type } from '@sinclair/typebox';
import { Badge } from '../../domain/badges/catalogue.ts';
import { Uuid } from '../../domain/core/schema.ts';
import type { BadgeRow } from '../../projections/badges/badges.ts';

export const ShownBadge = Type.Object({ id: Uuid, ...Badge.properties }, { $id: 'Badge' });

export const shownBadge = ({ created_at: _, retired_at: __, ...shown }: BadgeRow): Static<typeof ShownBadge> => shown;
