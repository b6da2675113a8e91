import {
  allowInsecureRequests, authorizationCodeGrant, buildAuthorizationUrl, calculatePKCECodeChallenge, type ClientAuth, ClientError,
  ClientSecretBasic, ClientSecretPost, clockTolerance, type Configuration, discovery, enableNonRepudiationChecks, fetchUserInfo,
  type IDToken, ResponseBodyError, WWWAuthenticateChallengeError,
} from 'openid-client';
import { IssuerFailure, type IssuerIdentity, type IssuerRefusal, type IssuerSecrets } from '@tollgate/identity';
import { callbackProblemOf, issuerProblemOf } from './issuer-problems.js';
import type { IssuerSettings } from './open-id-issuer.js';

/** Codes of errors that a browser cannot cause: a timeout, an error status, a reply that is not JSON. Failed connections have no code. */
const FAILURES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR', 'OAUTH_HTTP_REQUEST_FORBIDDEN',
]);

/** True if the issuer failed, or does not know the gateway's credentials. Other failures concern the callback: state, code, nonce or signature. */
function isIssuerFailure(thrown: unknown): boolean {
  if (thrown instanceof ResponseBodyError) return thrown.error !== 'invalid_grant';
  if (thrown instanceof WWWAuthenticateChallengeError || thrown instanceof TypeError) return true;
  return thrown instanceof ClientError && FAILURES.has(thrown.code);
}

/** Timeout of each request to the issuer. */
const TIMEOUT_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 30;
const SCOPE = 'openid email profile';
/** Maximum length of a subject in OpenID Connect. */
const MAX_SUBJECT = 255;

/** Stands for `email_verified` if only the user info could have it, and that could not be read. */
const UNREADABLE = Symbol('unreadable');

interface Claims {
  readonly [claim: string]: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** Sends the secret in the `Authorization` header if the issuer's metadata lists that method or has no list, otherwise in the body. */
function authenticationBy(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    return (methods === undefined || methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Values that count as `email_verified: true` if the operator vouches for the issuer's addresses. */
const TRUSTED: ReadonlySet<unknown> = new Set([true, undefined, 'true', '1']);

/** Describes a claim without repeating a text of the issuer. */
function describeClaim(claim: unknown): string {
  if (claim === undefined) return 'missing; OIDC_TRUST_EMAIL=on accepts that';
  if (claim === UNREADABLE) return 'missing from the ID token, and the user info could not be read';
  if (typeof claim === 'boolean') return String(claim);
  return typeof claim === 'string' && TRUSTED.has(claim) ? `the text "${claim}"; OIDC_TRUST_EMAIL=on accepts that` : 'neither true nor false';
}

function identityOf({ iss, sub }: IDToken, claims: Claims, trustEmail: boolean): IssuerIdentity {
  const claim = claims.email_verified;
  return {
    issuer: iss, subject: sub, email: textOf(claims.email), emailVerified: trustEmail ? TRUSTED.has(claim) : claim === true,
    emailVerifiedClaim: describeClaim(claim), name: textOf(claims.name),
  };
}

export class IssuerClient {
  private constructor(private readonly configuration: Configuration, private readonly settings: IssuerSettings) {}

  /** Rejects if the metadata cannot be read, after at most 5 seconds. */
  static async discover(settings: IssuerSettings): Promise<IssuerClient> {
    const { issuer, clientId, clientSecret } = settings;
    const isLocal = issuer.startsWith('http:');
    const metadata = { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const configuration = await discovery(new URL(issuer), clientId, metadata, authenticationBy(clientSecret), {
      timeout: TIMEOUT_SECONDS, execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
    });
    return new IssuerClient(configuration, settings);
  }

  async authorizationUrl({ state, nonce, verifier }: IssuerSecrets): Promise<string> {
    const url = buildAuthorizationUrl(this.configuration, {
      redirect_uri: this.settings.redirectUri, scope: SCOPE, state, nonce, code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
    });
    return url.href;
  }

  async identify(query: string, secrets: IssuerSecrets): Promise<IssuerIdentity | IssuerRefusal> {
    try {
      return await this.exchange(query, secrets);
    } catch (thrown) {
      if (isIssuerFailure(thrown)) throw new IssuerFailure(issuerProblemOf(thrown, this.settings.issuer), thrown);
      return { refused: callbackProblemOf(thrown) };
    }
  }

  private async exchange(query: string, { state, nonce, verifier }: IssuerSecrets): Promise<IssuerIdentity | IssuerRefusal> {
    const tokens = await authorizationCodeGrant(this.configuration, new URL(`${this.settings.redirectUri}?${query}`), {
      expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined || claims.sub === '' || claims.sub.length > MAX_SUBJECT) return { refused: 'the ID token has no subject of 1 to 255 characters' };
    return identityOf(claims, await this.claimsOf(claims, tokens.access_token), this.settings.trustEmail);
  }

  /**
   * Completes the claims of the ID token: some issuers have the address or `email_verified` only in their user info. An address that the user info
   * could call unverified is unverified if it cannot be read.
   */
  private async claimsOf(claims: IDToken, accessToken: string): Promise<Claims> {
    const hasInfo = this.configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (!hasInfo || (claims.email !== undefined && claims.email_verified !== undefined)) return claims;
    const asked = fetchUserInfo(this.configuration, accessToken, claims.sub);
    if (claims.email === undefined) return asked;
    const info: Claims = await asked.catch(() => ({ email: claims.email, email_verified: UNREADABLE }));
    const isDoubted = !TRUSTED.has(info.email_verified);
    return info.email === claims.email || isDoubted ? { ...claims, email_verified: info.email_verified } : claims;
  }
}
