import {
  type AccountId, type AuditedBy, type Block, type BlockListQuery, type BlockTarget, type BlockTerms, formatNetwork, hasBlockEnded, type IncidentLimit,
  type Instant, type Maintenance, type ModelSlug, type NetworkBlocking, networkMatcher, type OperatorControls,
  parseNetwork, type PlatformSnapshot, type PlatformState, type RecordedIncidentLimit, type RecordedMaintenance,
} from '@tollgate/core';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryBlocks } from './memory-blocks.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryKeys } from './memory-keys.js';

export interface MemoryPlatformParts {
  readonly audit: MemoryAuditTrail;
  readonly blocks: MemoryBlocks;
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
}

interface NetworkBlock extends Pick<Block, 'expiresAt'> {
  readonly matches: (address: string) => boolean;
}

/** Settings of operators. Changes take effect immediately. */
export class MemoryPlatform implements PlatformState, OperatorControls {
  #maintenance: RecordedMaintenance | null = null;
  readonly #limits = new Map<ModelSlug, RecordedIncidentLimit>();

  constructor(private readonly parts: MemoryPlatformParts) {}

  current(): PlatformSnapshot {
    const networks = this.#networks();
    return {
      maintenance: this.#maintenance,
      incidentLimits: new Map(this.#limits),
      nextBlockEndsAt: this.#nextEnd(),
      isNetworkBlocked: (address, now) => networks.some((block) => !hasBlockEnded(block, now) && block.matches(address)),
    };
  }

  async setMaintenance(maintenance: Maintenance | null, by: AuditedBy): Promise<void> {
    if (maintenance === null) {
      if (this.#maintenance !== null) this.parts.audit.record({ ...by, action: 'platform.maintenance-off', subject: 'platform', accountId: null, details: {} });
      this.#maintenance = null;
      return;
    }
    const { startsAt, endsAt, message } = maintenance;
    const before = this.#maintenance;
    if (before !== null && before.startsAt === startsAt && before.endsAt === endsAt && before.message === message) return;
    this.#maintenance = { startsAt, endsAt, message, setBy: by.actor.id, setAt: by.at };
    this.parts.audit.record({ ...by, action: 'platform.maintenance-on', subject: 'platform', accountId: null, details: { startsAt, endsAt, message } });
  }

  async listBlocks(query: BlockListQuery): Promise<readonly Block[]> {
    return this.parts.blocks.list(query);
  }

  async findBlock(target: BlockTarget): Promise<Block | null> {
    return this.parts.blocks.find(target);
  }

  async blockNetwork(network: string, terms: BlockTerms, by: AuditedBy): Promise<NetworkBlocking> {
    const range = parseNetwork(network);
    if (range === null) return { outcome: 'malformed' };
    const name = formatNetwork(range);
    if (!this.parts.blocks.insert({ kind: 'network', subject: name }, { ...by, ...terms })) return { outcome: 'blocked-already', network: name };
    this.parts.audit.record({ ...by, action: 'network.blocked', subject: name, accountId: null, details: { expiresAt: terms.expiresAt }, texts: { reason: terms.reason } });
    return { outcome: 'blocked', network: name };
  }

  async unblockNetwork(network: string, by: AuditedBy): Promise<'unblocked' | 'not-blocked' | 'malformed'> {
    const range = parseNetwork(network);
    if (range === null) return 'malformed';
    const name = formatNetwork(range);
    if (!this.parts.blocks.delete({ kind: 'network', subject: name })) return 'not-blocked';
    this.parts.audit.record({ ...by, action: 'network.unblocked', subject: name, accountId: null, details: {} });
    return 'unblocked';
  }

  async endExpiredBlocks(by: AuditedBy): Promise<number> {
    const { blocks, accounts, keys, audit } = this.parts;
    const ended = blocks.ended(by.at);
    for (const { target } of ended) {
      blocks.delete(target);
      if (target.kind === 'account') accounts.endBlock(target.subject, by.at);
      if (target.kind === 'key') keys.endBlock(target.subject);
      audit.record({ ...by, action: `${target.kind}.unblocked`, subject: target.subject, accountId: this.#accountOf(target), details: { expired: true } });
    }
    return ended.length;
  }

  async listIncidentLimits(): Promise<readonly RecordedIncidentLimit[]> {
    return [...this.#limits.values()].toSorted((first, second) => (first.model < second.model ? -1 : 1));
  }

  async setIncidentLimit(limit: IncidentLimit, by: AuditedBy): Promise<void> {
    this.#limits.set(limit.model, { ...limit, setBy: by.actor.id });
    this.parts.audit.record({ ...by, action: 'incident-limit.set', subject: limit.model, accountId: null, details: { ...limit } });
  }

  async clearIncidentLimit(model: ModelSlug, by: AuditedBy): Promise<boolean> {
    if (!this.#limits.delete(model)) return false;
    this.parts.audit.record({ ...by, action: 'incident-limit.cleared', subject: model, accountId: null, details: {} });
    return true;
  }

  #accountOf({ kind, subject }: BlockTarget): AccountId | null {
    if (kind === 'account') return subject;
    return kind === 'key' ? this.parts.keys.accountWith(subject) : null;
  }

  #networks(): readonly NetworkBlock[] {
    return this.parts.blocks.all.flatMap(({ target: { kind, subject }, expiresAt }) => {
      const range = kind === 'network' ? parseNetwork(subject) : null;
      return range === null ? [] : [{ matches: networkMatcher([range], 'inside'), expiresAt }];
    });
  }

  #nextEnd(): Instant | null {
    const ends = this.parts.blocks.all.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
    return ends.length === 0 ? null : ends.reduce((first, end) => (end < first ? end : first));
  }
}
