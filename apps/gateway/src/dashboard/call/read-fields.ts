import { GatewayError, type Instant, instant, operatorTextProblem } from '@tollgate/core';

/** Throws `invalid_request` with the field. */
export function operatorText(text: string | null, param: string): string | null {
  const problem = text === null ? null : operatorTextProblem(text);
  if (problem !== null) throw invalidField(param, problem);
  return text;
}

export function instantOf(text: string | null): Instant | null {
  return text === null ? null : instant(Date.parse(text));
}

export function invalidField(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param}: ${problem}.`, { param });
}
