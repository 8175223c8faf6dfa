/** A text that its author can edit and that mentions people, such as that of a message. */
export interface EditableText {
  readonly body: string;
  /** Account ids, in any order. */
  readonly mentions: readonly string[];
}

/** Often enough for a person; it keeps the stream short. */
export const MAX_EDITS = 100;

/** Whether an edit would change nothing. */
export const isSameText = (a: EditableText, b: EditableText): boolean =>
  a.body === b.body && a.mentions.length === b.mentions.length && a.mentions.every((id) => b.mentions.includes(id));
