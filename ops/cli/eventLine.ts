interface Shown {
  readonly at: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly data?: unknown;
}

/** An event as one line for people. */
export const eventLine = ({ at, stream, revision, type, actor, data }: Shown): string =>
  `${at}  ${stream}@${revision}  ${type}  ${actor.kind}:${actor.id}  ${JSON.stringify(data)}`;
