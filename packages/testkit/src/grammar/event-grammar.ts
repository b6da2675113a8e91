import type { BlockOpening, GenerationEvent, GenerationEventBatch, ProviderEvent, ProviderEventBatch } from '@tollgate/core';

/** The number (from 0) and text of the frame that violates the grammar. */
export class GrammarBreach extends Error {
  override readonly name = 'GrammarBreach';

  constructor(readonly frame: number, why: string, text: string) {
    super(`frame ${frame}: ${why}: ${JSON.stringify(text)}`);
  }
}

/** Asserts what the grammar requires of the current frame. */
export type Demand = (condition: boolean, why: string) => asserts condition;

type Event = GenerationEvent | ProviderEvent;

/** State of the sequence between two events. */
class EventReading {
  #open: BlockOpening['type'] | null = null;
  #nextIndex = 0;
  #started: boolean;
  ended = false;

  constructor(private readonly kind: 'provider' | 'generation') {
    this.#started = kind === 'provider';
  }

  read(event: Event, demand: Demand): void {
    demand(!this.ended, 'nothing follows the end');
    demand(this.#started === (event.type !== 'generation-start'), 'a generation begins with its start, and only once');
    switch (event.type) {
      case 'generation-start': this.#started = true; return;
      case 'block-start': return this.#startBlock(event.index, event.block.type, demand);
      case 'block-delta':
        demand(this.#open !== null && event.index === this.#nextIndex, 'a delta belongs to the open block');
        return demand(event.delta !== '', 'a delta is not empty');
      case 'block-end': return this.#endBlock(event.index, event.signature, demand);
      case 'provider-report': return demand(this.kind === 'provider' && (this.#open !== null || this.#nextIndex > 0), 'a report comes from a provider, after an event');
      case 'provider-end': return this.#end('provider', demand);
      case 'generation-end': return this.#end('generation', demand);
    }
  }

  #startBlock(index: number, type: BlockOpening['type'], demand: Demand): void {
    demand(this.#open === null, 'blocks do not interleave');
    demand(index === this.#nextIndex, 'indices count blocks from 0 without gaps');
    this.#open = type;
  }

  #endBlock(index: number, signature: string | null, demand: Demand): void {
    demand(this.#open !== null && index === this.#nextIndex, 'the block that ends is the open one');
    demand(signature === null || this.#open === 'thinking', 'only thinking is signed');
    this.#open = null;
    this.#nextIndex += 1;
  }

  #end(kind: 'provider' | 'generation', demand: Demand): void {
    demand(kind === this.kind, 'the end is of the same kind as the sequence');
    demand(this.#open === null, 'the end comes after the last block has ended');
    this.ended = true;
  }
}

function check(batches: readonly (readonly Event[])[], kind: 'provider' | 'generation'): EventReading {
  const reading = new EventReading(kind);
  let number = 0;
  for (const batch of batches) {
    if (batch.length === 0 && kind === 'provider') throw new GrammarBreach(number, 'a batch is not empty', '');
    for (const event of batch) {
      reading.read(event, (condition, why) => {
        if (!condition) throw new GrammarBreach(number, why, JSON.stringify(event));
      });
      number += 1;
    }
  }
  return reading;
}

/** Throws `GrammarBreach` at the first event that violates the port's contract, or if the end is missing. */
export function checkProviderEvents(batches: readonly ProviderEventBatch[]): void {
  if (!check(batches, 'provider').ended) throw new GrammarBreach(batches.flat().length, 'the provider stops before its end', '');
}

/** Throws `GrammarBreach` at the first event that an encoder must not receive. */
export function checkGenerationEvents(batches: readonly GenerationEventBatch[]): 'ended' | 'broken-off' {
  return check(batches, 'generation').ended ? 'ended' : 'broken-off';
}

/** Comments have no data. */
export interface SseFrame {
  readonly number: number;
  readonly text: string;
  readonly event: string | null;
  readonly data: string | null;
}

const FRAME_END = '\n\n';
const FRAME = /^(?:: [^\r\n]*|(?:event: (?<event>[a-z_.]+)\n)?data: (?<data>[^\r\n]+))$/;

/** Splits a stream into frames. Allows only comments, and one data line with at most one event line before it. */
export function sseFramesOf(stream: string): readonly SseFrame[] {
  const texts = stream.split(FRAME_END);
  const rest = texts.pop() ?? '';
  if (rest !== '') throw new GrammarBreach(texts.length, 'the stream ends within a frame', rest);
  return texts.map((text, number) => {
    const parts = FRAME.exec(text);
    if (parts === null) throw new GrammarBreach(number, 'not a frame', text);
    return { number, text, event: parts.groups?.['event'] ?? null, data: parts.groups?.['data'] ?? null };
  });
}

export type Shape = Readonly<Record<string, unknown>>;

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

export function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON of a data line. Must be an object. */
export function parseShape(json: string, demand: Demand): Shape {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (thrown) {
    demand(false, `its data is no JSON (${String(thrown)})`);
  }
  demand(isShape(value), 'its data must be an object');
  return value;
}

export function demandKeys(shape: Shape, keys: readonly string[], demand: Demand): void {
  const found = Object.keys(shape);
  demand(found.length === keys.length && keys.every((key) => key in shape), `must have exactly the keys ${keys.join(', ')}, not ${found.join(', ')}`);
}

export function demandCounts(shape: Shape, names: readonly string[], demand: Demand): void {
  for (const name of names) demand(Number.isSafeInteger(shape[name]) && Number(shape[name]) >= 0, `${name} must be a count`);
}

/**
 * The service's own fields at the end of a stream: plain decimal strings and one boolean. While the settlement is pending, `svc_settlement`
 * replaces the balance.
 */
export function receiptFieldsOf(shape: Shape): readonly string[] {
  return ['svc_tokens_debited', 'svc_cost_usd', 'svc_settlement' in shape ? 'svc_settlement' : 'svc_balance_tokens', 'svc_fallback_used'];
}

export function demandReceipt(shape: Shape, demand: Demand): void {
  for (const name of receiptFieldsOf(shape)) {
    const value = shape[name];
    if (name === 'svc_settlement') demand(value === 'pending', `${name} must be pending`);
    else if (name === 'svc_fallback_used') demand(typeof value === 'boolean', `${name} must be true or false`);
    else demand(typeof value === 'string' && DECIMAL.test(value), `${name} must be a plain decimal string`);
  }
}

/** The error fields that all formats share. */
export function demandError(error: unknown, demand: Demand): asserts error is Shape {
  demand(isShape(error), 'an error must be an object');
  for (const name of ['message', 'type', 'code', 'request_id']) {
    demand(typeof error[name] === 'string' && error[name] !== '', `the error must have a ${name}`);
  }
}
