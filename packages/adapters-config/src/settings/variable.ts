import type { z } from 'zod';

/** One environment variable that Tollgate reads. */
export interface Variable<Schema extends z.ZodType, Default extends string | null> {
  readonly schema: Schema;
  /** As one would write it; `null` when the variable may be left out. */
  readonly default: Default;
  /** What it does, in a sentence or two. */
  readonly meaning: string;
  /** Of the value; `null` for texts. */
  readonly unit: string | null;
  /** An earlier name, which is read where this one is not set. */
  readonly formerName?: string;
}

export function variable<Schema extends z.ZodType, Default extends string | null>(
  schema: Schema, description: Omit<Variable<Schema, Default>, 'schema'>,
): Variable<Schema, Default> {
  return { schema, ...description };
}
