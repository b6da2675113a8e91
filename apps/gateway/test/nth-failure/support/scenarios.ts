import { type EndReason, ProviderFailure } from '@tollgate/core';
import { endStep, type ProviderScript, reported, textSteps } from '@tollgate/testkit';
import type { Format } from './client.js';

/** A request, and how it ends if no call fails. */
export interface Scenario {
  readonly name: string;
  readonly format: Format;
  /** Available balance before the request, in service tokens. */
  readonly available: string;
  readonly script: ProviderScript;
  readonly prompt: string;
  /** A client that `leaves` disconnects: from a stream at the first output, from a whole reply when the upstream has accepted. */
  readonly client: 'stays' | 'leaves';
  /** `null` if the request is refused. */
  readonly endsAs: Readonly<Record<'stream' | 'whole', EndReason>> | null;
}

/** Characters of a piece, each one token. Two pieces need more than one extension of the reservation. */
export const PIECE = 4000;
/** A prompt with more tokens than the plan permits per minute. */
const LONG_PROMPT = 'p'.repeat(20_001);
const PIECES = textSteps('x'.repeat(PIECE), 'y'.repeat(PIECE));
const LONG_REPLY: ProviderScript = { steps: [...PIECES, endStep(reported(2, 2 * PIECE))] };

const PLAIN = { format: 'chat', available: '1000', prompt: 'Hi', client: 'stays' } as const;

function always(reason: EndReason): NonNullable<Scenario['endsAs']> {
  return { stream: reason, whole: reason };
}

/** Requests that are completed, abandoned, failed, refused and cut off. */
export const SCENARIOS: readonly Scenario[] = [
  { ...PLAIN, name: 'served after an extension', script: LONG_REPLY, endsAs: always('completed') },
  { ...PLAIN, name: 'whose reply is stored', format: 'responses', script: LONG_REPLY, endsAs: always('completed') },
  { ...PLAIN, name: 'whose client leaves', script: { steps: [...PIECES.slice(0, 1), { type: 'hang' }] }, client: 'leaves', endsAs: always('client_left') },
  {
    ...PLAIN, name: 'whose upstream fails in the middle', endsAs: { stream: 'provider_failed', whole: 'provider_unavailable' },
    script: { steps: [...PIECES.slice(0, 1), { type: 'fail', failure: new ProviderFailure('unavailable', 'broke off') }] },
  },
  { ...PLAIN, name: 'that no upstream serves', script: { refuses: new ProviderFailure('unavailable', 'down'), steps: [] }, endsAs: always('provider_unavailable') },
  { ...PLAIN, name: 'cut where the balance ends', available: '9', script: LONG_REPLY, endsAs: always('balance_exhausted') },
  { ...PLAIN, name: 'that takes what a small balance has', available: '1', script: LONG_REPLY, endsAs: always('balance_exhausted') },
  { ...PLAIN, name: 'that the balance does not cover', available: '0.5', script: LONG_REPLY, endsAs: null },
  { ...PLAIN, name: 'that a limit refuses', prompt: LONG_PROMPT, script: LONG_REPLY, endsAs: null },
];
