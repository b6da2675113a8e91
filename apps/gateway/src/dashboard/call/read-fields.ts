import { type FieldProblem, GatewayError, type Instant, instant, operatorTextProblem, refuseField } from '@tollgate/core';

/** Throws `invalid_request` with the field. */
export function operatorText(text: string | null, param: string): string | null {
  const flaw = text === null ? null : operatorTextProblem(text);
  if (flaw !== null) throw refuseField(param, flaw.message, flaw.problem);
  return text;
}

export function instantOf(text: string | null): Instant | null {
  return text === null ? null : instant(Date.parse(text));
}

export function invalidField(param: string, message: string, problem: FieldProblem = { code: 'invalid' }): GatewayError {
  return refuseField(param, message, problem);
}

/** `message` is a sentence. */
export function addressTaken(message: string): GatewayError {
  return new GatewayError('conflict', message, { param: 'email', faults: [{ field: 'email', message: 'is taken', problem: { code: 'address_taken' } }] });
}
