import type { IncidentLimit, RecordedIncidentLimit } from '../limits/incident-limit.js';
import type { ModelSlug } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { AuditedBy } from './actor.js';
import type { Block, BlockTarget, BlockTerms } from './block.js';
import type { Maintenance } from './maintenance.js';

export interface BlockListQuery {
  readonly limit: number;
  /** Last block of the previous page. */
  readonly after: Block | null;
  /** Blocks that have expired at this time are omitted. */
  readonly now: Instant;
}

/**
 * Audits every change in the same transaction, but not calls without effect. `AccountRepository` and `KeyRepository` write the blocks of accounts and
 * keys; this port lists them.
 */
export interface OperatorControls {
  /** `null` ends maintenance. */
  setMaintenance(maintenance: Maintenance | null, by: AuditedBy): Promise<void>;
  /** Newest first. */
  listBlocks(query: BlockListQuery): Promise<readonly Block[]>;
  /** The block may have expired; `null` if none is stored. A network must be canonical. */
  findBlock(target: BlockTarget): Promise<Block | null>;
  /** Address or CIDR range, IPv4 or IPv6. */
  blockNetwork(network: string, terms: BlockTerms, by: AuditedBy): Promise<NetworkBlocking>;
  unblockNetwork(network: string, by: AuditedBy): Promise<'unblocked' | 'not-blocked' | 'malformed'>;
  /** Ends a bounded number of expired blocks; returns how many. */
  endExpiredBlocks(by: AuditedBy): Promise<number>;
  /** In the order of the models; includes expired limits. */
  listIncidentLimits(): Promise<readonly RecordedIncidentLimit[]>;
  /** Replaces the model's limit. */
  setIncidentLimit(limit: IncidentLimit, by: AuditedBy): Promise<void>;
  /** False if the model has no limit. */
  clearIncidentLimit(model: ModelSlug, by: AuditedBy): Promise<boolean>;
}

/** `network` is canonical. */
export type NetworkBlocking =
  | { readonly outcome: 'blocked' | 'blocked-already'; readonly network: string }
  | { readonly outcome: 'malformed' };
