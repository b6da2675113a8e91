import type { IncidentLimit, ModelSlug, NetworkBlock, OperatorAct, OperatorControls, PlatformSnapshot, PlatformState } from '@tollgate/core';
import type { MemoryAuditTrail } from '../audit/memory-audit-trail.js';
import { type Network, contains, formatNetwork, parseNetwork } from './network.js';

interface Block extends NetworkBlock { readonly range: Network }

/** What operators switch, in force at once. */
export class MemoryPlatform implements PlatformState, OperatorControls {
  #maintenance = false;
  readonly #limits = new Map<ModelSlug, IncidentLimit>();
  readonly #blocks = new Map<string, Block>();

  constructor(private readonly audit: MemoryAuditTrail) {}

  current(): PlatformSnapshot {
    const ranges = [...this.#blocks.values()].map(({ range }) => range);
    return {
      maintenance: this.#maintenance,
      incidentLimits: new Map(this.#limits),
      isNetworkBlocked: (address) => ranges.some((range) => contains(range, address)),
    };
  }

  async setMaintenance(state: 'on' | 'off', by: OperatorAct): Promise<void> {
    if (this.#maintenance === (state === 'on')) return;
    this.#maintenance = state === 'on';
    this.audit.record({ ...by, action: `platform.maintenance-${state}`, subject: 'platform', accountId: null, details: {} });
  }

  async listNetworkBlocks(): Promise<readonly NetworkBlock[]> {
    return [...this.#blocks.values()].map(({ network, reason, blockedAt }) => ({ network, reason, blockedAt }));
  }

  async blockNetwork(network: string, reason: string | null, by: OperatorAct): Promise<'blocked' | 'blocked-already' | 'malformed'> {
    const range = parseNetwork(network);
    if (range === null) return 'malformed';
    const name = formatNetwork(range);
    if (this.#blocks.has(name)) return 'blocked-already';
    this.#blocks.set(name, { network: name, reason, blockedAt: by.at, range });
    this.audit.record({ ...by, action: 'network.blocked', subject: name, accountId: null, details: {}, texts: { reason } });
    return 'blocked';
  }

  async unblockNetwork(network: string, by: OperatorAct): Promise<'unblocked' | 'not-blocked' | 'malformed'> {
    const range = parseNetwork(network);
    if (range === null) return 'malformed';
    const name = formatNetwork(range);
    if (!this.#blocks.delete(name)) return 'not-blocked';
    this.audit.record({ ...by, action: 'network.unblocked', subject: name, accountId: null, details: {} });
    return 'unblocked';
  }

  async setIncidentLimit(limit: IncidentLimit, by: OperatorAct): Promise<void> {
    this.#limits.set(limit.model, limit);
    this.audit.record({ ...by, action: 'incident-limit.set', subject: limit.model, accountId: null, details: { ...limit } });
  }

  async clearIncidentLimit(model: ModelSlug, by: OperatorAct): Promise<boolean> {
    if (!this.#limits.delete(model)) return false;
    this.audit.record({ ...by, action: 'incident-limit.cleared', subject: model, accountId: null, details: {} });
    return true;
  }
}
