/** The properties of an error that tell what happened. Errors of the runtime itself may be of another realm, as in tests. */
export interface ThrownError {
  readonly message: string;
  readonly code?: string;
}

export function errorOf(thrown: unknown): ThrownError {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown as ThrownError : { message: String(thrown) };
}
