/** What the upstream answers to a model's name: the name says it all, so that the upstream needs no settings. */
export type ReplyPlan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'stream'; readonly events: number; readonly intervalMilliseconds: number };

export const WHOLE_MODEL = 'bench-whole';

/** The model that streams so many events, one write each, with so much time between two. */
export function streamingModel(events: number, intervalMilliseconds: number): string {
  return `bench-stream-${events}-${intervalMilliseconds}`;
}

const MODEL = /"model"\s*:\s*"bench-(?:whole|stream-(\d+)-(\d+))"/;

/** Finds the model's name at the beginning of a request's body; whoever names none gets a whole reply. */
export function planFor(beginningOfBody: string): ReplyPlan {
  const match = MODEL.exec(beginningOfBody);
  if (match?.[1] === undefined || match[2] === undefined) return { kind: 'whole' };
  return { kind: 'stream', events: Number(match[1]), intervalMilliseconds: Number(match[2]) };
}
