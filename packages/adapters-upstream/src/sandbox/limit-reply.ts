import type { TokenCount } from '@tollgate/core';
import { StopSequenceCutter } from '../reply/stop-sequences.js';
import type { PlannedBlock, PlannedReply } from './plan-reply.js';

/** A reply within the request's limits, with its usage. */
export interface LimitedReply extends PlannedReply {
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Ends the reply before its first stop sequence, and at the output limit. */
export function limitReply(reply: PlannedReply, stopSequences: readonly string[], maxOutputTokens: TokenCount): LimitedReply {
  return limitTokens(stopSequences.length === 0 ? reply : cutAtStopSequence(reply, stopSequences), maxOutputTokens);
}

function cutAtStopSequence(reply: PlannedReply, stopSequences: readonly string[]): PlannedReply {
  const blocks: PlannedBlock[] = [];
  for (const block of reply.blocks) {
    const cut = block.opening.type === 'text' ? cutText(block, stopSequences) : null;
    if (cut !== null) return { blocks: cut.pieces.length === 0 ? blocks : [...blocks, cut], stopReason: 'end' };
    blocks.push(block);
  }
  return reply;
}

/** The block, cut before the first stop sequence; `null` if it contains none. */
function cutText({ opening, pieces }: PlannedBlock, stopSequences: readonly string[]): PlannedBlock | null {
  const cutter = new StopSequenceCutter(stopSequences);
  const kept: string[] = [];
  for (const piece of pieces) {
    const { text, stopped } = cutter.push(piece);
    if (text !== '') kept.push(text);
    if (stopped) return { opening, pieces: kept };
  }
  return null;
}

function limitTokens({ blocks, stopReason }: PlannedReply, maxOutputTokens: TokenCount): LimitedReply {
  const kept: PlannedBlock[] = [];
  let outputTokens = 0;
  let reasoningTokens = 0;
  for (const { opening, pieces } of blocks) {
    const room = maxOutputTokens - outputTokens;
    if (room > 0) kept.push({ opening, pieces: pieces.slice(0, room) });
    outputTokens += Math.min(room, pieces.length);
    if (opening.type === 'thinking') reasoningTokens = outputTokens;
    if (pieces.length > room) return { blocks: kept, stopReason: 'max-tokens', outputTokens, reasoningTokens };
  }
  return { blocks: kept, stopReason, outputTokens, reasoningTokens };
}
