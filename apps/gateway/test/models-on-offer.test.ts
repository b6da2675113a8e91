import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { JsonObject } from '@tollgate/core';
import { answersStatus, replies, sendsRaw, type ScriptedUpstream, startScriptedUpstream, until } from '@tollgate/testkit';
import { services } from '../src/composition/services.js';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { type EmbeddedGateway, type EmbeddedGatewayOptions, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

const MODELS = [{ id: 'makers/first', object: 'model' }, { id: 'second', object: 'model' }];

let clock: ManualClock;
let gateway: EmbeddedGateway;
let upstream: ScriptedUpstream;
let folder: string;

beforeEach(async () => {
  clock = new ManualClock();
  upstream = await startScriptedUpstream({ models: MODELS });
  folder = mkdtempSync(join(tmpdir(), 'tollgate-models-'));
});

afterEach(async () => {
  await gateway.close();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

async function start(environment: EmbeddedGatewayOptions['environment']): Promise<void> {
  gateway = await startEmbeddedGateway({ environment: environment ?? {}, services: { clock } });
}

function modelsInForce(): readonly string[] {
  return gateway.gateway.container.get(services.catalogue).current().models.map(({ slug }) => slug);
}

function timesAsked(): number {
  return upstream.requests.filter(({ method }) => method === 'GET').length;
}

/** A minute of the clock takes more than half a second of the test. */
const STEP_MILLISECONDS = 100;
const MAX_WAIT_MILLISECONDS = 60_000;

/** Advances the clock in steps so small that the server can respond in between. */
function passTimeUntil(condition: () => boolean): Promise<void> {
  return until(() => {
    clock.advance(STEP_MILLISECONDS);
    return condition();
  }, MAX_WAIT_MILLISECONDS, 1);
}

async function ask(path: string, body: object): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...bodyOfEveryFormat('Hi', 100), ...body }),
  });
}

describe('the server in UPSTREAM_BASE_URL', () => {
  it.each(FORMATS)('has its models served under their own ids in the $name format, whole and streamed', async (format) => {
    await start({ UPSTREAM_BASE_URL: upstream.baseUrl });
    expect(modelsInForce()).toEqual(['makers/first', 'second']);
    upstream.always('*', replies({ text: ['Hello ', 'from upstream'] }));
    const whole = await ask(format.path, { model: 'makers/first' });
    expect(format.readWhole((await whole.json()) as JsonObject)).toMatchObject({ text: 'Hello from upstream', model: 'makers/first' });
    const streamed = await ask(format.path, { model: 'second', stream: true });
    expect(format.readStream(await streamed.text())).toMatchObject({ text: 'Hello from upstream', error: null });
  });

  it('is polled until it lists its models, which are then served without a restart', async () => {
    let failures = 2;
    upstream.scriptModels((asking) => (failures-- > 0 ? answersStatus(503)(asking) : sendsRaw(JSON.stringify({ data: MODELS }), 'application/json')(asking)));
    await start({ UPSTREAM_BASE_URL: upstream.baseUrl });
    expect((await ask('/v1/messages', { model: 'second' })).status).toBe(503);
    await passTimeUntil(() => modelsInForce().length > 0);
    expect((await ask('/v1/messages', { model: 'second' })).status).toBe(200);
  });

  it('is polled every minute: new models are served, and if it lists none, the old ones remain', async () => {
    let told: readonly object[] = MODELS;
    upstream.scriptModels((asking) => sendsRaw(JSON.stringify({ data: told }), 'application/json')(asking));
    await start({ UPSTREAM_BASE_URL: upstream.baseUrl });
    clock.advance(59_999);
    expect(timesAsked()).toBe(1);
    told = [{ id: 'second' }, { id: 'third' }];
    await passTimeUntil(() => modelsInForce().includes('third'));
    told = [];
    const before = timesAsked();
    await passTimeUntil(() => timesAsked() >= before + 2);
    expect(modelsInForce()).toEqual(['second', 'third']);
    told = [{ id: 'fourth' }];
    await passTimeUntil(() => modelsInForce().includes('fourth'));
    expect(modelsInForce()).toEqual(['fourth']);
    expect((await ask('/v1/messages', { model: 'fourth' })).status).toBe(200);
  });
});

describe('a catalogue file', () => {
  function catalogueOf(...slugs: readonly string[]): string {
    const models = slugs.map((slug) => `  ${slug}:
    context_window: 8000
    max_output_tokens: 1000
    price: { prompt: 1, output: 2 }
    targets: [{ upstream: here, model: ${slug} }]`);
    return `usd_per_service_token: 0.001\nupstreams:\n  here:\n    kind: openai\n    base_url: ${upstream.baseUrl}\nmodels:\n${models.join('\n')}\n`;
  }

  it('takes effect without a restart when it changes, unless it has an error', async () => {
    const file = join(folder, 'catalog.yaml');
    writeFileSync(file, catalogueOf('one'));
    await start({ CATALOG_FILE: file });
    expect(modelsInForce()).toEqual(['one']);
    writeFileSync(file, catalogueOf('one', 'another'));
    clock.advance(2000);
    expect(modelsInForce()).toEqual(['one', 'another']);
    expect((await ask('/v1/messages', { model: 'another' })).status).toBe(200);
    writeFileSync(file, 'models: nothing of the kind');
    clock.advance(2000);
    expect(modelsInForce()).toEqual(['one', 'another']);
  });
});
