import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { IssuerArtifacts } from './issuer-artifacts.js';

/** Whom the issuer knows, and what it says of them. */
export interface IssuerAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface IssuerServerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** Where the claims are told; an ID token has the subject alone with `userinfo`. */
  readonly claimsIn?: 'id-token' | 'userinfo';
}

/** In seconds, of everything that the issuer makes. */
const LIFE = 600;
const SCOPE = 'openid email profile';

function configurationFor({ clientId, clientSecret, redirectUri, claimsIn = 'id-token' }: IssuerServerOptions, account: () => IssuerAccount): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    clients: [{
      client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], grant_types: ['authorization_code'], response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'EC', use: 'sig', alg: 'ES256', kid: 'key-1' }] },
    adapter: IssuerArtifacts.store(),
    ttl: { AccessToken: LIFE, AuthorizationCode: LIFE, Grant: LIFE, IdToken: LIFE, Interaction: LIFE, Session: LIFE },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...account(), sub }) }),
  };
}

/** A real OpenID Connect issuer (oidc-provider) on a free port of this machine, at which `account` is always signed in, and agrees to everything. */
export class IssuerServer {
  /** Who uses the browser. */
  account: IssuerAccount = { sub: 'subject-1', email: 'alice@example.test', email_verified: true, name: 'Alice of the Issuer' };
  /** The person presses "cancel". */
  cancels = false;

  private constructor(readonly url: string, private readonly server: Server) {}

  static async start(options: IssuerServerOptions): Promise<IssuerServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const issuer = new IssuerServer(url, server);
    const provider = new Provider(url, configurationFor(options, () => issuer.account));
    provider.use(async (context, next) => {
      if (context.path.startsWith('/interaction/')) await issuer.interact(provider, context as KoaContextWithOIDC);
      else await next();
    });
    const handle = provider.callback();
    server.on('request', (request, response) => void handle(request, response));
    return issuer;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async interact(provider: Provider, context: KoaContextWithOIDC): Promise<void> {
    const { req, res } = context;
    const { prompt, params } = await provider.interactionDetails(req, res);
    context.respond = false;
    if (this.cancels) await provider.interactionFinished(req, res, { error: 'access_denied' }, { mergeWithLastSubmission: false });
    else if (prompt.name === 'login') await provider.interactionFinished(req, res, { login: { accountId: this.account.sub } }, { mergeWithLastSubmission: false });
    else {
      const grant = new provider.Grant({ accountId: this.account.sub, clientId: String(params['client_id']) });
      grant.addOIDCScope(SCOPE);
      await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
    }
  }
}
