import type { z } from 'zod';

export interface Variable<Schema extends z.ZodType, Default extends string | null> {
  readonly schema: Schema;
  /** `null` if the variable is optional. */
  readonly default: Default;
  /** Meaning of the variable, in one or two sentences. */
  readonly meaning: string;
  /** `null` if the value has none. */
  readonly unit: string | null;
  /** Former name, read if the current name is unset. */
  readonly formerName?: string;
}

export function variable<Schema extends z.ZodType, Default extends string | null>(
  schema: Schema, description: Omit<Variable<Schema, Default>, 'schema'>,
): Variable<Schema, Default> {
  return { schema, ...description };
}
