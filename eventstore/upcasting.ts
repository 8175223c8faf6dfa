/** The declared types of events, and stored events brought to their newest shape. Personal data stays encrypted here. */
import type { TSchema } from '@sinclair/typebox';
import { type EventDeclaration, type EventDeclarations, splitStream } from '../domain/core/decider.ts';
import { storable } from '../domain/core/storable.ts';
import { explain, type Validator, validator } from '../infra/validation.ts';
import type { StoredEvent } from './client/index.ts';
import { personOf } from './eventKeys.ts';
import { isStorableName } from './eventNames.ts';
import { isMetadata } from './metadata.ts';
import { CodecError, type PersonalField, personalFields } from './personalPaths.ts';
import { markFields } from './personalTexts.ts';

type Json = Record<string, unknown>;

/** What is known of a type of event. */
export interface Known {
  readonly declaration: EventDeclaration;
  readonly version: number;
  readonly valid: Validator<TSchema>;
  readonly personal: readonly PersonalField[];
}

const examine = (declarations: EventDeclarations): ReadonlyMap<string, Known> =>
  new Map(
    Object.entries(declarations).map(([type, declaration]) => [
      type,
      {
        declaration,
        version: (declaration.upcast?.length ?? 0) + 1,
        valid: validator(declaration.data),
        personal: personalFields(type, declaration),
      },
    ]),
  );

const examined = new WeakMap<EventDeclarations, ReadonlyMap<string, Known>>();

/**
 * What the codec knows of every event type, found out once for the same declarations.
 * @throws CodecError for a declaration that it cannot encode safely
 */
export const knownTypes = (declarations: EventDeclarations): ReadonlyMap<string, Known> => {
  const known = examined.get(declarations) ?? examine(declarations);
  examined.set(declarations, known);
  return known;
};

/** An event read from the log: in its newest shape, with personal data still encrypted. */
export interface Upcast {
  readonly event: StoredEvent;
  readonly declared: Known;
  readonly data: Json;
  /** Whether older data was moved: each text then carries the field that it was written in. */
  readonly isMarked: boolean;
  readonly category: string;
  readonly streamId: string;
  readonly person: string | undefined;
}

const stepsOf = ({ metadata }: StoredEvent, { upcast: all = [] }: EventDeclaration) => all.slice(metadata.schema - 1);

/** The data in its newest shape. Steps work on data that nobody has validated: what they throw is the event's fault. */
const newest = (event: StoredEvent, { declaration }: Known): Json => {
  const steps = stepsOf(event, declaration);
  if (steps.length === 0) return event.data;
  try {
    return steps.reduce((older, step) => step(older), markFields(event.data) as Json);
  } catch (error) {
    throw new CodecError(`stored ${event.type} ${event.id} cannot be upcast: ${(error as Error).message}`);
  }
};

/**
 * The event with texts that can be stored: no read model could take others.
 * @throws CodecError where its stream cannot be named elsewhere, or its data is no object
 */
const wellFormed = (event: StoredEvent): StoredEvent => {
  if (!isStorableName(event.stream))
    throw new CodecError(
      `${event.type} ${event.id} is in a stream whose name is too long, or has characters of no text`,
    );
  if (event.data === null || typeof event.data !== 'object' || Array.isArray(event.data))
    throw new CodecError(`${event.type} ${event.id} has data that is no JSON object`);
  const [data, metadata] = [storable(event.data), storable(event.metadata)];
  return data === event.data && metadata === event.metadata ? event : { ...event, data, metadata };
};

/**
 * @throws CodecError for data or a stream that nobody can know, metadata or a version that this program does not know, and
 * where a person is missing
 */
export const upcastEvent = (stored: StoredEvent, declared: Known): Upcast => {
  const event = wellFormed(stored);
  if (!isMetadata(event.metadata))
    throw new CodecError(`${event.type} ${event.id} has invalid metadata: ${explain(isMetadata.errors)}`);
  const version = event.metadata.schema;
  if (version > declared.version) throw new CodecError(`${event.type} version ${version} is newer than this program`);
  const data = newest(event, declared);
  const [category, streamId] = splitStream(event.stream);
  const person = personOf({ type: event.type, metadata: event.metadata, streamId, data }, declared);
  const isMarked = stepsOf(event, declared.declaration).length > 0;
  return { event, declared, data, isMarked, category, streamId, person };
};
