import type { IncidentLimit, RecordedIncidentLimit } from '../limits/incident-limit.js';
import type { ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Actor } from './actor.js';
import type { Block, BlockTarget, BlockTerms } from './block.js';
import type { Maintenance } from './maintenance.js';

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
