import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.js';

export interface ChaosUpstream {
  readonly port: number;
  close(): void;
}

const FAILING_SHARE = 0.04;
const BREAKING_SHARE = 0.04;
const STREAM_HEADERS = { 'content-type': 'text/event-stream' };

interface Plan {
  readonly pieces: number;
  readonly pauseMilliseconds: number;
  /** The piece at which the connection breaks; `null` for a sound reply. */
  readonly breaksAt: number | null;
}

function planFor(random: Random): Plan {
  const pieces = random.between(6, 30);
  return { pieces, pauseMilliseconds: random.between(1, 6), breaksAt: random.happens(BREAKING_SHARE) ? random.between(1, pieces - 1) : null };
}

function usageOf({ pieces }: Plan): object {
  return { prompt_tokens: 12, completion_tokens: pieces, total_tokens: pieces + 12 };
}

function frame(fields: object): string {
  return `data: ${JSON.stringify({ id: 'chaos', object: 'chat.completion.chunk', created: 1, model: 'chaos', ...fields })}\n\n`;
}

async function stream(response: ServerResponse, plan: Plan): Promise<void> {
  response.writeHead(200, STREAM_HEADERS);
  for (let piece = 0; piece < plan.pieces; piece += 1) {
    if (piece === plan.breaksAt) return void response.destroy();
    response.write(frame({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] }));
    await pause(plan.pauseMilliseconds);
    if (response.destroyed) return;
  }
  response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.end(`${frame({ choices: [], usage: usageOf(plan) })}data: [DONE]\n\n`);
}

async function whole(response: ServerResponse, plan: Plan): Promise<void> {
  await pause(plan.pauseMilliseconds * 4);
  if (plan.breaksAt !== null) return void response.destroy();
  const message = { role: 'assistant', content: ' word'.repeat(plan.pieces) };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({
    id: 'chaos', object: 'chat.completion', created: 1, model: 'chaos', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: usageOf(plan),
  }));
}

async function answer(request: IncomingMessage, response: ServerResponse, random: Random): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  if (random.happens(FAILING_SHARE)) {
    response.writeHead(500).end('{"error":{"message":"chaos"}}');
    return;
  }
  const { stream: streamed } = JSON.parse(Buffer.concat(pieces).toString()) as { readonly stream?: boolean };
  await (streamed === true ? stream(response, planFor(random)) : whole(response, planFor(random)));
}

/** A model server that speaks slowly, and fails or breaks off now and then, on a free port of this machine. */
export async function startUpstream(random: Random): Promise<ChaosUpstream> {
  const server = createServer((request, response) => {
    // A gateway that dies takes its connections along; that is no news here.
    answer(request, response, random).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
