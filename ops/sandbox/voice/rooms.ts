/** The rooms of the voice server, and who is in them. */
import { randomUUID } from 'node:crypto';
import { TwirpFault } from './twirp.ts';
import type { Webhooks } from './webhooks.ts';

/** `can_publish_sources`: `MICROPHONE`, `CAMERA` and so on; empty: all. */
interface Permission {
  readonly can_publish: boolean;
  readonly can_publish_sources: readonly string[];
}

export interface Participant {
  readonly sid: string;
  readonly identity: string;
  name: string;
  permission: Permission;
}
export interface Room {
  readonly sid: string;
  readonly participants: Map<string, Participant>;
  metadata: string;
}

/** What a token lets somebody do. */
export interface Entry {
  readonly room: string;
  readonly identity: string;
  readonly name: string;
  readonly permission: Permission;
}

/** @param onEmpty called when the last one has left, before the room is gone */
export const createRooms = (webhooks: Webhooks, onEmpty: (room: string) => void) => {
  const rooms = new Map<string, Room>();
  const named = (name: string): Room => {
    const room = rooms.get(name);
    if (!room) throw new TwirpFault(404, 'not_found');
    return room;
  };
  const open = (name: string): Room => {
    const before = rooms.get(name);
    if (before) return before;
    const room = { sid: `RM_${randomUUID()}`, participants: new Map(), metadata: '' };
    rooms.set(name, room);
    webhooks.send('room_started', { room: { name, sid: room.sid } });
    return room;
  };
  const close = (name: string): void => {
    onEmpty(name);
    rooms.delete(name);
    webhooks.send('room_finished', { room: { name } });
  };
  const leave = (name: string, sid: string): void => {
    const { participants } = named(name);
    const participant = participants.get(sid);
    if (!participants.delete(sid)) return;
    webhooks.send('participant_left', { room: { name }, participant });
    if (participants.size === 0) close(name);
  };
  const withIdentity = (name: string, identity: string): Participant[] =>
    [...named(name).participants.values()].filter((one) => one.identity === identity);

  return {
    all: rooms,
    named,
    open,
    leave,
    /** Throws everybody out. */
    end: (name: string): void => {
      const { participants } = named(name);
      const sids = [...participants.keys()];
      for (const sid of sids) leave(name, sid);
      if (sids.length === 0) close(name);
    },
    /** It crashes: nobody is told, and it knows nothing of before. */
    crash: (): void => rooms.clear(),
    join: ({ room: name, identity, permission, ...entry }: Entry): Participant => {
      // A second connection of the same device throws out the first.
      const before = rooms.has(name) ? withIdentity(name, identity) : [];
      const participant = {
        sid: `PA_${randomUUID()}`,
        identity,
        name: entry.name,
        permission,
      };
      open(name).participants.set(participant.sid, participant);
      webhooks.send('participant_joined', { room: { name }, participant });
      for (const { sid } of before) leave(name, sid);
      return participant;
    },
    /** As LiveKit 1.13.5: tokens that somebody has let them in again. */
    remove: (name: string, identity: string): void => {
      const found = withIdentity(name, identity);
      if (found.length === 0) throw new TwirpFault(404, 'not_found');
      for (const { sid } of found) leave(name, sid);
    },
    /** @param name that others see; empty: as before */
    update: (room: string, identity: string, { name, permission }: Pick<Participant, 'name' | 'permission'>) => {
      const [participant] = withIdentity(room, identity);
      if (!participant) throw new TwirpFault(404, 'not_found');
      participant.permission = permission;
      if (name !== '') participant.name = name;
      return participant;
    },
  };
};
export type Rooms = ReturnType<typeof createRooms>;
