import { type Fault, hasCode, isApiError } from '../api/api-error';
import { Problem } from '../api/problem';
import { proof } from '#texts/proof';

/** Fields of a form by their names in the contract; a list if the form uses the same names. */
export type Fields<Field extends string = string> = readonly Field[] | Readonly<Record<string, Field>>;

function fieldNamed<Field extends string>(name: string, fields: Fields<Field>): Field | undefined {
  const byName: Readonly<Record<string, Field>> = Array.isArray(fields) ? Object.fromEntries((fields as readonly Field[]).map((field) => [field, field])) : fields as Readonly<Record<string, Field>>;
  // `name` may be a part of a field: `spending_limit.svc_tokens`, `models[2]`.
  return byName[name] ?? byName[name.split(/[.[]/)[0] ?? ''];
}

function faultsIn(error: unknown): readonly Fault[] {
  return isApiError(error) ? error.faults : [];
}

/** For `form.setErrors`: the first fault of each field of the form. */
export function fieldErrors<const Field extends string>(error: unknown, fields: Fields<Field>): { [field in Field]?: string } {
  const errors: Partial<Record<Field, string>> = {};
  for (const { field: name, text } of faultsIn(error)) {
    const field = fieldNamed(name, fields);
    if (field !== undefined) errors[field] ??= text;
  }
  return errors;
}

/**
 * True if the session ended before the form was sent, so that signing in and sending again helps. Forms with `provesPerson` may end the
 * session themselves.
 */
export function needsNewSession(error: unknown, provesPerson: boolean): boolean {
  return !provesPerson && hasCode(error, 'not_signed_in');
}

/** The text above the form: faults of fields that it does not have, or the error's message and waiting time. `null` if there is none. */
export function problemOf(error: unknown, fields: Fields = []): string | null {
  if (error === null || error === undefined) return null;
  if (error instanceof Problem) return error.message;
  if (!isApiError(error)) return proof.failed;
  const others = error.faults.filter(({ field }) => fieldNamed(field, fields) === undefined);
  if (error.faults.length > 0) return others.length === 0 ? null : others.map(({ text }) => text).join(' ');
  return error.retryAfter === null ? error.message : `${error.message} ${proof.retryIn(error.retryAfter)}`;
}
