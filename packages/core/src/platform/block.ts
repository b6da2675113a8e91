import type { AccountId, ApiKeyId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

/** A network is canonical CIDR: host bits cleared, IPv4-mapped addresses as IPv4, a single address with its full prefix length. */
export type BlockTarget =
  | { readonly kind: 'account'; readonly subject: AccountId }
  | { readonly kind: 'key'; readonly subject: ApiKeyId }
  | { readonly kind: 'network'; readonly subject: string };

export interface BlockTerms {
  readonly reason: string | null;
  /** `null`: until an operator ends the block. */
  readonly expiresAt: Instant | null;
}

export interface Block extends BlockTerms {
  readonly target: BlockTarget;
  /** The actor's id; `null` if not recorded. */
  readonly blockedBy: string | null;
  readonly blockedAt: Instant;
}

export const UNTIL_UNBLOCKED: BlockTerms = { reason: null, expiresAt: null };

export function hasBlockEnded({ expiresAt }: Pick<BlockTerms, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}
