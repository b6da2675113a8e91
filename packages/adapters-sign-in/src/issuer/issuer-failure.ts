import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

/** Codes of answers that no browser can cause: none in time, no success, no JSON. A connection that fails has no code. */
const FAILURES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR', 'OAUTH_HTTP_REQUEST_FORBIDDEN',
]);

/**
 * Whether an exchange failed for the issuer's own reasons, or because it does not know the gateway's credentials. Anything else is about the callback:
 * a foreign state, a code that was used before, a nonce or signature that is wrong.
 */
export function isIssuerFailure(thrown: unknown): boolean {
  if (thrown instanceof ResponseBodyError) return thrown.error !== 'invalid_grant';
  if (thrown instanceof WWWAuthenticateChallengeError || thrown instanceof TypeError) return true;
  return thrown instanceof ClientError && FAILURES.has(thrown.code);
}
