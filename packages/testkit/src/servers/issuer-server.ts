import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Adapter, type AdapterFactory, type AdapterPayload, type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';

interface IssuerAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean | string;
  readonly name?: string;
}

interface IssuerServerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** Where the issuer returns the claims. With `userinfo`, the ID token contains only the subject. */
  readonly claimsIn?: 'id-token' | 'userinfo';
}

/** Lifetime of sessions, codes and tokens, in seconds. */
const LIFE = 600;
const SCOPE = 'openid email profile';
/** The path of oidc-provider. */
const USER_INFO = '/me';

function configurationFor({ clientId, clientSecret, redirectUri, claimsIn = 'id-token' }: IssuerServerOptions, accountFor: (use: string) => IssuerAccount): Configuration {
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
    findAccount: (_context, sub) => ({ accountId: sub, claims: (use) => ({ ...accountFor(use), sub }) }),
  };
}

/**
 * An OpenID Connect issuer (oidc-provider) on a free port of this machine. The person of `account` is always signed in, and consents to everything.
 */
export class IssuerServer {
  account: IssuerAccount = { sub: 'subject-1', email: 'alice@example.test', email_verified: true, name: 'Alice of the Issuer' };
  /** If true, the ID token contains the address, but only the user info states whether it is verified. */
  tellsVerifiedApart = false;
  /** Another address in the user info; `null` for that of the account. */
  emailApart: string | null = null;
  /** If true, the user info is an error. */
  hidesUserInfo = false;
  /** If true, the person cancels the sign-in. */
  cancels = false;

  private constructor(readonly url: string, private readonly server: Server) {}

  static async start(options: IssuerServerOptions): Promise<IssuerServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const issuer = new IssuerServer(url, server);
    const provider = new Provider(url, configurationFor(options, (use) => issuer.accountFor(use)));
    provider.use(async (context, next) => {
      if (context.path.startsWith('/interaction/')) await issuer.interact(provider, context as KoaContextWithOIDC);
      else if (context.path === USER_INFO && issuer.hidesUserInfo) context.status = 503;
      else await next();
    });
    const handle = provider.callback();
    server.on('request', (request, response) => void handle(request, response));
    return issuer;
  }

  private accountFor(use: string): IssuerAccount {
    const { email_verified: _verified, ...rest } = this.account;
    if (use === 'id_token') return this.tellsVerifiedApart ? rest : this.account;
    return this.emailApart === null ? this.account : { ...this.account, email: this.emailApart };
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

/** More than the number of redirects of any sign-in. */
const MAX_REDIRECTS = 10;

/**
 * Follows the issuer's redirects like a browser that has no cookies yet. Returns the first address that begins with `callback`, and does not open it.
 */
export async function visitIssuer(authorizationUrl: string, callback: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(authorizationUrl);
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const body = await response.text();
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the issuer answered ${response.status} at ${url.pathname}: ${body.slice(0, 300)}`);
    url = new URL(location, url);
    if (url.href.startsWith(callback)) return url;
  }
  throw new Error('the issuer redirects endlessly');
}

/** The issuer's storage in memory for one kind of object, such as sessions or codes. */
class IssuerArtifacts implements Adapter {
  readonly #kept = new Map<string, AdapterPayload>();

  static store(): AdapterFactory {
    const kinds = new Map<string, IssuerArtifacts>();
    return (kind) => {
      const found = kinds.get(kind) ?? new IssuerArtifacts();
      kinds.set(kind, found);
      return found;
    };
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#kept.set(id, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#kept.get(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.#kept.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = this.#kept.get(id);
    if (payload !== undefined) this.#kept.set(id, { ...payload, consumed: Math.floor(Date.now() / 1_000) });
  }

  async destroy(id: string): Promise<void> {
    this.#kept.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#kept) {
      if (payload.grantId === grantId) this.#kept.delete(id);
    }
  }
}
