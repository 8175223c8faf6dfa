/**
 * The search of `proof.http.spec.ts` depends on every single declaration: with any one taken out of an event or a read
 * model, the mark that stood there is found.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { AnyEvent, EventDeclaration, Recorded } from '../../domain/core/decider.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { concealedEvents, concealedState } from '../../eventstore/concealed.ts';
import { type Path, personalFields, replaceAt } from '../../eventstore/personalPaths.ts';
import { withoutPerson } from '../../projections/engine/personalRows.ts';
import { models } from '../../projections/modules.ts';
import { contextOf } from '../kit/context.ts';

const MARK = 'mark-of-somebody';
const MARKED_NUMBER = 17.7654321;
const isFound = (value: unknown): boolean => {
  const text = JSON.stringify(value);
  return text.includes(MARK) || text.includes(String(MARKED_NUMBER));
};

type Change = (schema: TSchema, path: Path) => TSchema;
/** A copy of a schema, changed at every level. */
const changed = (schema: TSchema, change: Change, at: Path = []): TSchema => {
  const inner = (one: TSchema, name?: string) => changed(one, change, name === undefined ? at : [...at, name]);
  const entries = Object.entries<TSchema>(schema.properties ?? {});
  return change(
    {
      ...schema,
      ...(schema.properties && {
        properties: Object.fromEntries(entries.map(([name, one]) => [name, inner(one, name)])),
      }),
      ...(schema.items && { items: inner(schema.items, '*') }),
      ...(schema.anyOf && { anyOf: schema.anyOf.map((one: TSchema) => inner(one)) }),
      ...(schema.oneOf && { oneOf: schema.oneOf.map((one: TSchema) => inner(one)) }),
    } as TSchema,
    at,
  );
};

const LIMITS = [
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'multipleOf',
];
/** Takes any text and number. */
const loose: Change = (schema) =>
  Object.fromEntries(
    Reflect.ownKeys(schema)
      .filter((name) => typeof name === 'symbol' || !LIMITS.includes(name))
      .map((name) => [name, Reflect.get(schema, name)]),
  ) as TSchema;

/** Some value that fits: every list has an item, nothing is null. */
const sampleOf = (schema: TSchema): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [member] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }: TSchema) => type !== 'null');
  if (member) return sampleOf(member);
  if (schema.type === 'array') return [sampleOf(schema.items)];
  if (schema.type === 'number' || schema.type === 'integer') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.type !== 'object') return 'some text';
  return Object.fromEntries(
    Object.entries<TSchema>(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one)]),
  );
};

/** A mark of the type of what it replaces. */
const marked = (value: unknown): unknown => {
  if (typeof value === 'number') return MARKED_NUMBER;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one)]));
  return typeof value === 'boolean' ? value : MARK;
};

const person = randomUUID();
const key = randomBytes(32);
const keys = { keyToWrite: async () => key, keysToRead: async () => new Map<string, Buffer>([[person, key]]) };

describe('an event', () => {
  const all = Object.entries<EventDeclaration>(allEvents).flatMap(([type, declaration]) =>
    personalFields(type, declaration).map(
      ({ path }) => [`${type} ${path.join('.')}`, type, declaration, path] as const,
    ),
  );
  it.each(all)('has %s encrypted because it is declared', async (_, type, declaration, path) => {
    const data = changed(declaration.data, loose) as EventDeclaration['data'];
    const sample = replaceAt(sampleOf(data), path, marked) as Record<string, unknown>;
    const named = declaration.person && declaration.person !== 'stream' ? { [declaration.person]: person } : {};
    const event = { type, data: { ...sample, ...named } } as AnyEvent;
    const written = async (schema: TSchema) => {
      const { upcast: _older, seller: _seller, ...rest } = declaration;
      const codec = createCodec({ [type]: { ...rest, data: schema } as EventDeclaration }, keys);
      return codec.encode(`some-${person}`, [event], contextOf('system', 'system'));
    };
    const undeclared = changed(data, (schema, at) => {
      const { 'x-personal': _personal, ...open } = schema;
      return at.join('.') === path.join('.') ? (open as TSchema) : schema;
    });
    expect(isFound(await written(data))).toBe(false);
    expect(isFound(await written(undeclared))).toBe(true);
  });
});

/** An event of this type as it is read, in its newest shape, with a mark in everything personal. */
const recorded = (type: string, declaration: EventDeclaration): Recorded => {
  const fields = personalFields(type, declaration);
  const named = declaration.person && declaration.person !== 'stream' ? { [declaration.person]: person } : {};
  const sample = fields.reduce<unknown>((data, { path }) => replaceAt(data, path, marked), sampleOf(declaration.data));
  const category = aggregates.find(({ events }) => type in events)?.category ?? '';
  const meta = { ...contextOf('user', 'tourist'), ip: MARK };
  const about = { id: randomUUID(), stream: `${category}-${person}`, category, streamId: person, revision: 0n };
  const position = { commit: 1n, prepare: 1n };
  return { type, data: { ...(sample as object), ...named }, ...about, position, at: meta.at, meta };
};

describe('an event that is shown to whoever gives no reason', () => {
  const codec = createCodec(allEvents, keys);
  // Older versions are in the newest shape when they are read, so that these are all of them.
  it.each(Object.entries<EventDeclaration>(allEvents))('%s has nothing personal', (type, declaration) => {
    const event = recorded(type, declaration);
    const isPersonal = personalFields(type, declaration).length > 0;
    const { open, hidden, people } = concealedEvents(codec, [event]);
    expect(isFound(open)).toBe(true);
    expect(isFound(hidden)).toBe(false);
    expect(people.toSorted()).toEqual([...new Set([...(isPersonal ? [person] : []), event.meta.actor.id])].toSorted());
  });

  it('leads to states that have nothing personal, whatever is computed of it', () => {
    let shown = 0;
    for (const { initial, evolve, events } of aggregates)
      for (const [type, declaration] of Object.entries<EventDeclaration>(events)) {
        const event = recorded(type, declaration);
        const blind = codec.conceal(event, { forFold: true }).event;
        const stateOf = (one: Recorded): unknown => {
          try {
            return evolve(initial, one as AnyEvent);
          } catch {
            return undefined; // no first event of its aggregate
          }
        };
        const then = { revision: 0, at: event.at, people: [], state: stateOf(event), blindState: stateOf(blind) };
        if (isFound(then.state ?? null)) shown += 1;
        expect(isFound(concealedState(then).hidden), type).toBe(false);
      }
    expect(shown).toBeGreaterThan(10);
  });
});

describe('a read model', () => {
  const all = models.flatMap(({ name, row, personalData }) =>
    personalData
      ? [...personalData.texts, ...personalData.values].map(
          (path) => [`${name} ${path}`, row, personalData, path] as const,
        )
      : [],
  );
  it.each(all)('forgets %s because it is declared', (_, row, { texts, values }, path) => {
    const shown = replaceAt(sampleOf(row), path.split('.'), marked) as Record<string, unknown>;
    expect(isFound(shown)).toBe(true);
    expect(isFound(withoutPerson(shown, { texts, values }))).toBe(false);
    const others = (paths: readonly string[]) => paths.filter((one) => one !== path);
    expect(isFound(withoutPerson(shown, { texts: others(texts), values: others(values) }))).toBe(true);
  });
});
