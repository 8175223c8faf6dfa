/** Named schemas in the OpenAPI document. */
import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { collectComponents } from '../../api/http/components.ts';
import { validator } from '../../infra/validation.ts';

const Room = Type.Object({ id: Type.String() }, { $id: 'Room' });
const Hotel = Type.Object({ rooms: Type.Array(Room), best: Type.Union([Room, Type.Null()]) }, { $id: 'Hotel' });

describe('components', () => {
  it('are written once and referenced at every depth', () => {
    const { refer, schemas } = collectComponents();
    expect(refer(Type.Object({ data: Type.Array(Hotel) }))).toMatchObject({
      properties: { data: { items: { $ref: '#/components/schemas/Hotel' } } },
    });
    expect(refer(Room)).toEqual({ $ref: '#/components/schemas/Room' });
    expect(Object.keys(schemas())).toEqual(['Hotel', 'Room']);
    expect(schemas().Hotel).toMatchObject({
      properties: {
        rooms: { items: { $ref: '#/components/schemas/Room' } },
        best: { anyOf: [{ $ref: '#/components/schemas/Room' }, { type: 'null' }] },
      },
    });
    expect(JSON.stringify(schemas())).not.toContain('$id');
  });

  it('refuse two different schemas with one name', () => {
    const { refer } = collectComponents();
    refer(Room);
    expect(() => refer(Type.Object({ id: Type.Integer() }, { $id: 'Room' }))).toThrow('Room');
  });

  it('do not hinder validation: a name can occur in many schemas', () => {
    const [one, many] = [validator(Room), validator(Hotel)];
    expect(one({ id: 'a' })).toBe(true);
    expect(many({ rooms: [{ id: 'a' }], best: null })).toBe(true);
    expect(many({ rooms: [{ id: 1 }], best: null })).toBe(false);
  });
});
