import { type Instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { IssuerFailure, type IssuerIdentity, type IssuerRefusal, type IssuerSecrets, type SignInIssuer } from '@tollgate/identity';
import { issuerProblemOf } from './issuer-problems.js';
import type { IssuerClient } from './issuer-client.js';

/** The gateway's registration at the issuer. */
export interface IssuerSettings {
  /** https, or http on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The URI as registered at the issuer. */
  readonly redirectUri: string;
  /** True accepts addresses whose `email_verified` is missing, or is the text "true" or "1". */
  readonly trustEmail: boolean;
}

/** Lifetime of the cached metadata. */
const DESCRIPTION_LIFE = MILLISECONDS_PER_HOUR;

/**
 * Uses openid-client: authorization code flow with PKCE, and validation of the ID token's signature, issuer, audience, times and nonce. Loads the
 * library and the metadata at the first sign-in. Concurrent sign-ins share one load, and a failure is not cached. Keeps no tokens.
 */
export class OpenIdIssuer implements SignInIssuer {
  #client: { readonly opened: Promise<IssuerClient>; readonly at: Instant } | null = null;

  constructor(private readonly settings: IssuerSettings) {}

  async authorizationUrl(secrets: IssuerSecrets, at: Instant): Promise<string> {
    return (await this.client(at)).authorizationUrl(secrets);
  }

  async identify(query: string, secrets: IssuerSecrets, at: Instant): Promise<IssuerIdentity | IssuerRefusal> {
    return (await this.client(at)).identify(query, secrets);
  }

  private async client(at: Instant): Promise<IssuerClient> {
    if (this.#client === null || at - this.#client.at >= DESCRIPTION_LIFE) this.#client = { opened: open(this.settings), at };
    const asked = this.#client;
    try {
      return await asked.opened;
    } catch (thrown) {
      if (this.#client === asked) this.#client = null;
      throw new IssuerFailure(issuerProblemOf(thrown, this.settings.issuer), thrown);
    }
  }
}

async function open(settings: IssuerSettings): Promise<IssuerClient> {
  const { IssuerClient: Client } = await import('./issuer-client.js');
  return Client.discover(settings);
}
