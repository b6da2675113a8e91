import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { Row } from '../books/database-view.js';
import type { Outcome } from '../customers/exchange.js';
import { PIECE } from '../upstream/request-script.js';

interface BilledOutput {
  readonly endReason: string;
  /** `reported` if the upstream counted the output, which it does with one token per piece. */
  readonly source: string;
  readonly outputTokens: number;
}

interface Relayed extends Pick<Outcome, 'seen' | 'leftAtHold'> {
  /** Number of pieces that the upstream sent. */
  readonly sent: number;
}

/** Query whose results `billedFrom` reads: the outcome of every recorded request. A late settlement replaces the first one. */
export const BILLED_QUERY = `select u.attribution, coalesce(l.end_reason, u.end_reason), coalesce(l.usage_source, u.usage_source),
  coalesce(l.reasoning_tokens + l.visible_output_tokens, u.reasoning_tokens + u.visible_output_tokens)
  from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id`;

/** Billed output by the number of the request, which is also its attribution. */
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

/** Maximum output that may be billed: one piece more than the client received if that number is exact, otherwise what the upstream sent. */
function mostOf({ seen, sent, leftAtHold }: Relayed, { endReason, source }: BilledOutput): number {
  return tokensIn(leftAtHold && endReason === 'client_left' ? Math.min(sent, seen + 1) : sent, source);
}

/**
 * I8: what is wrong with the billed output; `null` if nothing. The request of a dead process is billed by its last checkpoint, which may be less than
 * was relayed.
 */
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

/** Maximum price of one purchase, in micro-units, if the upstream sends `pieces` for each of its requests. */
export function mostPrice(pieces: number): bigint {
  const output = BigInt(Math.max(tokensIn(pieces, 'counted'), tokensIn(pieces, 'reported')));
  return MAX_PROMPT_TOKENS * PROMPT_PRICE + output * OUTPUT_PRICE;
}
