import { hasCode, isApiError } from '../api/api-error';
import { Problem } from '../api/problem';
import { proof } from '#texts/proof';

/** Form fields by contract name, or equal names. */
type Fields<Field extends string> = readonly Field[] | Readonly<Record<string, Field>>;

function fieldNamed<Field extends string>(param: string, fields: Fields<Field>): Field | undefined {
  const byParam: Readonly<Record<string, Field>> = Array.isArray(fields) ? Object.fromEntries((fields as readonly Field[]).map((field) => [field, field])) : fields as Readonly<Record<string, Field>>;
  // `param` may name a part of a field: `spending_limit.svc_tokens`, `models[2]`.
  return byParam[param] ?? byParam[param.split(/[.[]/)[0] ?? ''];
}

/** Without the contract's field name: "must have 8 characters". */
export function sentenceOf(message: string): string {
  const text = message.replace(/^[a-z0-9_.[\]]+: /, '').replace(/^(?=(?:is|has|was|does|names) )/, 'this ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For `form.setErrors`; empty if the error names no field of the form. */
export function fieldErrors<const Field extends string>(error: unknown, fields: Fields<Field>): { [field in Field]?: string } {
  const field = isApiError(error) && error.param !== null ? fieldNamed(error.param, fields) : undefined;
  return field === undefined || !isApiError(error) ? {} : { [field]: sentenceOf(error.message) } as { [field in Field]?: string };
}

/**
 * True if the session ended before the form was sent, so that signing in and sending again helps. Forms with `provesPerson` may end the
 * session themselves.
 */
export function needsNewSession(error: unknown, provesPerson: boolean): boolean {
  return !provesPerson && hasCode(error, 'not_signed_in');
}

/** Text and waiting time of an error; `null` without an error or if a field shows it. */
export function problemOf(error: unknown, fields: Fields<string> = []): string | null {
  if (error === null || error === undefined || Object.keys(fieldErrors(error, fields)).length > 0) return null;
  if (error instanceof Problem) return error.message;
  if (!isApiError(error)) return proof.failed;
  const message = error.param === null ? error.message : sentenceOf(error.message);
  return error.retryAfter === null ? message : `${message} ${proof.retryIn(error.retryAfter)}`;
}
