/** What realtime messages carry, for `/asyncapi.json`: the wire forms of the read models, for each audience. */
import type { TObject } from '@sinclair/typebox';
import type { ReadModel } from './readModel.ts';

export interface Payload {
  /** Names the message: the entity, and the audience where not all audiences see the same. */
  readonly name: string;
  /** `booking` gives the messages `booking.created`, `booking.updated` and `booking.removed`. */
  readonly entity: string;
  readonly row: TObject;
  /** What `openapi.json` calls the row: there it also has the fields that only other audiences see. */
  readonly schema: string | undefined;
  /** The names of the channels that carry it. */
  readonly channels: readonly string[];
}

const payloadsOfModel = ({ entity, publishTo, wire }: ReadModel): Payload[] => {
  const bySchema = new Map<string, Payload>();
  for (const { channel, audience } of publishTo) {
    const row = wire.schemaFor(audience);
    const text = JSON.stringify(row);
    const name = bySchema.size === 0 ? entity : `${entity}_${audience}`;
    const same = bySchema.get(text) ?? { name, entity, row, schema: wire.schema.$id, channels: [] };
    bySchema.set(text, { ...same, channels: [...same.channels, channel.name] });
  }
  return [...bySchema.values()];
};

/** The messages that the channels of these read models carry. */
export const payloadsOf = (models: readonly ReadModel[]): Payload[] => models.flatMap(payloadsOfModel);
