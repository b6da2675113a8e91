import type { AccountId, ApiKeyId, ModelSlug, PlanId } from '../primitives.js';
import type { Block, BlockTarget, BlockTerms } from '../platform/blocks.js';
import type { IncidentLimit, Maintenance, PlatformSnapshot, RecordedIncidentLimit } from '../platform/platform-snapshot.js';
import type { Instant } from '../time.js';
import type { Actor } from './audit.js';

/** Who acts on the platform, and when. */
export interface OperatorAct {
  readonly actor: Actor;
  readonly at: Instant;
}

export interface BlockListQuery {
  readonly limit: number;
  /** Reads on after this one. */
  readonly after: Block | null;
  /** Blocks that have ended by then are left out. */
  readonly now: Instant;
}

/**
 * What operators set. Every write goes into the audit trail in the same transaction; one that changes nothing does not.
 * Blocks of accounts and keys are made and ended by their own repositories, and listed here.
 */
export interface OperatorControls {
  /** Replaces what is set; `null` ends maintenance. */
  setMaintenance(maintenance: Maintenance | null, by: OperatorAct): Promise<void>;
  /** Of accounts, keys and networks; newest first. */
  listBlocks(query: BlockListQuery): Promise<readonly Block[]>;
  /** `null` when it is not blocked. */
  findBlock(target: BlockTarget): Promise<Block | null>;
  /** `network` is an address or a CIDR range, IPv4 or IPv6. */
  blockNetwork(network: string, terms: BlockTerms, by: OperatorAct): Promise<NetworkBlocking>;
  unblockNetwork(network: string, by: OperatorAct): Promise<'unblocked' | 'not-blocked' | 'malformed'>;
  /** Ends blocks that have come to their date, a bounded number at a time; says how many. */
  endExpiredBlocks(by: OperatorAct): Promise<number>;
  /** In the order of the models' names; those that have ended by themselves are among them. */
  listIncidentLimits(): Promise<readonly RecordedIncidentLimit[]>;
  /** Replaces the limit in force for the same model. */
  setIncidentLimit(limit: IncidentLimit, by: OperatorAct): Promise<void>;
  /** `false` when the model has none. */
  clearIncidentLimit(model: ModelSlug, by: OperatorAct): Promise<boolean>;
}

/** `network` is the canonical form. */
export type NetworkBlocking =
  | { readonly outcome: 'blocked' | 'blocked-already'; readonly network: string }
  | { readonly outcome: 'malformed' };

/** What operators have switched, kept in memory by the adapter so that asking costs nothing. */
export interface PlatformState {
  current(): PlatformSnapshot;
}

/** What became different in the store. It names the item, not the change: a cache reads the item again. */
export type Change =
  | { readonly kind: 'key'; readonly id: ApiKeyId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'plan'; readonly id: PlanId }
  /** Maintenance, blocked networks, incident limits. */
  | { readonly kind: 'platform'; readonly id: null };

export interface ChangeListener {
  changed(change: Change): void;
  /** Until `missed` is called, no change is heard of: what is cached may be out of date. */
  disconnected(): void;
  /** Changes may have passed unheard, and are heard of again from now on: nothing cached before can be trusted. */
  missed(): void;
}

/** Tells every process of a change, so that none goes on with what it has cached. Delivery is fast and not certain. */
export interface ChangeNotifications {
  /** Resolves when it is on its way to everyone, this process included. Rejects when it is not; the change itself stands. */
  publish(change: Change): Promise<void>;
  /** Calls the listener until the returned function is called. A listener does not throw. */
  subscribe(listener: ChangeListener): () => void;
}
