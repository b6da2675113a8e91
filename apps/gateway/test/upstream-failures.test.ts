import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { instant, type JsonObject, type PlanId } from '@tollgate/core';
import { answersStatus, breaksAfter, replies, resetsBeforeHeaders, type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { createLog } from '../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';
import { addCaller } from '../src/test-support/start-test-gateway.js';
import { eventually } from '../src/test-support/test-client.js';
import { catalogueFile, modelEntry, scriptedEntry } from './acceptance/support/scripted-catalogue.js';

const PROBLEM = 'an upstream did not serve a request';

describe('a refusal or failure of an upstream', () => {
  let upstream: ScriptedUpstream;
  let gateway: EmbeddedGateway;
  let folder: string;
  let clock: ManualClock;
  let lines: JsonObject[];
  let written: string;

  beforeEach(async () => {
    upstream = await startScriptedUpstream();
    folder = mkdtempSync(join(tmpdir(), 'tollgate-upstreams-'));
    const path = join(folder, 'catalog.yaml');
    const models = { primary: modelEntry('primary', { fallbacks: ['backup'] }), lonely: modelEntry('lonely'), backup: modelEntry('backup', { upstream: 'second' }) };
    writeFileSync(path, JSON.stringify(catalogueFile({ scripted: scriptedEntry(upstream), second: scriptedEntry(upstream) }, models)));
    clock = new ManualClock(instant(Date.UTC(2026, 10, 22)));
    lines = [];
    written = '';
    const log = createLog('info', {
      write: (line) => {
        written += line;
        lines.push(JSON.parse(line) as JsonObject);
      },
    });
    gateway = await startEmbeddedGateway({ environment: { CATALOG_FILE: path }, services: { clock, log }, planId: 'ample' as PlanId });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  async function balanceOf(key: string): Promise<JsonObject> {
    const { balance } = await (await fetch(`${gateway.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).json() as { readonly balance: JsonObject };
    expect(balance).toBeDefined();
    return balance;
  }

  async function ask(model: string, { key = gateway.key, stream = false, text = 'Hi' } = {}): Promise<{ readonly status: number; readonly text: string; readonly id: string; readonly retryAfter: string | null }> {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, max_tokens: 20, messages: [{ role: 'user', content: text }] }),
    });
    return { status: reply.status, text: await reply.text(), id: reply.headers.get('x-request-id') ?? '', retryAfter: reply.headers.get('retry-after') };
  }

  const warnings = (id: string): readonly JsonObject[] => lines.filter(({ requestId, level }) => requestId === id && (level as number) >= 40);

  it('is logged as one warning with the reason if the request fails; clients do not see the reason', async () => {
    upstream.always('up-lonely', answersStatus(500, { error: { code: 500, message: 'image input is\nnot supported \u001b[31m(key upstream-secret)' } }));
    const { status, text, id } = await ask('lonely');
    expect(status).toBe(503);
    expect(text).not.toContain('image input');
    expect(warnings(id)).toMatchObject([{
      level: 40, msg: PROBLEM, requestId: id, upstream: 'scripted', model: 'lonely', upstreamModel: 'up-lonely', status: 500, reason: 'server-error',
      problem: 'the upstream answered with status 500', upstreamSaid: 'image input is not supported \\u001b[31m(key [redacted])',
    }]);
    expect(written).not.toMatch(/upstream-secret|"stack"|\.js:\d/);
  });

  it('is logged as one warning if a fallback serves instead', async () => {
    upstream.always('up-primary', answersStatus(503, { error: { message: 'loading' } }));
    const { status, id } = await ask('primary');
    expect(status).toBe(200);
    expect(warnings(id)).toMatchObject([{ msg: PROBLEM, upstream: 'scripted', model: 'primary', status: 503, upstreamSaid: 'loading' }]);
  });

  it('is logged as one warning if the upstream rejects the request', async () => {
    upstream.always('up-lonely', answersStatus(400, { error: { message: 'unknown parameter' } }));
    const { status, id } = await ask('lonely');
    expect(status).toBe(400);
    expect(warnings(id)).toMatchObject([{ msg: PROBLEM, status: 400, reason: 'refused', upstreamSaid: 'unknown parameter' }]);
  });

  it('is logged as one warning if the upstream closes the connection', async () => {
    upstream.always('up-lonely', resetsBeforeHeaders());
    const { id } = await ask('lonely');
    expect(warnings(id)).toMatchObject([{ msg: PROBLEM, status: null, reason: 'hung-up', upstreamSaid: expect.stringMatching(/ECONNRESET|closed/) }]);
  });

  it('is logged as one warning if it happens during a stream', async () => {
    upstream.always('up-lonely', breaksAfter(2, { error: { message: 'out of memory' } }));
    const { status, text, id } = await ask('lonely', { stream: true });
    expect([status, text.includes('provider_unavailable')]).toEqual([200, true]);
    expect(warnings(id)).toMatchObject([{ msg: PROBLEM, reason: 'server-error', upstreamSaid: 'out of memory' }]);
  });

  it('is also logged as an alert, at most once a minute, if the upstream rejects the gateway’s credentials', async () => {
    upstream.always('up-lonely', answersStatus(401, { error: { message: 'Incorrect API key' } }));
    const alerts = (): number => lines.filter(({ level, upstream: id }) => level === 50 && id === 'scripted').length;
    await ask('lonely');
    expect((await ask('lonely')).status).toBe(503);
    expect(alerts()).toBe(1);
    clock.advance(60_000);
    await ask('lonely');
    expect(alerts()).toBe(2);
  });

  it('with status 500 does not make the model unavailable to other accounts, however often one account causes it', async () => {
    const other = await addCaller(gateway.gateway, 'other', { planId: 'ample' as PlanId, credit: '1000' });
    upstream.always('up-lonely', answersStatus(500, { error: { message: 'image input is not supported' } }));
    for (let count = 0; count < 10; count += 1) await ask('lonely');
    upstream.always('up-lonely', replies({ text: 'Served.' }));
    expect((await ask('lonely', { key: other.key })).status).toBe(200);
  });

  it('does not affect other accounts while one account makes the upstream reset connections, and the probe of the upstream is free', async () => {
    const other = await addCaller(gateway.gateway, 'other', { planId: 'ample' as PlanId, credit: '1000' });
    upstream.always('up-lonely', (request) => (JSON.stringify(request.body).includes('poison') ? resetsBeforeHeaders() : replies({ text: 'Served.' }))(request));
    const before = await balanceOf(gateway.key);
    const statuses: number[] = [];
    const attacks: number[] = [];
    for (let count = 0; count < 100; count += 1) {
      for (let attack = 0; attack < (count % 10 === 0 ? 6 : 0); attack += 1) attacks.push((await ask('lonely', { text: 'poison' })).status);
      statuses.push((await ask('lonely', { key: other.key })).status);
      clock.advance(500);
    }
    expect([attacks, statuses]).toEqual([attacks.map(() => 503), statuses.map(() => 200)]);
    expect(lines.filter(({ outcome }) => outcome !== undefined)).toMatchObject([{ upstreamModel: 'up-lonely', requestId: expect.stringMatching(/^probe_/), outcome: 'answered' }]);
    expect(await balanceOf(gateway.key)).toEqual(before);
  });

  it('that keeps happening suspends the model for ten seconds; Retry-After and the log state this', async () => {
    upstream.always('up-lonely', resetsBeforeHeaders());
    for (let count = 0; count < 5; count += 1) await ask('lonely');
    await eventually(() => lines.some(({ msg }) => (msg as string).includes('opened')));
    clock.advance(3_000);
    const { status, retryAfter, id } = await ask('lonely');
    expect([status, retryAfter, upstream.requests.length]).toEqual([503, '7', 6]);
    expect(warnings(id)).toMatchObject([{ msg: 'a request could not be served', problems: ['upstream scripted keeps failing, so its circuit is open'] }]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, upstream: 'scripted', upstreamModel: 'up-lonely', msg: expect.stringContaining('10 seconds') }));
    upstream.always('up-lonely', replies({ text: 'Served.' }));
    expect((await ask('backup')).status).toBe(200);
    clock.advance(7_000);
    expect((await ask('lonely')).status).toBe(200);
    expect(lines).toContainEqual(expect.objectContaining({ level: 30, upstreamModel: 'up-lonely', msg: 'a circuit breaker has closed: the upstream serves the model again' }));
  });
});
