import type { ModelSlug } from '../ids.js';
import type { IncidentLimit } from '../platform/platform-snapshot.js';
import type { Instant } from '../time/instant.js';
import type { Actor } from './audit.js';

/** Who acts on the platform, and when. */
export interface OperatorAct {
  readonly actor: Actor;
  readonly at: Instant;
}

/** A network whose requests are refused before anything else is looked at. */
export interface NetworkBlock {
  /** Canonical CIDR form: host bits cleared, IPv4-mapped addresses as IPv4, a single address with its full prefix. */
  readonly network: string;
  readonly reason: string | null;
  readonly blockedAt: Instant;
}

/** What operators switch. Every write goes into the audit trail in the same transaction; one that changes nothing does not. */
export interface OperatorControls {
  setMaintenance(state: 'on' | 'off', by: OperatorAct): Promise<void>;
  /** Oldest first. */
  listNetworkBlocks(): Promise<readonly NetworkBlock[]>;
  /** `network` is an address or a CIDR range, IPv4 or IPv6. */
  blockNetwork(network: string, reason: string | null, by: OperatorAct): Promise<'blocked' | 'blocked-already' | 'malformed'>;
  unblockNetwork(network: string, by: OperatorAct): Promise<'unblocked' | 'not-blocked' | 'malformed'>;
  /** Replaces the limit in force for the same model. */
  setIncidentLimit(limit: IncidentLimit, by: OperatorAct): Promise<void>;
  /** `false` when the model has none. */
  clearIncidentLimit(model: ModelSlug, by: OperatorAct): Promise<boolean>;
}
