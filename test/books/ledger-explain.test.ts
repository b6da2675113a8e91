import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '@tollgate/adapters-node';
import { openPostgresStore } from '@tollgate/adapters-postgres';
import { databases } from '../support/databases.js';
import type { DatabaseLocation } from '@tollgate/sql-common';
import { runTollgate } from '@tollgate/cli';
import { type JsonObject, later, type ProcessId, TOKEN_CLASSES } from '@tollgate/core';
import {
  answersStatus, Gate, type PostgresServer, replies, type ScriptedUpstream, startPostgresServer, startScriptedUpstream, until,
} from '@tollgate/testkit';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';

const HOURS = 3_600_000;
/** Price per million tokens: 0.001 service tokens per prompt token, 0.002 per output token. A service token is a tenth of a cent. */
const PRICE = { prompt: 1000, cached_prompt: 100, output: 2000 };

interface Explanation {
  readonly request_id: string;
  readonly account_id: string;
  readonly reservation: { readonly id: string; readonly state: string; readonly set_aside: string };
  readonly usage: { readonly end_reason: string; readonly svc_tokens_debited: string } | null;
  readonly charge: {
    readonly lines: readonly { readonly token_class: string; readonly tokens: number; readonly per_million: string; readonly usd_per_million: string; readonly amount: string }[];
    readonly sum: string; readonly computed: string; readonly written_off: string; readonly debited: string;
  } | null;
  readonly late: { readonly debited: string; readonly covered_before: string } | null;
  readonly entries: readonly { readonly kind: string; readonly from: string; readonly amount: string; readonly balance_after: string }[];
  readonly agrees: boolean;
}

interface Answer {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

interface Served {
  readonly id: string;
  readonly debited: string | null;
}

function catalogueText(upstream: ScriptedUpstream): string {
  const model = (price: JsonObject): JsonObject => ({ context_window: 128_000, max_output_tokens: 8192, price, targets: [{ upstream: 'scripted', model: 'up' }] });
  return JSON.stringify({
    usd_per_service_token: 0.001,
    minimum_reservation: 0.001,
    upstreams: { scripted: { kind: 'openai', base_url: upstream.baseUrl, api_key: 'upstream-secret' } },
    models: { paid: model(PRICE), free: model({ prompt: 0, output: 0 }) },
  });
}

/** A gateway, and the command line on its database. */
class World {
  private constructor(
    private readonly place: DatabaseLocation, private readonly environment: Readonly<Record<string, string>>,
    readonly upstream: ScriptedUpstream, readonly gateway: EmbeddedGateway,
  ) {}

  static async start(place: DatabaseLocation, folder: string): Promise<World> {
    const upstream = await startScriptedUpstream();
    const catalogue = join(folder, 'catalogue.json');
    writeFileSync(catalogue, catalogueText(upstream));
    const environment = { DATABASE_URL: place.kind === 'sqlite' ? `sqlite:${place.path}` : place.url, CATALOG_FILE: catalogue };
    return new World(place, environment, upstream, await startEmbeddedGateway({ environment, credit: '1000' }));
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.upstream.close();
  }

  async tollgate(...words: readonly string[]): Promise<Answer> {
    let [out, error] = ['', ''];
    const exitCode = await runTollgate(words, { environment: this.environment, folder: tmpdir(), userName: 'olga' }, {
      out: (text) => { out += text; }, error: (text) => { error += text; },
    });
    return { exitCode, out, error };
  }

  async explain(id: string): Promise<Explanation> {
    const { exitCode, out, error } = await this.tollgate('ledger', 'explain', id, '--json');
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${error}${out}`);
    return JSON.parse(out) as Explanation;
  }

  /** Creates an account with this credit, and returns its key. */
  async newKey(name: string, credit: string): Promise<string> {
    const { out } = await this.tollgate('accounts', 'create', '--email', `${name}@example.test`, '--name', name, '--plan', 'pro', '--credit', credit, '--json');
    return (JSON.parse(out) as { readonly key: { readonly secret: string } }).key.secret;
  }

  send(body: JsonObject, more: { readonly key?: string; readonly signal?: AbortSignal } = {}): Promise<Response> {
    return fetch(`${this.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${more.key ?? this.gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'paid', max_tokens: 50, messages: [{ role: 'user', content: 'Tell me something.' }], ...body }),
      signal: more.signal ?? null,
    });
  }

  async serve(body: JsonObject, key = this.gateway.key): Promise<Served> {
    const reply = await this.send(body, { key });
    await reply.text();
    return { id: idOf(reply), debited: reply.headers.get('x-svc-tokens-debited') };
  }

  /** Sweeps as of two hours from now, when the gateway's leases have expired. */
  async sweep(): Promise<void> {
    const clock = new SystemClock();
    const options = { clock, processId: 'proc_sweeper' as ProcessId };
    // The caller's clock decides here, because by the database's own clock the gateway's lease is still valid.
    const store = this.place.kind === 'postgres' ? await openPostgresStore({ url: this.place.url, leaseClock: 'caller', ...options }) : await databases.open(this.place, options);
    await store.ledger.sweep(later(clock.now(), 2 * HOURS));
    await store.close();
  }
}

function idOf(reply: Response): string {
  return reply.headers.get('x-request-id') ?? '';
}

function explainsRealRequests(place: () => Promise<DatabaseLocation>, folder: () => string): void {
  let world: World;
  beforeAll(async () => {
    world = await World.start(await place(), folder());
  });
  afterAll(() => world.close());

  it('explains a finished request by the figures of its reply, from tokens to the ledger', async () => {
    world.upstream.always('*', replies({ text: 'Something.', usage: { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37, prompt_tokens_details: { cached_tokens: 10 } } }));
    const { id, debited } = await world.serve({});
    const explained = await world.explain(id);
    expect(explained.charge?.lines.map(({ token_class, tokens, per_million, usd_per_million, amount }) => [token_class, tokens, per_million, usd_per_million, amount])).toEqual(TOKEN_CLASSES.map(({ name }) => [
      name, ...{ uncached_prompt: [20, '1000', '1', '0.02'], cached_prompt: [10, '100', '0.1', '0.001'], output: [7, '2000', '2', '0.014'] }[name as string] ?? [0, '1000', '1', '0'],
    ]));
    expect(explained).toMatchObject({
      request_id: id, account_id: world.gateway.account.id, agrees: true, late: null,
      reservation: { state: 'settled' }, usage: { end_reason: 'completed' }, charge: { sum: '0.035', computed: '0.035', written_off: '0', debited },
      entries: [{ kind: 'charge', from: world.gateway.account.id, amount: '0.035', balance_after: '999.965' }],
    });
    expect(await world.explain(explained.reservation.id)).toEqual(explained);
  });

  it('prints the explanation of a finished request as text', async () => {
    const { id } = await world.serve({});
    const { exitCode, out } = await world.tollgate('ledger', 'explain', id);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^output +7 +2000 +2 +0\.014$/m);
    expect(out).toMatch(/^ *\d+ +charge +acct_\w+ +system:revenue +0\.035 +\S+Z +999\.93$/m);
    expect(out).toMatch(/^All agree: tokens and prices, reservation, usage record and ledger entries\.$/m);
  });

  it('explains the charge of a disconnected client by the output that was relayed', async () => {
    const gate = new Gate();
    world.upstream.always('*', replies({ text: ['One ', 'two ', 'three'] }, { pauses: [{ before: 3, gate }] }));
    const leaving = new AbortController();
    const reply = await world.send({ stream: true }, { signal: leaving.signal });
    await reply.body?.getReader().read();
    expect((await world.explain(idOf(reply))).usage).toBeNull();
    leaving.abort();
    await until(async () => (await world.explain(idOf(reply))).usage !== null);
    gate.open();
    const explained = await world.explain(idOf(reply));
    expect(explained).toMatchObject({ usage: { end_reason: 'client_left' }, agrees: true });
    expect(Number(explained.charge?.debited)).toBeGreaterThan(0);
    expect(explained.entries.map(({ kind, amount }) => [kind, amount])).toEqual([['charge', explained.charge?.debited]]);
  });

  it('explains a charge beyond the balance by what was paid and what was written off', async () => {
    world.upstream.always('*', replies({ text: 'Something.', usage: { prompt_tokens: 2000, completion_tokens: 7, total_tokens: 2007 } }));
    const { id, debited } = await world.serve({}, await world.newKey('poor', '1'));
    expect([debited, await world.explain(id)]).toEqual(['1', expect.objectContaining({
      agrees: true, charge: expect.objectContaining({ computed: '2.014', debited: '1', written_off: '1.014' }),
      entries: [expect.objectContaining({ kind: 'charge', amount: '1', balance_after: '0' }), expect.objectContaining({ kind: 'write-off', from: 'system:write-offs', amount: '1.014', balance_after: '0' })],
    })]);
  });

  it('explains a request that was swept while it ran by its charge, its late charge and their sum', async () => {
    const gate = new Gate();
    world.upstream.always('*', replies({ text: ['One ', 'two ', 'three'], usage: { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37 } }, { pauses: [{ before: 3, gate }] }));
    const reply = await world.send({ stream: true });
    await reply.body?.getReader().read();
    expect(await world.explain(idOf(reply))).toMatchObject({ reservation: { state: 'held' }, usage: null, entries: [], agrees: true });
    await world.sweep();
    expect(await world.explain(idOf(reply))).toMatchObject({ reservation: { state: 'expired' }, usage: { end_reason: 'crashed' }, agrees: true });
    gate.open();
    await until(async () => (await world.explain(idOf(reply))).late !== null);
    const explained = await world.explain(idOf(reply));
    expect(explained.agrees).toBe(true);
    expect(explained.entries.at(-1)).toMatchObject({ kind: 'late-charge', amount: explained.late?.debited });
    expect(Number(explained.charge?.debited) + Number(explained.late?.debited)).toBeCloseTo(0.044, 6);
    expect((await world.tollgate('ledger', 'explain', idOf(reply))).out).toMatch(/^Charged in total: +0\.044 service tokens$/m);
  });

  it('explains a request to a free model by a charge of zero and no ledger entry', async () => {
    world.upstream.always('*', replies({ text: 'Something.' }));
    const { id } = await world.serve({ model: 'free' });
    expect(await world.explain(id)).toMatchObject({ reservation: { state: 'settled' }, charge: { computed: '0', debited: '0' }, entries: [], agrees: true });
    expect((await world.tollgate('ledger', 'explain', id)).out).toContain('No ledger entry: a charge of zero has none.');
  });

  it('explains that a request that no upstream served has no charge', async () => {
    world.upstream.always('*', answersStatus(400));
    const { id } = await world.serve({});
    expect(await world.explain(id)).toMatchObject({ reservation: { state: 'released' }, charge: { lines: [], debited: '0' }, entries: [], agrees: true });
  });

  it('fails for a refused request with a clear error and exit code 1', async () => {
    const { id } = await world.serve({}, await world.newKey('broke', '0'));
    expect(id).toMatch(/^req_/);
    expect(await world.tollgate('ledger', 'explain', id)).toEqual({
      exitCode: 1, out: '', error: `error: the ledger has no request or reservation ${id}: the request was refused before a reservation was made, or never sent\n`,
    });
  });
}

describe('ledger explain', () => {
  let folder: string;
  let postgres: PostgresServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-explain-'));
    postgres = await startPostgresServer();
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  describe('on SQLite', () => {
    explainsRealRequests(() => Promise.resolve({ kind: 'sqlite', path: join(folder, 'tollgate.db') }), () => folder);
  });
  describe('on PostgreSQL', () => {
    explainsRealRequests(() => Promise.resolve({ kind: 'postgres', url: postgres.url() }), () => folder);
  });
});
