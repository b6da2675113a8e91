import type { IncidentLimit, RecordedIncidentLimit } from '../limits/incident-limit.js';
import type { ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Actor } from './actor.js';
import type { Block, BlockTarget, BlockTerms } from './block.js';
import type { Maintenance } from './maintenance.js';

export interface OperatorAct {
  readonly actor: Actor;
  readonly at: Instant;
}

export interface BlockListQuery {
  readonly limit: number;
  /** The last block of the previous page. */
  readonly after: Block | null;
  /** Blocks that have expired by this time are omitted. */
  readonly now: Instant;
}

/**
 * Platform settings of operators. Every change is audited in the same transaction; a call that changes nothing is not. Blocks of
 * accounts and keys are written by their own repositories, and listed here.
 */
export interface OperatorControls {
  /** `null` ends maintenance. */
  setMaintenance(maintenance: Maintenance | null, by: OperatorAct): Promise<void>;
  /** All kinds of targets, newest first. */
  listBlocks(query: BlockListQuery): Promise<readonly Block[]>;
  /** `null` if the target is not blocked. */
  findBlock(target: BlockTarget): Promise<Block | null>;
  /** `network` is an address or a CIDR range, IPv4 or IPv6. */
  blockNetwork(network: string, terms: BlockTerms, by: OperatorAct): Promise<NetworkBlocking>;
  unblockNetwork(network: string, by: OperatorAct): Promise<'unblocked' | 'not-blocked' | 'malformed'>;
  /** Removes expired blocks, a bounded number per call; returns how many. */
  endExpiredBlocks(by: OperatorAct): Promise<number>;
  /** Sorted by model; includes expired ones. */
  listIncidentLimits(): Promise<readonly RecordedIncidentLimit[]>;
  /** Replaces the model's current limit. */
  setIncidentLimit(limit: IncidentLimit, by: OperatorAct): Promise<void>;
  /** Returns false if the model has none. */
  clearIncidentLimit(model: ModelSlug, by: OperatorAct): Promise<boolean>;
}

/** `network` is in canonical form. */
export type NetworkBlocking =
  | { readonly outcome: 'blocked' | 'blocked-already'; readonly network: string }
  | { readonly outcome: 'malformed' };
