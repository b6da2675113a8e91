import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { JsonObject } from '@tollgate/core';
import { type Behaviour, replies, wholeReply } from './behaviours.js';
import { playSteps } from './play-steps.js';
import { chatChunks, chatCompletion } from './chat-reply.js';
import { framesOf, type Framing } from './framing.js';
import { messagesError, messagesEvents, messagesReply } from './messages-reply.js';
import type { ScriptedReply } from './scripted-reply.js';
import { responsesError, responsesEvents, responsesReply } from './responses-reply.js';

export interface RecordedRequest {
  readonly method: string;
  /** The path, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. Empty if the request has no body, or one that is not a JSON object. */
  readonly body: JsonObject;
  readonly rawBody: string;
  /** The number of the connection that the request used, from 0. */
  readonly connection: number;
  /** `completed` when the whole reply was sent, `aborted` when the connection closed earlier. */
  readonly ended: Promise<'completed' | 'aborted'>;
}

export function modelOf(request: RecordedRequest): string {
  return typeof request.body['model'] === 'string' ? request.body['model'] : '';
}

export function wantsStream(request: RecordedRequest): boolean {
  return request.body['stream'] === true;
}

/** An entry of `GET /v1/models`, which is sent unchanged. */
interface ScriptedModel extends JsonObject {
  readonly id: string;
}

export interface ScriptedUpstreamOptions {
  /** The entries of `GET /v1/models`. By default, one for `scripted-model`. */
  readonly models?: readonly ScriptedModel[];
}

/** Stands for any model in `script` and `always`. */
const ANY_MODEL = '*';

/**
 * A model server on a real socket. Answers a request with the next behaviour that is queued for its model. Without one, uses the next queued for any
 * model, then the one set by `always`, and at last a short text.
 */
export class ScriptedUpstream {
  readonly requests: RecordedRequest[] = [];
  readonly #scripts = new Map<string, Behaviour[]>();
  readonly #standing = new Map<string, Behaviour>();
  readonly #arrivals = new Set<() => void>();
  readonly #connections = new WeakMap<Socket, number>();
  #connectionsSoFar = 0;
  #modelsBehaviour: Behaviour | null = null;

  constructor(private readonly server: Server, private readonly models: readonly ScriptedModel[]) {
    server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, this.#connectionsSoFar);
      this.#connectionsSoFar += 1;
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((cause: unknown) => {
        response.destroy(cause instanceof Error ? cause : new Error('the scripted upstream failed', { cause }));
      });
    });
  }

  /** A value for `UPSTREAM_BASE_URL`: ends with `/v1`, without a slash after it. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  get origin(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Queues behaviours for the next requests to a model, or to any model if it is `*`. */
  script(model: string, ...behaviours: readonly Behaviour[]): void {
    this.#scripts.set(model, [...(this.#scripts.get(model) ?? []), ...behaviours]);
  }

  /** Sets the behaviour for requests to a model, or to any model if it is `*`, while no behaviour is queued. */
  always(model: string, behaviour: Behaviour): void {
    this.#standing.set(model, behaviour);
  }

  /** Sets the behaviour of `GET /v1/models` from now on. */
  scriptModels(behaviour: Behaviour): void {
    this.#modelsBehaviour = behaviour;
  }

  /** Resolves when the request with this number (from 0) has arrived. */
  async request(position: number): Promise<RecordedRequest> {
    for (;;) {
      const request = this.requests[position];
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => this.#arrivals.add(resolve));
    }
  }

  /** Number of open connections, idle ones included. */
  connectionCount(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });
  }

  /** Closes all connections. Resolves when the port is free. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
    this.server.closeAllConnections();
    await closed;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = { ...await record(incoming, response), connection: this.#connections.get(incoming.socket) ?? -1 };
    this.requests.push(request);
    for (const resolve of this.#arrivals) resolve();
    this.#arrivals.clear();
    await playSteps(response, this.#behaviourFor(request)(request));
  }

  #behaviourFor(request: RecordedRequest): Behaviour {
    if (request.method === 'GET') return this.#modelsBehaviour ?? (() => wholeReply(200, JSON.stringify({ object: 'list', data: this.models })));
    const model = modelOf(request);
    return this.#scripts.get(model)?.shift()
      ?? this.#scripts.get(ANY_MODEL)?.shift()
      ?? this.#standing.get(model)
      ?? this.#standing.get(ANY_MODEL)
      ?? replies({ text: ['Hello ', `from ${model}.`] });
  }
}

/** Listens on a free port of this machine. */
export async function startScriptedUpstream(options: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return new ScriptedUpstream(server, options.models ?? [{ id: 'scripted-model', object: 'model' }]);
}

async function record(incoming: IncomingMessage, response: ServerResponse): Promise<Omit<RecordedRequest, 'connection'>> {
  const ended = new Promise<'completed' | 'aborted'>((resolve) => {
    response.once('close', () => {
      resolve(response.writableFinished ? 'completed' : 'aborted');
    });
  });
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const rawBody = Buffer.concat(pieces).toString('utf8');
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body: parsed(rawBody), rawBody, ended };
}

function parsed(body: string): JsonObject {
  if (!body.startsWith('{')) return {};
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return {};
  }
}

/** How a reply is written in a wire format. */
interface SpokenFormat {
  whole(reply: ScriptedReply, model: string): JsonObject;
  /** The frames of a stream, as text. */
  frames(reply: ScriptedReply, model: string, framing?: Framing): readonly string[];
  /** The body of an error reply, which is also the error event of a stream. */
  errorBody(error: JsonObject): JsonObject;
}

const CHAT: SpokenFormat = {
  whole: chatCompletion,
  frames: (reply, model, framing) => framesOf(chatChunks(reply, model), framing),
  errorBody: (error) => ({ error }),
};

/** The messages format. Its events have names, and no `[DONE]` follows the last one. */
const MESSAGES: SpokenFormat = {
  whole: messagesReply,
  frames: (reply, model, framing) => framesOf(messagesEvents(reply, model), { ...framing, done: 'missing' }),
  errorBody: messagesError,
};

const RESPONSES: SpokenFormat = {
  whole: responsesReply,
  frames: (reply, model, framing) => framesOf(responsesEvents(reply, model), { ...framing, done: 'missing' }),
  errorBody: responsesError,
};

/** The format of the endpoint to which the request was sent. */
export function formatOf({ path }: Pick<RecordedRequest, 'path'>): SpokenFormat {
  const endpoint = path.split('?')[0] ?? '';
  if (endpoint.endsWith('/messages')) return MESSAGES;
  return endpoint.endsWith('/responses') ? RESPONSES : CHAT;
}
