import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '@tollgate/testkit/programs';
import { PIECE, type RequestScript, scriptIn } from './request-script.js';

const MAX_HOLD_MILLISECONDS = 15_000;

/** Replies that the upstream has paused. */
class Holds {
  readonly #waiting = new Set<() => void>();

  /** Resolves when the client disconnects, when all holds are released, or after the maximum time. */
  async hold(response: ServerResponse): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MAX_HOLD_MILLISECONDS);
      const goOn = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(goOn);
        resolve();
      };
      this.#waiting.add(goOn);
      response.once('close', goOn);
    });
  }

  letGo(): void {
    for (const goOn of this.#waiting) goOn();
  }
}

export interface ChaosUpstream {
  readonly port: number;
  /** Number of pieces sent for the request with this number. */
  sentFor(number: number): number;
  /** Lets all paused replies continue. */
  letGo(): void;
  close(): void;
}

const FAILING_SHARE = 0.04;
const BREAKING_SHARE = 0.04;
const PROMPT_TOKENS = 12;
const STREAM_HEADERS = { 'content-type': 'text/event-stream' };

interface Plan extends RequestScript {
  readonly pauseMilliseconds: number;
  /** Number of pieces after which the connection breaks; `null` for a complete reply. */
  readonly breaksAt: number | null;
}

function planFor(script: RequestScript, random: SeededRandom): Plan {
  const breaks = script.holdsAfter === null && random.happens(BREAKING_SHARE);
  return { ...script, pauseMilliseconds: random.between(1, 6), breaksAt: breaks ? random.between(1, script.pieces - 1) : null };
}

function usageOf({ pieces }: Plan): object {
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens: pieces, total_tokens: pieces + PROMPT_TOKENS };
}

function frame(fields: object): string {
  return `data: ${JSON.stringify({ id: 'chaos', object: 'chat.completion.chunk', created: 1, model: 'chaos', ...fields })}\n\n`;
}

/** A slow model server that fails or disconnects now and then. */
class Speaker {
  readonly sent = new Map<number, number>();
  readonly holds = new Holds();

  constructor(private readonly random: SeededRandom) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const plan = planFor(scriptIn(body), this.random);
    if (plan.holdsAfter === null && this.random.happens(FAILING_SHARE)) {
      response.writeHead(500).end('{"error":{"message":"chaos"}}');
      return;
    }
    const { stream: streamed } = JSON.parse(body) as { readonly stream?: boolean };
    await (streamed === true ? this.stream(response, plan) : this.whole(response, plan));
  }

  private async stream(response: ServerResponse, plan: Plan): Promise<void> {
    response.writeHead(200, STREAM_HEADERS);
    for (let piece = 0; piece < plan.pieces; piece += 1) {
      if (piece === plan.breaksAt) return void response.destroy();
      this.count(plan, 1);
      response.write(frame({ choices: [{ index: 0, delta: { content: PIECE }, finish_reason: null }] }));
      await (piece + 1 === plan.holdsAfter ? this.holds.hold(response) : pause(plan.pauseMilliseconds));
      if (response.destroyed) return;
    }
    response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.end(`${frame({ choices: [], usage: usageOf(plan) })}data: [DONE]\n\n`);
  }

  private async whole(response: ServerResponse, plan: Plan): Promise<void> {
    await pause(plan.pauseMilliseconds * 4);
    if (plan.breaksAt !== null) return void response.destroy();
    this.count(plan, plan.pieces);
    if (plan.holdsAfter !== null) await this.holds.hold(response);
    const message = { role: 'assistant', content: PIECE.repeat(plan.pieces) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({
      id: 'chaos', object: 'chat.completion', created: 1, model: 'chaos', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: usageOf(plan),
    }));
  }

  private count({ number }: Plan, pieces: number): void {
    this.sent.set(number, (this.sent.get(number) ?? 0) + pieces);
  }
}

/** Starts the upstream on a free loopback port. */
export async function startUpstream(random: SeededRandom): Promise<ChaosUpstream> {
  const speaker = new Speaker(random);
  const server = createServer((request, response) => {
    // When a gateway dies, its connections break, which is no failure of the upstream.
    speaker.answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    sentFor: (number) => speaker.sent.get(number) ?? 0,
    letGo: () => speaker.holds.letGo(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
