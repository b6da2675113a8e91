import { GatewayError } from '../errors/gateway-error.js';
import { ApiKeySecret, type SecretHasher } from '../keys/api-key-secret.js';
import { apiKeyState, keyLimitOf } from '../keys/api-key.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import type { KeyHash } from '../primitives/hashes.js';
import { type Caller, standingOf } from './account.js';
import type { KeyDirectory } from './key-directory.js';
import { standingRefusal } from './standing-refusal.js';

export interface AuthenticatorPorts {
  readonly keys: KeyDirectory;
  readonly catalogue: CatalogueSource;
  readonly hasher: SecretHasher;
  readonly clock: Clock;
}

/** The same text for every invalid key, to hide which keys existed. */
function invalidKey(accountId?: AccountId): GatewayError {
  return new GatewayError('invalid_api_key', 'The API key is not valid.', accountId === undefined ? {} : { accountId });
}

/** The only place that turns a secret into a `Caller`. */
export class Authenticator {
  constructor(private readonly ports: AuthenticatorPorts) {}

  /** `credential` is `null` if the client sent no key. Throws if the key is missing, invalid or blocked, or the account is not in good standing. */
  async authenticate(credential: string | null): Promise<Caller> {
    const holder = await this.ports.keys.findByHash(this.hashOf(credential));
    if (holder === null) throw invalidKey();
    const { key, account } = holder;
    if (apiKeyState(key, this.ports.clock.now()) !== 'active') throw invalidKey(account.id);
    if (key.blocked) throw new GatewayError('api_key_blocked', 'This API key is blocked.', { accountId: account.id });
    const standing = standingOf(account);
    if (standing !== 'good') throw standingRefusal(standing, account.id);
    const plan = this.ports.catalogue.current().planInForce(account.planId);
    return { account, plan, keyId: key.id, keyModels: key.models, keyLimit: keyLimitOf(key) };
  }

  private hashOf(credential: string | null): KeyHash {
    if (credential === null) {
      throw new GatewayError('missing_api_key', 'No API key was sent. Send it as "Authorization: Bearer sk-..." or as "x-api-key: sk-...".');
    }
    const secret = ApiKeySecret.parse(credential);
    if (secret === null) throw invalidKey();
    return this.ports.hasher.hash(secret);
  }
}
