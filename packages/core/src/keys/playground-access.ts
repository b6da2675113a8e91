import type { AccountId, ApiKeyId } from '../ids.js';
import type { Instant } from '../time.js';
import type { Account, Caller } from '../accounts/account.js';
import { requireGoodStanding, standingRefusal } from '../accounts/account-standings.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { Actor } from '../ports/audit.js';
import type { CatalogueSource } from '../ports/model-provider.js';
import type { Clock, IdGenerator } from '../ports/system.js';
import type { KeyRepository } from '../ports/key-repository.js';

/** The key of an account's playground: an id to book its requests under, and no secret, so that nothing authenticates with it. An account has at most one. */
export interface PlaygroundKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly createdAt: Instant;
  readonly blocked: boolean;
}

export interface PlaygroundAccessPorts {
  readonly keys: Pick<KeyRepository, 'findPlaygroundKey' | 'createPlaygroundKey'>;
  readonly catalogue: CatalogueSource;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

/** Tells as whom the signed-in owner of an account calls models: as the key of the account's playground, which it makes at its first use. */
export class PlaygroundAccess {
  constructor(private readonly ports: PlaygroundAccessPorts) {}

  /** Throws what `Authenticator` refuses a key and its account for, in the same order. */
  async callerOf(account: Account, actor: Actor): Promise<Caller> {
    const { keys, catalogue } = this.ports;
    const known = await keys.findPlaygroundKey(account.id);
    if (known?.blocked === true) throw new GatewayError('api_key_blocked', 'The playground of this account is blocked.');
    requireGoodStanding(account);
    const key = known ?? await this.make(account, actor);
    return { account, plan: catalogue.current().planInForce(account.planId), keyId: key.id, keyModels: null, keyLimit: null };
  }

  /** Of simultaneous first uses, one makes the key and all get it. */
  private async make({ id: accountId }: Account, actor: Actor): Promise<PlaygroundKey> {
    const { keys, ids, clock } = this.ports;
    const key = await keys.createPlaygroundKey({ id: ids.apiKeyId(), accountId, createdAt: clock.now() }, actor);
    if (key === null) throw standingRefusal('deleted');
    return key;
  }
}
