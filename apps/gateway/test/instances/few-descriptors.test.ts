import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AMPLE_PLAN, catalogueFile, modelEntry } from '../acceptance/support/scripted-catalogue.js';
import { eventually, RawConnection } from '../../src/test-support/test-client.js';
import { compileGateway, GatewayProgram } from './support/gateway-program.js';

const STARTING_MILLISECONDS = 60_000;
const DESCRIPTORS = 256;
/** Descriptors that the gateway uses for sockets; it keeps 48 for the database and other files. */
const MAX_FOR_SOCKETS = DESCRIPTORS - 48;
const GENERATIONS = 150;
const IDLE = 150;
const EVENT = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'up-m', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] })}\n\n`;
const END = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'up-m', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

let folder: string;
let upstream: Server;
let held: ServerResponse[];
let program: GatewayProgram;
let key: string;
const connections: RawConnection[] = [];

beforeAll(async () => {
  await compileGateway();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-descriptors-'));
  held = [];
  upstream = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT);
      held.push(response);
    });
  });
  await new Promise<void>((resolve) => {
    upstream.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  const catalogue = catalogueFile({ scripted: { kind: 'openai', base_url: `http://127.0.0.1:${port}/v1` } }, { m: modelEntry('m') }, { pro: AMPLE_PLAN });
  writeFileSync(join(folder, 'catalogue.yaml'), JSON.stringify(catalogue));
  const environment = { PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, CATALOG_FILE: join(folder, 'catalogue.yaml'), SECRET_FILE: join(folder, 'secret'), MAIL_FOLDER: join(folder, 'mail') };
  program = await GatewayProgram.startWithLog(environment, folder, { descriptors: DESCRIPTORS });
  key = /sk-[\w-]{20,}/.exec(program.printed)?.[0] ?? '';
}, STARTING_MILLISECONDS);

afterAll(async () => {
  for (const connection of connections) connection.destroy();
  for (const response of held) response.destroy();
  await program.stop();
  upstream.closeAllConnections();
  await new Promise((resolve) => {
    upstream.close(resolve);
  });
  rmSync(folder, { recursive: true });
}, STARTING_MILLISECONDS);

async function ask(): Promise<RawConnection> {
  const connection = await RawConnection.open(program.url);
  connections.push(connection);
  const body = JSON.stringify({ model: 'm', stream: true, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] });
  void connection.send(`POST /v1/chat/completions HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return connection;
}

it('the descriptor table never fills up, although generations and connections need more descriptors than it has', async () => {
  const customers: RawConnection[] = [];
  let most = 0;
  for (let sent = 0; sent < GENERATIONS; sent += 1) {
    // Other clients open as many idle connections as the gateway accepts.
    if (sent < IDLE) connections.push(await RawConnection.open(program.url));
    const customer = await ask();
    customers.push(customer);
    await eventually(() => customer.received.includes('Hello') || customer.received.includes('"error"') || customer.isClosed);
    most = Math.max(most, program.descriptors);
  }
  const served = customers.filter(({ received }) => received.includes('Hello'));
  const refused = customers.filter(({ received }) => received.includes('"error"'));
  expect(refused.filter(({ received }) => !/^HTTP\/1\.1 503 [^]*"server_busy"/.test(received))).toEqual([]);
  expect(customers.filter(({ received }) => received === '').every(({ isClosed }) => isClosed)).toBe(true);
  // Each served request has two sockets: to its client and to the upstream.
  expect(served.length).toBeGreaterThanOrEqual(Math.floor(MAX_FOR_SOCKETS * 0.45));
  expect(most).toBeLessThan(DESCRIPTORS);
  for (const response of held) response.end(END);
  await Promise.all(served.map((customer) => customer.until('[DONE]')));
  const later = await ask();
  await eventually(() => held.length > served.length);
  held.at(-1)?.end(END);
  expect(await later.until('[DONE]')).toMatch(/^HTTP\/1\.1 200 /);
  expect(program.printed).toContain('"endReason":"completed"');
  expect(program.printed).not.toMatch(/EMFILE|ENFILE|SQLITE_CANTOPEN/);
}, STARTING_MILLISECONDS);
