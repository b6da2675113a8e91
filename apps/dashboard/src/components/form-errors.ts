import { hasCode, isApiError } from '../api/api-error';
import { Problem } from '../api/problem';
import { proof } from '#texts/proof';

/** Fields of a form by the name that the contract gives them: `{ current_password: 'current' }`, or as they are. */
type Fields<Field extends string> = readonly Field[] | Readonly<Record<string, Field>>;

function fieldNamed<Field extends string>(param: string, fields: Fields<Field>): Field | undefined {
  const byParam: Readonly<Record<string, Field>> = Array.isArray(fields) ? Object.fromEntries((fields as readonly Field[]).map((field) => [field, field])) : fields as Readonly<Record<string, Field>>;
  // A refusal may name a part of a field: `spending_limit.svc_tokens`, `models[2]`.
  return byParam[param] ?? byParam[param.split(/[.[]/)[0] ?? ''];
}

/** What the gateway says of a field, as a sentence below it: without the field's name in the contract, "must have 8 characters" or "is not your password". */
export function sentenceOf(message: string): string {
  const text = message.replace(/^[a-z0-9_.[\]]+: /, '').replace(/^(?=(?:is|has|was|does|names) )/, 'this ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Puts a refusal into the field that it names, for `form.setErrors`. Empty where it names none of these fields. */
export function fieldErrors<const Field extends string>(error: unknown, fields: Fields<Field>): { [field in Field]?: string } {
  const field = isApiError(error) && error.param !== null ? fieldNamed(error.param, fields) : undefined;
  return field === undefined || !isApiError(error) ? {} : { [field]: sentenceOf(error.message) } as { [field in Field]?: string };
}

/**
 * Whether the session ended before the form was sent, so that signing in elsewhere and sending it again helps. A form that `provesPerson` is
 * different: its own wrong codes may end the session, or it has none yet, and the gateway says which.
 */
export function needsNewSession(error: unknown, provesPerson: boolean): boolean {
  return !provesPerson && hasCode(error, 'not_signed_in');
}

/** What stands in a note: what went wrong, and when it may be tried again. `null` for no error, and where one of the fields shows it. */
export function problemOf(error: unknown, fields: Fields<string> = []): string | null {
  if (error === null || error === undefined || Object.keys(fieldErrors(error, fields)).length > 0) return null;
  if (error instanceof Problem) return error.message;
  if (!isApiError(error)) return proof.failed;
  const message = error.param === null ? error.message : sentenceOf(error.message);
  return error.retryAfter === null ? message : `${message} ${proof.retryIn(error.retryAfter)}`;
}
