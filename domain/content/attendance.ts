/** Whether one person comes to one event, `attendance-<derived from both>`. */
import { Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { Uuid } from '../core/schema.ts';

const About = { data: Type.Object({ postId: Uuid, userId: Uuid }) };
const attendanceEvents = {
  AttendanceAnnounced: About,
  AttendanceWithdrawn: About,
} as const satisfies EventDeclarations;
export type AttendanceEvent = EventsOf<typeof attendanceEvents>;

export interface Attendance {
  readonly isComing: boolean;
}
export interface AttendanceCommand {
  readonly type: 'AnnounceAttendance' | 'WithdrawAttendance';
  readonly postId: string;
  readonly userId: string;
}

const decide = ({ type, ...data }: AttendanceCommand, { isComing }: Attendance): AttendanceEvent[] => {
  switch (type) {
    case 'AnnounceAttendance':
      return isComing ? [] : [{ type: 'AttendanceAnnounced', data }];
    case 'WithdrawAttendance':
      return isComing ? [{ type: 'AttendanceWithdrawn', data }] : [];
  }
};

const evolve = (_: Attendance, { type }: AttendanceEvent): Attendance => {
  switch (type) {
    case 'AttendanceAnnounced':
      return { isComing: true };
    case 'AttendanceWithdrawn':
      return { isComing: false };
  }
};

export const attendance: Decider<Attendance, AttendanceCommand, AttendanceEvent> = {
  category: 'attendance',
  short: 'one person comes to one event, or does not',
  events: attendanceEvents,
  initial: { isComing: false },
  decide,
  evolve,
};
