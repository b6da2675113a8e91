/** A reply of the gateway other than the one that the reader needs. */
export class UnexpectedReply extends Error {
  constructor(readonly status: number, readonly text: string) {
    super(`a gateway answered ${status}: ${text}`);
  }

  /** Code of the error; `null` if the reply is no error of the gateway. */
  get code(): string | null {
    return codeIn(this.text);
  }
}

/** Code of the error in a reply; `null` if there is none. */
export function codeIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } };
    return typeof error?.code === 'string' ? error.code : null;
  } catch {
    return null;
  }
}

/** Thrown while all gateways have been killed. */
export class NoGateway extends Error {}

/** Codes of status 503 with which a gateway refuses reads while its database is busy or away. */
const PASSING_CODES: ReadonlySet<string | null> = new Set(['service_unavailable', 'server_busy']);
/** Names of the errors of `fetch` if a connection breaks, or is silent until the timeout. */
const BROKEN: ReadonlySet<string> = new Set(['TypeError', 'TimeoutError']);

/** True if the death of a gateway may cause this failure of a request. */
export function mayComeFromDeath(thrown: unknown): boolean {
  if (thrown instanceof UnexpectedReply) return thrown.status === 503 && PASSING_CODES.has(thrown.code);
  return thrown instanceof NoGateway || (thrown instanceof Error && BROKEN.has(thrown.name));
}
