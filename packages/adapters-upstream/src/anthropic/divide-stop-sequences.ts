import { isBlank } from '@tollgate/core';

/** Who looks out for which stop sequence. */
export interface DividedStopSequences {
  readonly upstream: readonly string[];
  /** Those the server would refuse: too many of them, or nothing but white space. */
  readonly local: readonly string[];
}

/** Gives the server as many as it takes, in the client's order. */
export function divideStopSequences(sequences: readonly string[], limit: number): DividedStopSequences {
  const upstream = sequences.filter((sequence) => !isBlank(sequence)).slice(0, limit);
  return { upstream, local: sequences.filter((sequence) => !upstream.includes(sequence)) };
}
