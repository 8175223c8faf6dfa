/** What a check is. All of them are in the lists of `settings.ts` and `parts.ts`. */

/** One thing that is wrong. Both texts are for the operator, and never contain a secret. */
export interface Finding {
  /** Names the setting or the part, and says what is wrong with it. */
  readonly wrong: string;
  /** What to do, as an imperative. */
  readonly toDo: string;
}

export interface Check {
  /** Stable: it is a label of metrics. */
  readonly name: string;
  /** What is looked at, as a question with yes for an answer when all is well. */
  readonly asks: string;
  /** What may happen otherwise. */
  readonly mayHappen: string;
}

/** Something outside, and how to find out whether it can be used. */
export interface Attempt {
  /** How messages name it. */
  readonly part: string;
  /** A text that it resolves to is worth knowing, although nothing is wrong. @throws what is wrong */
  readonly run: () => Promise<unknown>;
}

/** In one line: what is wrong, what may happen, what to do. */
export const lineOf = ({ mayHappen }: Check, { wrong, toDo }: Finding): string => `${wrong}: ${mayHappen}. ${toDo}.`;
