import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant, type JsonObject, type PlanId } from '@tollgate/core';
import { type ScriptedUpstream, startScriptedUpstream } from '@tollgate/testkit';
import { services } from '../../../src/composition/services.js';
import { createLog } from '../../../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../../src/test-support/start-embedded-gateway.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from '../../acceptance/support/scripted-catalogue.js';
import { FuzzClient } from './http-client.js';
import { STORED_RESPONSES } from './stored-responses.js';

/** Concurrency limit of the account. Requests are sequential, so two slots that are not released make a later request fail. */
const CONCURRENT_REQUESTS = 2;

function catalogue(upstream: ScriptedUpstream): JsonObject {
  const everything = { attribution: 'sent', stop_sequence_limit: 2 };
  const reasons = { more: { reasoning: true } };
  return catalogueFile(
    {
      sandbox: { kind: 'sandbox' },
      openai: scriptedEntry(upstream, { ...everything, reasoning_style: 'thinking' }),
      anthropic: scriptedEntry(upstream, { ...everything, kind: 'anthropic' }),
      responses: scriptedEntry(upstream, { attribution: 'sent', kind: 'responses' }),
    },
    {
      'sandboxed': modelEntry('sandboxed', { upstream: 'sandbox', ...reasons }),
      'by-openai': modelEntry('by-openai', { upstream: 'openai', more: { reasoning: true, aliases: ['gpt-*'] } }),
      'by-anthropic': modelEntry('by-anthropic', { upstream: 'anthropic', ...reasons }),
      'by-responses': modelEntry('by-responses', { upstream: 'responses', ...reasons }),
    },
    { fuzz: { ...AMPLE_PLAN, concurrent_requests: CONCURRENT_REQUESTS } },
  );
}

interface Parts {
  readonly upstream: ScriptedUpstream;
  readonly embedded: EmbeddedGateway;
  readonly folder: string;
}

/** A mutated reply may cause this alert without any fault of the gateway. */
const CREDENTIALS_ALERT = 'an upstream refuses the gateway’s credentials';

function isAlert({ msg }: JsonObject): boolean {
  return typeof msg === 'string' && msg.startsWith(CREDENTIALS_ALERT);
}

/** A real gateway on a socket with an in-memory database, a model server, and one client. */
export class FuzzWorld {
  readonly client: FuzzClient;
  /** Errors in the log that no case may cause. */
  readonly logged: JsonObject[];

  private constructor(private readonly parts: Parts, logged: JsonObject[]) {
    this.client = new FuzzClient(parts.embedded.url, parts.embedded.key);
    this.logged = logged;
  }

  static async start(): Promise<FuzzWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-fuzz-'));
    const upstream = await startScriptedUpstream();
    writeFileSync(join(folder, 'catalog.yaml'), JSON.stringify(catalogue(upstream)));
    const logged: JsonObject[] = [];
    const log = createLog('error', {
      write: (line) => {
        const entry = JSON.parse(line) as JsonObject;
        if (!isAlert(entry)) logged.push(entry);
      },
    });
    const embedded = await startEmbeddedGateway({
      environment: { CATALOG_FILE: join(folder, 'catalog.yaml') }, services: { log }, planId: 'fuzz' as PlanId, credit: '1000000000',
    });
    return new FuzzWorld({ upstream, embedded, folder }, logged);
  }

  get upstream(): ScriptedUpstream {
    return this.parts.upstream;
  }

  /** Stores the responses that requests refer to, because earlier requests may have deleted them, and replies evicted them. */
  async storeResponses(): Promise<void> {
    const { gateway, account } = this.parts.embedded;
    const store = gateway.container.get(services.responses);
    for (const response of STORED_RESPONSES) await store.keep({ ...response, inputItems: Buffer.from(response.inputItems), accountId: account.id, expiresAt: instant(Number.MAX_SAFE_INTEGER) });
  }

  async reserved(): Promise<string> {
    const { gateway, account } = this.parts.embedded;
    const balance = await gateway.container.get(services.ledger).balanceOf(account.id);
    return balance === null ? 'none' : balance.reserved.toString();
  }

  /** Resolves once nothing is reserved, even if a client disconnected. Throws after five seconds. */
  async settled(): Promise<void> {
    const deadline = performance.now() + 5_000;
    while (await this.reserved() !== '0') {
      if (performance.now() > deadline) throw new Error(`${await this.reserved()} service tokens stay reserved`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async differences(): Promise<readonly unknown[]> {
    return (await this.parts.embedded.gateway.container.get(services.ledgerAudit).verify()).differences;
  }

  async close(): Promise<void> {
    const { upstream, embedded, folder } = this.parts;
    this.client.close();
    await upstream.close();
    await embedded.close();
    rmSync(folder, { recursive: true });
  }
}
