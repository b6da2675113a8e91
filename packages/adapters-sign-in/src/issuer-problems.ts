/** OAuth codes such as `access_denied`. Browsers can send any text. */
const ERROR_CODE = /^[a-z_]{1,40}$/;

interface LibraryError {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
}

function partsOf(thrown: unknown): LibraryError {
  return typeof thrown === 'object' && thrown !== null ? thrown : {};
}

/** The innermost cause that is not a parser's error, whose message would repeat what the parser read, such as addresses. */
function innermost(thrown: unknown): unknown {
  let reason = thrown;
  while (reason instanceof Error && reason.cause instanceof Error && !(reason.cause instanceof SyntaxError)) reason = reason.cause;
  return reason;
}

/** The issuer that the metadata names, if it is not the configured one; otherwise `null`. */
function otherIssuerOf(thrown: unknown): string | null {
  for (let error: unknown = thrown; error instanceof Error; error = error.cause) {
    const { attribute, body } = partsOf(error.cause) as { readonly attribute?: unknown; readonly body?: { readonly issuer?: unknown } };
    if (attribute === 'issuer' && typeof body?.issuer === 'string') return body.issuer;
  }
  return null;
}

function errorCodeOf(thrown: unknown): string {
  const { error } = partsOf(thrown);
  return typeof error === 'string' && ERROR_CODE.test(error) ? `: ${error}` : '';
}

/** A sentence for the operator. `issuer` is the configured identifier. */
export function issuerProblemOf(thrown: unknown, issuer: string): string {
  const other = otherIssuerOf(thrown);
  if (other !== null) return `OIDC_ISSUER is ${issuer}, but the issuer there calls itself ${other}`;
  const reason = innermost(thrown);
  return (reason instanceof Error ? reason.message : String(reason)) + errorCodeOf(thrown);
}

/** Says why a callback is refused: the library's message and the protocol's error code. */
export function callbackProblemOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : 'the callback could not be read') + errorCodeOf(thrown);
}
