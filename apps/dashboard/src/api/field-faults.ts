import type { FieldProblemCode } from '@tollgate/api-contract';
import type { Fault } from './api-error';

export type FaultValues = Readonly<Record<string, string | number>>;

/** A fault as the gateway reports it. */
export interface FieldError {
  readonly field: string;
  readonly code: FieldProblemCode;
  /** The gateway's sentence, always in English. */
  readonly message: string;
  readonly values?: FaultValues;
}

interface Reported {
  readonly message: string;
  readonly param: string | null;
  readonly errors: readonly FieldError[];
}

/** Replaces the contract's field name by a subject: `name: is too long` becomes `This is too long`. */
export function sentenceOf(message: string): string {
  const text = message.replace(/^[a-z0-9_.[\]]+: /, '').replace(/^(?=(?:is|has|was|does|names) )/, 'this ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The faults in the page's language, or in English if the gateway states no known code. The translations are loaded when the first fault with a code
 * arrives.
 */
export async function faultsOf({ message, param, errors }: Reported): Promise<readonly Fault[]> {
  if (errors.length === 0) return param === null ? [] : [{ field: param, text: sentenceOf(message) }];
  const { faultText } = await import('./fault-texts');
  return errors.map((error) => ({ field: error.field, text: faultText(error) ?? sentenceOf(`${error.message}.`) }));
}
