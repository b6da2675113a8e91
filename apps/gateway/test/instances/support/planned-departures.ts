import type { JsonObject } from '@tollgate/core';
import { type Behaviour, Gate, type Pause, replies, SeededRandom } from '@tollgate/testkit';
import { type Format, FORMATS } from '../../acceptance/support/formats.js';
import { type Manner, MANNERS } from './departing-client.js';

/** When the client disconnects: the request is sent, it is at the upstream, some bytes have arrived, or the reply is written. */
export type Moment = 'sent' | 'at-upstream' | 'bytes' | 'written';
/** `in-step`: the upstream sends a piece only when the previous piece has been relayed. `at-once`: it does not wait. */
export type Pace = 'in-step' | 'at-once';

/** A stream whose client disconnects as planned, unless the reply ends first. */
export interface PlannedDeparture {
  readonly number: number;
  readonly format: Format;
  readonly model: string;
  readonly moment: Moment;
  readonly leavesAfterBytes: number;
  readonly leavesBy: Manner;
  readonly pace: Pace;
  /** Chunks of output; each character is a token. */
  readonly pieces: readonly string[];
  /** Gate n lets the upstream send piece n + 1. */
  readonly gates: readonly Gate[];
  readonly behaviour: Behaviour;
  readonly body: JsonObject;
}

/** One model per kind of upstream. */
export const MODELS = ['by-openai', 'by-anthropic', 'by-responses'] as const;

const SHARES = { sent: 0.08, atUpstream: 0.12, written: 0.12, long: 0.08, single: 0.6, unreported: 0.5, atOnce: 0.3 };
const LONG_PIECE = 1500;
/** Upper bounds: `head` for the number of bytes before the first piece, `frame` for the number of bytes of one frame. */
const BYTES = { head: 900, frame: 330 };

/** Number of frames that each upstream sends before the first piece. */
const FRAMES_BEFORE: Readonly<Record<(typeof MODELS)[number], number>> = { 'by-openai': 1, 'by-anthropic': 3, 'by-responses': 3 };

function momentOf(random: SeededRandom): Moment {
  const dealt = random.fraction();
  if (dealt < SHARES.sent) return 'sent';
  if (dealt < SHARES.sent + SHARES.atUpstream) return 'at-upstream';
  return dealt < SHARES.sent + SHARES.atUpstream + SHARES.written ? 'written' : 'bytes';
}

function piecesOf(random: SeededRandom): readonly string[] {
  if (random.fraction() < SHARES.long) return Array.from({ length: random.between(2, 5) }, () => 'é'.repeat(LONG_PIECE));
  const longest = random.fraction() < SHARES.single ? 1 : 7;
  return Array.from({ length: random.between(1, 24) }, () => 'x'.repeat(random.between(1, longest)));
}

function plan(number: number, random: SeededRandom): PlannedDeparture {
  const format = FORMATS[number % FORMATS.length] ?? random.pick(FORMATS);
  const model = MODELS[Math.floor(number / FORMATS.length) % MODELS.length] ?? random.pick(MODELS);
  const moment = momentOf(random);
  const pieces = piecesOf(random);
  const output = pieces.join('').length;
  // Pieces written at once reach the client in few reads, the last of which may contain several chunks and the end.
  const pace: Pace = moment === 'written' || random.fraction() < SHARES.atOnce ? 'at-once' : 'in-step';
  const gates = pieces.map(() => new Gate());
  const held: readonly Pause[] = moment === 'at-upstream' ? [{ before: random.pick(['headers', 1]), gate: new Gate() }] : [];
  const inStep = pace === 'at-once' ? [] : gates.map((gate, position) => ({ before: FRAMES_BEFORE[model] + position + 1, gate }));
  const usage = { prompt_tokens: 9, completion_tokens: output, total_tokens: 9 + output };
  return {
    number, format, model, moment, pace, pieces, gates,
    leavesAfterBytes: moment === 'bytes' ? random.between(1, BYTES.head + pieces.length * BYTES.frame + 2 * output) : Infinity,
    leavesBy: MANNERS[Math.floor(number / (FORMATS.length * MODELS.length)) % MANNERS.length] ?? random.pick(MANNERS),
    behaviour: replies({ text: pieces, usage, usagePlace: random.fraction() < SHARES.unreported ? 'nowhere' : 'last-chunk' }, { pauses: [...held, ...inStep] }),
    body: format.body(model, `Request ${number}.`, { stream: true, max_tokens: 8000, ...attribution(format, number) }),
  };
}

/** The number of a request, read from its body. */
export function numberIn(rawBody: string): number {
  return Number(/Request (\d+)\./.exec(rawBody)?.[1]);
}

/** The attribution of a request, by which the test finds a usage record without the request's id. */
export function attributionOf(number: number): string {
  return `stream-${number}`;
}

function attribution({ name }: Format, number: number): JsonObject {
  return name === 'messages' ? { metadata: { user_id: attributionOf(number) } } : { user: attributionOf(number) };
}

/** The same seed gives the same plan; formats, upstream kinds and manners rotate. */
export function planDepartures(seed: number, count: number): readonly PlannedDeparture[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, number) => plan(number, random));
}
