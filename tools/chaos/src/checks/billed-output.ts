import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { Row } from '../books/database-view.js';
import type { Outcome } from '../customers/exchange.js';
import { PIECE } from '../upstream/request-script.js';

/** How a usage record says that a request ended. */
interface BilledOutput {
  readonly endReason: string;
  /** Whose count it is: `reported` is the upstream's own, which counts a piece as a token. */
  readonly source: string;
  readonly outputTokens: number;
}

interface Relayed extends Pick<Outcome, 'seen' | 'leftAtHold'> {
  /** Pieces that the upstream has sent for it. */
  readonly sent: number;
}

/** For `billedFrom`: the outcome of every request that has a record, a late settlement in its place when there is one. */
export const BILLED_QUERY = `select u.attribution, coalesce(l.end_reason, u.end_reason), coalesce(l.usage_source, u.usage_source),
  coalesce(l.reasoning_tokens + l.visible_output_tokens, u.reasoning_tokens + u.visible_output_tokens)
  from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id`;

/** By the number of the request, which it has given as its user. */
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

/** The most that may be billed: what was relayed and one piece more where that is known exactly, else what the upstream has sent. */
function mostOf({ seen, sent, leftAtHold }: Relayed, { endReason, source }: BilledOutput): number {
  return tokensIn(leftAtHold && endReason === 'client_left' ? Math.min(sent, seen + 1) : sent, source);
}

/** I8: what is wrong with the output that a request was billed for; `null` when nothing is. A process that died bills its last checkpoint, which may be less than it had relayed. */
export function wrongOutput(relayed: Relayed, billed: BilledOutput | undefined): string | null {
  if (billed === undefined) return relayed.seen === 0 ? null : `${relayed.seen} pieces of output were relayed and nothing is recorded`;
  const least = billed.endReason === 'crashed' ? 0 : tokensIn(relayed.seen, billed.source);
  const most = mostOf(relayed, billed);
  if (billed.outputTokens >= least && billed.outputTokens <= most) return null;
  return `${billed.outputTokens} tokens of output (${billed.source}, ${billed.endReason}) were billed; between ${least} and ${most} were relayed`;
}

const PROMPT_PRICE = 400n;
const OUTPUT_PRICE = 1200n;
/** More than the prompt of a request of this tool has by any count. */
const MAX_PROMPT_TOKENS = 40n;

/** The most that one purchase can cost, in millionths of a service token, when the upstream sent so many pieces for each of its requests. */
export function mostPrice(pieces: number): bigint {
  const output = BigInt(Math.max(tokensIn(pieces, 'counted'), tokensIn(pieces, 'reported')));
  return MAX_PROMPT_TOKENS * PROMPT_PRICE + output * OUTPUT_PRICE;
}
