import type { z } from 'zod';

export interface Variable<Schema extends z.ZodType, Default extends string | null> {
  readonly schema: Schema;
  /** Value of an unset variable, as text; `null` for none. */
  readonly default: Default;
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
