import { ManualClock } from '@tollgate/adapters-memory';
import { instant, type JsonObject, type UsageRecord } from '@tollgate/core';
import type { Behaviour, ScriptedUpstream } from '@tollgate/testkit';
import { createLog } from '../../../src/observability/create-log.js';
import { AcceptanceWorld } from '../../acceptance/support/acceptance-world.js';
import { type Delivery, DELIVERIES, type Figures, figuresOf, type Format, FORMATS } from '../../acceptance/support/formats.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from '../../acceptance/support/scripted-catalogue.js';

export const KINDS = ['openai', 'anthropic', 'responses'] as const;
export type Kind = (typeof KINDS)[number];

/** All combinations of a client's format, a delivery and a kind of upstream. */
export const PATHS: readonly (readonly [client: string, delivery: Delivery, kind: Kind, format: Format])[] = FORMATS.flatMap((format) =>
  DELIVERIES.flatMap((delivery) => KINDS.map((kind) => [format.name, delivery, kind, format] as const)));

function catalogue(upstream: ScriptedUpstream): JsonObject {
  const entries = KINDS.map((kind): [string, JsonObject] => [kind, scriptedEntry(upstream, { kind, ...(kind === 'anthropic' ? { base_url: upstream.origin } : {}) })]);
  const models = KINDS.flatMap((kind): readonly [string, JsonObject][] => [
    [kind, modelEntry(kind, { upstream: kind, fallbacks: ['backup'] })],
    [`lonely-${kind}`, modelEntry(`lonely-${kind}`, { upstream: kind })],
    [`thinking-${kind}`, modelEntry(`thinking-${kind}`, { upstream: kind, more: { reasoning: true } })],
  ]);
  return catalogueFile(Object.fromEntries([...entries, ['second', scriptedEntry(upstream)]]), Object.fromEntries([...models, ['backup', modelEntry('backup', { upstream: 'second' })]]), { ample: AMPLE_PLAN });
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly stop: string | null;
  /** Error code in the stream, or of the error that replaced the reply; `null` without an error. */
  readonly error: string | null;
  readonly body: string;
  readonly record: UsageRecord | null;
  readonly charged: Figures | null;
}

/** A gateway with three models for each kind of upstream: one with a fallback, `lonely-…` without one, and `thinking-…`, which reasons. */
export class ReplyWorld {
  private constructor(readonly world: AcceptanceWorld, readonly clock: ManualClock, readonly lines: JsonObject[]) {}

  static async start(): Promise<ReplyWorld> {
    const clock = new ManualClock(instant(Date.UTC(2026, 10, 28)));
    const lines: JsonObject[] = [];
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as JsonObject) });
    const world = await AcceptanceWorld.start({
      catalogue, planId: 'ample', services: { clock, log }, environment: () => ({ METRICS_PORT: '0' }),
    });
    return new ReplyWorld(world, clock, lines);
  }

  /** Sets how the upstream answers the next request for a model. */
  script(model: string, behaviour: Behaviour): void {
    this.world.upstream.script(`up-${model}`, behaviour);
  }

  async ask(format: Format, delivery: Delivery, model: string, fields: JsonObject = {}): Promise<Answer> {
    const reply = await this.world.post(format.path, format.body(model, 'Hi', { ...fields, stream: delivery === 'stream' }));
    const body = await reply.text();
    const record = await this.world.recordOf(reply);
    const outcome = { status: reply.status, body, record, charged: record === null ? null : figuresOf(record) };
    if (reply.status !== 200) return { ...outcome, text: '', stop: null, error: (JSON.parse(body) as { error: { code: string } }).error.code };
    if (delivery === 'whole') return { ...outcome, error: null, ...format.readWhole(JSON.parse(body) as JsonObject) };
    const { text, stop, error } = format.readStream(body);
    return { ...outcome, text, stop, error: (error as { readonly code?: string } | null)?.code ?? null };
  }

  /** Samples of a metric whose value is not 0. */
  async samplesOf(metric: string): Promise<readonly string[]> {
    const reply = await fetch(this.world.gateway.metricsUrl ?? '');
    return (await reply.text()).split('\n').filter((line) => line.startsWith(metric) && !line.endsWith(' 0'));
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
