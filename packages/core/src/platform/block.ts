import type { AccountId, ApiKeyId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

/** A network is in canonical CIDR form: host bits cleared, IPv4-mapped addresses as IPv4, a single address with its full prefix. */
export type BlockTarget =
  | { readonly kind: 'account'; readonly subject: AccountId }
  | { readonly kind: 'key'; readonly subject: ApiKeyId }
  | { readonly kind: 'network'; readonly subject: string };

export type BlockKind = BlockTarget['kind'];

/** Why something is blocked, and until when. */
export interface BlockTerms {
  readonly reason: string | null;
  /** The block ends by itself then; `null`: an operator ends it. */
  readonly expiresAt: Instant | null;
}

/** An account, a key or a network whose requests are refused. */
export interface Block extends BlockTerms {
  readonly target: BlockTarget;
  /** The actor's id; `null` for blocks from before this was recorded. */
  readonly blockedBy: string | null;
  readonly blockedAt: Instant;
}

export const UNTIL_UNBLOCKED: BlockTerms = { reason: null, expiresAt: null };

/** Whether a block has come to its date. */
export function hasBlockEnded({ expiresAt }: Pick<BlockTerms, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}
