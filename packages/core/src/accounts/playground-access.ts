import { GatewayError } from '../errors/gateway-error.js';
import type { KeyRepository, PlaygroundKey } from '../keys/key-repository.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import type { Actor } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { IdGenerator } from '../primitives/id-generator.js';
import type { Account, Caller } from './account.js';
import { requireGoodStanding, standingRefusal } from './standing-refusal.js';

export interface PlaygroundAccessPorts {
  readonly keys: Pick<KeyRepository, 'findPlaygroundKey' | 'createPlaygroundKey'>;
  readonly catalogue: CatalogueSource;
  readonly ids: IdGenerator;
  readonly clock: Clock;
}

/** Lets a signed-in owner call models with the account's playground key, created at its first use. */
export class PlaygroundAccess {
  constructor(private readonly ports: PlaygroundAccessPorts) {}

  /** Throws the same refusals as `Authenticator`, in the same order. */
  async callerOf(account: Account, actor: Actor): Promise<Caller> {
    const { keys, catalogue } = this.ports;
    const known = await keys.findPlaygroundKey(account.id);
    if (known?.blocked === true) throw new GatewayError('api_key_blocked', 'The playground of this account is blocked.');
    requireGoodStanding(account);
    const key = known ?? await this.make(account, actor);
    return { account, plan: catalogue.current().planInForce(account.planId), keyId: key.id, keyModels: null, keyLimit: null };
  }

  /** Concurrent first uses share one key. */
  private async make({ id: accountId }: Account, actor: Actor): Promise<PlaygroundKey> {
    const { keys, ids, clock } = this.ports;
    const key = await keys.createPlaygroundKey({ id: ids.apiKeyId(), accountId, createdAt: clock.now() }, actor);
    if (key === null) throw standingRefusal('deleted');
    return key;
  }
}
