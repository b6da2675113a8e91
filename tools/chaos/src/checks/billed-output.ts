import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { Row } from '../books/database-view.js';
import type { Outcome } from '../customers/exchange.js';
import { PIECE } from '../upstream/request-script.js';

interface BilledOutput {
  readonly endReason: string;
  /** `reported` counts are the upstream's, one token per piece. */
  readonly source: string;
  readonly outputTokens: number;
}

interface Relayed extends Pick<Outcome, 'seen' | 'leftAtHold'> {
  /** Pieces that the upstream sent. */
  readonly sent: number;
}

/** The outcome of every recorded request; a late settlement replaces the first. For `billedFrom`. */
export const BILLED_QUERY = `select u.attribution, coalesce(l.end_reason, u.end_reason), coalesce(l.usage_source, u.usage_source),
  coalesce(l.reasoning_tokens + l.visible_output_tokens, u.reasoning_tokens + u.visible_output_tokens)
  from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id`;

/** Billed output by request number, which requests send as their user. */
export function billedFrom(rows: readonly Row[]): ReadonlyMap<number, BilledOutput> {
  return new Map(rows.map(([number, endReason, source, tokens]) => [Number(number), { endReason: endReason ?? '', source: source ?? '', outputTokens: Number(tokens) }]));
}

const estimator = new LinearTokenEstimator();

function tokensIn(pieces: number, source: string): number {
  if (source === 'reported') return pieces;
  const counter = estimator.startCounter();
  counter.add(PIECE.repeat(pieces));
  return counter.tokens;
}

/** The most that may be billed: one piece more than relayed if that is known exactly, otherwise what the upstream sent. */
function mostOf({ seen, sent, leftAtHold }: Relayed, { endReason, source }: BilledOutput): number {
  return tokensIn(leftAtHold && endReason === 'client_left' ? Math.min(sent, seen + 1) : sent, source);
}

/** I8: returns what is wrong with the billed output, or `null`. A dead process bills its last checkpoint, which may be less than it relayed. */
export function wrongOutput(relayed: Relayed, billed: BilledOutput | undefined): string | null {
  if (billed === undefined) return relayed.seen === 0 ? null : `${relayed.seen} pieces of output were relayed and nothing is recorded`;
  const least = billed.endReason === 'crashed' ? 0 : tokensIn(relayed.seen, billed.source);
  const most = mostOf(relayed, billed);
  if (billed.outputTokens >= least && billed.outputTokens <= most) return null;
  return `${billed.outputTokens} tokens of output (${billed.source}, ${billed.endReason}) were billed; between ${least} and ${most} were relayed`;
}

const PROMPT_PRICE = 400n;
const OUTPUT_PRICE = 1200n;
const MAX_PROMPT_TOKENS = 40n;

/** The highest price of one purchase, in micro-units, if the upstream sent `pieces` for each request. */
export function mostPrice(pieces: number): bigint {
  const output = BigInt(Math.max(tokensIn(pieces, 'counted'), tokensIn(pieces, 'reported')));
  return MAX_PROMPT_TOKENS * PROMPT_PRICE + output * OUTPUT_PRICE;
}
