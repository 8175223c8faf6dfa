/** A webcam: where its picture is fetched from. */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound } from '../core/decider.ts';
import { Nullable, WebUrl } from '../core/schema.ts';

export const WebcamDetails = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 120 }),
  description: Type.String({ maxLength: 1_000 }),
  snapshotUrl: WebUrl,
  longitude: Nullable(Type.Number({ minimum: -180, maximum: 180 })),
  latitude: Nullable(Type.Number({ minimum: -90, maximum: 90 })),
});
export type WebcamDetails = Static<typeof WebcamDetails>;

const webcamEvents = {
  WebcamAdded: { data: WebcamDetails },
  WebcamChanged: { data: WebcamDetails },
  WebcamRemoved: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type WebcamEvent = EventsOf<typeof webcamEvents>;

export type WebcamCommand =
  | { readonly type: 'AddWebcam'; readonly details: WebcamDetails }
  | { readonly type: 'ChangeWebcam'; readonly details: WebcamDetails }
  | { readonly type: 'RemoveWebcam' };
export type Webcam =
  | { readonly status: 'none' | 'removed' }
  | { readonly status: 'shown'; readonly details: WebcamDetails };

const decide = (command: WebcamCommand, state: Webcam): WebcamEvent[] => {
  if (command.type === 'AddWebcam')
    return state.status === 'none' ? [{ type: 'WebcamAdded', data: command.details }] : [];
  if (command.type === 'RemoveWebcam' && state.status === 'removed') return [];
  if (state.status !== 'shown') throw notFound('webcam');
  switch (command.type) {
    case 'ChangeWebcam':
      return isDeepStrictEqual(command.details, state.details)
        ? []
        : [{ type: 'WebcamChanged', data: command.details }];
    case 'RemoveWebcam':
      return [{ type: 'WebcamRemoved', data: {} }];
  }
};

export const webcam: Decider<Webcam, WebcamCommand, WebcamEvent> = {
  category: 'webcam',
  short: 'people of the resort change it now and then',
  events: webcamEvents,
  initial: { status: 'none' },
  decide,
  evolve: (_, event) => {
    switch (event.type) {
      case 'WebcamAdded':
      case 'WebcamChanged':
        return { status: 'shown', details: event.data };
      case 'WebcamRemoved':
        return { status: 'removed' };
    }
  },
};
