/** From events to notifications: one policy for what all modules declare. */
import type { Recorded } from '../../domain/core/decider.ts';
import { defineJob } from '../core/jobs.ts';
import { CUE_JOB, type CueData, type NotificationDeclaration, type SettledOf, setCue } from '../core/notification.ts';
import type { Policy, PolicyHandler } from '../core/policy.ts';
import { addNotices, isHistory, notificationId } from './addNotifications.ts';
import type { NotificationDeps } from './deps.ts';
import { settle, takeBack, unreadUpTo } from './settleNotifications.ts';

/** Tells what a cue leads to now, or sets it for later. */
const follow = async (
  deps: NotificationDeps,
  declaration: NotificationDeclaration,
  cue: CueData,
  correlationId: string,
): Promise<void> => {
  const { key, about, eventAt, dueAt } = cue;
  const found = await declaration.find(about, { deps: deps as never, at: deps.now(), eventAt, correlationId });
  if ('againAt' in found) return setCue(deps.jobs, { correlationId }, { ...cue, dueAt: found.againAt });
  await addNotices(deps, { declaration, notices: found, key, at: dueAt ?? eventAt, correlationId });
};

/** A cue that was set for later. The job's id is the declaration's name and the cue's key. */
export const cueJob = defineJob<CueData, NotificationDeps>(CUE_JOB, async ({ data }, { deps, context }) => {
  const declaration = deps.notifications.get(data.name);
  if (declaration) await follow(deps, declaration, data, context.correlationId);
  return undefined;
});

type Handle = (event: Recorded, deps: NotificationDeps) => Promise<void>;

const cues = (declaration: NotificationDeclaration, type: string): Handle[] => {
  const cuesOf = declaration.on.get(type);
  if (!cuesOf) return [];
  return [
    async (event, deps) => {
      for (const { about, key = event.id, dueAt = null } of cuesOf(event as never)) {
        const cue = { name: declaration.name, key, about, eventAt: event.at, dueAt };
        if (dueAt === null) await follow(deps, declaration, cue, event.meta.correlationId);
        else await setCue(deps.jobs, event.meta, { ...cue, dueAt });
      }
    },
  ];
};

/** Settles or takes back what the event names. */
const ending = (name: string, end: typeof settle, endedOf: SettledOf | undefined): Handle[] => {
  if (!endedOf) return [];
  return [
    async (event, deps) => {
      const ended = await Promise.all(
        (await endedOf(event as never, deps)).map(async (each) =>
          'key' in each
            ? { id: notificationId(name, each.to, each.key), version: each.version, left: each.left ?? 0 }
            : unreadUpTo(deps.pool, { name, ...each }),
        ),
      );
      const named = ended.flat();
      if (named.length > 0) await end(deps, event.at, named);
    },
  ];
};

/** Handles all events that the declarations name. What happened long ago tells nobody. */
export const notificationPolicy = (declared: readonly NotificationDeclaration[]): Policy<NotificationDeps> => {
  const types = new Set(
    declared.flatMap(({ on, settledBy, takenBackBy }) => [...on.keys(), ...settledBy.keys(), ...takenBackBy.keys()]),
  );
  const handlerOf = (type: string): PolicyHandler<Recorded, NotificationDeps> => {
    // What settles a notice or takes it back comes first: the same event may begin the next one.
    const handles = [
      ...declared.flatMap(({ name, settledBy }) => ending(name, settle, settledBy.get(type))),
      ...declared.flatMap(({ name, takenBackBy }) => ending(name, takeBack, takenBackBy.get(type))),
      ...declared.flatMap((each) => cues(each, type)),
    ];
    return async (event, { deps }) => {
      if (isHistory(event.at, deps.now())) return;
      for (const handle of handles) await handle(event, deps);
    };
  };
  return { name: 'notifications', handlers: new Map([...types].map((type) => [type, handlerOf(type)])) };
};
