import type { ApiKey } from '../keys/api-key.js';
import type { KeyRepository } from '../keys/key-repository.js';
import type { Actor } from '../platform/actor.js';
import { type Block, type BlockTarget, type BlockTerms, hasBlockEnded } from '../platform/block.js';
import type { OperatorControls } from '../platform/operator-controls.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId, ApiKeyId } from '../primitives/ids.js';
import type { AccountStandings } from './account-standings.js';
import type { StandingRefusal } from './standing.js';

export interface BlocklistPorts {
  readonly controls: OperatorControls;
  readonly standings: AccountStandings;
  readonly keys: Pick<KeyRepository, 'findById' | 'findPlaygroundKey' | 'accountOf' | 'setBlocked'>;
  readonly clock: Clock;
}

export interface BlockCommand {
  /** A network need not be in canonical form. */
  readonly target: BlockTarget;
  readonly terms: BlockTerms;
  readonly actor: Actor;
}

export type BlockOutcome =
  | { readonly outcome: 'blocked' | 'blocked-already'; readonly block: Block }
  | { readonly outcome: 'no-such-subject' | 'expiry-in-the-past' }
  | StandingRefusal;

export type UnblockOutcome = { readonly outcome: 'unblocked' | 'not-blocked' } | StandingRefusal;

/** Blocking a target that is blocked already does not change the terms of its block. */
export class Blocklist {
  constructor(private readonly ports: BlocklistPorts) {}

  async block(command: BlockCommand): Promise<BlockOutcome> {
    if (hasBlockEnded(command.terms, this.ports.clock.now())) return { outcome: 'expiry-in-the-past' };
    switch (command.target.kind) {
      case 'account': return this.blockAccount(command, command.target.subject);
      case 'key': return this.blockKey(command, command.target.subject);
      case 'network': return this.blockNetwork(command);
    }
  }

  async unblock({ kind, subject }: BlockTarget, actor: Actor): Promise<UnblockOutcome> {
    const { controls, clock } = this.ports;
    if (kind === 'account') return this.unblockAccount(subject, actor);
    if (kind === 'key') return this.unblockKey(subject, actor);
    const outcome = await controls.unblockNetwork(subject, { actor, at: clock.now() });
    return { outcome: outcome === 'unblocked' ? 'unblocked' : 'not-blocked' };
  }

  private async blockAccount({ target, terms, actor }: BlockCommand, accountId: AccountId): Promise<BlockOutcome> {
    const outcome = await this.ports.standings.perform({ accountId, trigger: 'block', terms, actor });
    if (outcome.outcome === 'no-such-account') return { outcome: 'no-such-subject' };
    return outcome.outcome === 'refused' ? outcome : this.blocked({ target, terms, actor }, outcome.outcome === 'changed');
  }

  private async blockKey({ target, terms, actor }: BlockCommand, id: ApiKeyId): Promise<BlockOutcome> {
    const { keys, clock } = this.ports;
    const key = await this.keyNamed(id);
    if (key === null) return { outcome: 'no-such-subject' };
    await keys.setBlocked(key.accountId, id, true, { actor, at: clock.now(), ...terms });
    return this.blocked({ target, terms, actor }, !key.blocked);
  }

  private async blockNetwork({ target, terms, actor }: BlockCommand): Promise<BlockOutcome> {
    const { controls, clock } = this.ports;
    const blocking = await controls.blockNetwork(target.subject, terms, { actor, at: clock.now() });
    if (blocking.outcome === 'malformed') return { outcome: 'no-such-subject' };
    return this.blocked({ target: { kind: 'network', subject: blocking.network }, terms, actor }, blocking.outcome === 'blocked');
  }

  /** If a concurrent call has already ended the block, returns a block with the terms of this call. */
  private async blocked({ target, terms, actor }: BlockCommand, isNew: boolean): Promise<BlockOutcome> {
    const { controls, clock } = this.ports;
    const block = await controls.findBlock(target) ?? { target, ...terms, blockedBy: actor.id, blockedAt: clock.now() };
    return { outcome: isNew ? 'blocked' : 'blocked-already', block };
  }

  private async unblockAccount(accountId: AccountId, actor: Actor): Promise<UnblockOutcome> {
    const outcome = await this.ports.standings.perform({ accountId, trigger: 'unblock', actor });
    if (outcome.outcome === 'refused') return outcome;
    return { outcome: outcome.outcome === 'changed' ? 'unblocked' : 'not-blocked' };
  }

  private async unblockKey(id: ApiKeyId, actor: Actor): Promise<UnblockOutcome> {
    const { keys, clock } = this.ports;
    const key = await this.keyNamed(id);
    if (key?.blocked !== true) return { outcome: 'not-blocked' };
    await keys.setBlocked(key.accountId, id, false, { actor, at: clock.now() });
    return { outcome: 'unblocked' };
  }

  /** Includes playground keys. */
  private async keyNamed(id: ApiKeyId): Promise<Pick<ApiKey, 'accountId' | 'blocked'> | null> {
    const { keys } = this.ports;
    const accountId = await keys.accountOf(id);
    return accountId === null ? null : await keys.findById(accountId, id) ?? keys.findPlaygroundKey(accountId);
  }
}
