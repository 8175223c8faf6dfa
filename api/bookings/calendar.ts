/** The calendar file of a booking. */
import { Type } from '@sinclair/typebox';
import { calendarFor } from '../../commands/bookings/calendar.ts';
import { OneOf } from '../../domain/core/schema.ts';
import { ById, route, saveAs, TextOf } from '../http/route.ts';

export const calendarRoute = route('GET /api/v1/bookings/:id/calendar.ics', {
  id: 'getBookingCalendar',
  access: 'user',
  summary: 'Download a booking as a calendar file (guest)',
  description:
    'iCalendar (RFC 5545). A later file of the same booking replaces the earlier one; the file of a cancelled booking removes it.',
  params: ById,
  query: Type.Object({ language: Type.Optional(OneOf(['ru', 'en'] as const, { default: 'en' })) }),
  reply: TextOf('text/calendar'),
  errors: ['not_found'],
  handle: async ({ params, query, caller, context, request }, app) => {
    const { language = 'en' } = query;
    const { name, content } = await calendarFor(app, caller.id, params.id, { language, at: context.at });
    saveAs(name, request);
    return content;
  },
});
