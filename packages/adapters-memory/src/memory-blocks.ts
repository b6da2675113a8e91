import {
  type AuditedBy, type Block, type BlockListQuery, type BlockTarget, type BlockTerms, hasBlockEnded, type Instant, UNTIL_UNBLOCKED,
} from '@tollgate/core';

function nameOf({ kind, subject }: BlockTarget): string {
  return `${kind} ${subject}`;
}

/** Same order as in the databases: newest first, then by name, descending. */
function newestFirst(first: Block, second: Block): number {
  if (first.blockedAt !== second.blockedAt) return second.blockedAt - first.blockedAt;
  return nameOf(first.target) < nameOf(second.target) ? 1 : -1;
}

export class MemoryBlocks {
  readonly #blocks = new Map<string, Block>();

  get all(): readonly Block[] {
    return [...this.#blocks.values()];
  }

  /** Returns `false` if an active block exists; replaces an expired one. */
  insert(target: BlockTarget, { actor, at, ...terms }: AuditedBy & Partial<BlockTerms>): boolean {
    const name = nameOf(target);
    const block = this.#blocks.get(name);
    if (block !== undefined && !hasBlockEnded(block, at)) return false;
    const { reason, expiresAt } = { ...UNTIL_UNBLOCKED, ...terms };
    this.#blocks.set(name, { target, reason, expiresAt, blockedBy: actor.id, blockedAt: at });
    return true;
  }

  delete(target: BlockTarget): boolean {
    return this.#blocks.delete(nameOf(target));
  }

  find(target: BlockTarget): Block | null {
    return this.#blocks.get(nameOf(target)) ?? null;
  }

  list({ limit, after, now }: BlockListQuery): readonly Block[] {
    const inForce = this.all.filter((block) => !hasBlockEnded(block, now)).toSorted(newestFirst);
    return (after === null ? inForce : inForce.filter((block) => newestFirst(block, after) > 0)).slice(0, limit);
  }

  ended(now: Instant): readonly Block[] {
    return this.all.filter((block) => hasBlockEnded(block, now));
  }
}
