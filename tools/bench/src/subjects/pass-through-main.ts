import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, Pool } from 'undici';
import { announcePort, PASS_THROUGH, type PassThroughKind, UPSTREAM_ORIGIN } from './pass-throughs.js';

/** Bytes that the commit of one request writes, approximately. */
const BLOCK_BYTES = 48 * 1024;
const BLOCKS = 64;

/** Overwrites the blocks of a file in turn, as a database does with its write-ahead log. */
class OverwrittenFile {
  readonly #block = new Uint8Array(BLOCK_BYTES).fill(1);
  #next = 0;

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<OverwrittenFile> {
    const file = await open(path, 'w+');
    await file.write(new Uint8Array(BLOCKS * BLOCK_BYTES));
    await file.sync();
    return new OverwrittenFile(file);
  }

  /** Writes one block, without syncing it. */
  async write(): Promise<void> {
    const position = this.#next * BLOCK_BYTES;
    this.#next = (this.#next + 1) % BLOCKS;
    await this.file.write(this.#block, 0, BLOCK_BYTES, position);
  }

  sync(): Promise<void> {
    return this.file.datasync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

const FORWARDED = ['content-type', 'authorization'];
const EVENT_STREAM = 'text/event-stream';

const { [UPSTREAM_ORIGIN]: origin, [PASS_THROUGH]: kind } = process.env;
if (origin === undefined || kind === undefined) throw new Error(`${UPSTREAM_ORIGIN} and ${PASS_THROUGH} must be set`);
const upstream = new Pool(origin, { connections: null });

type Relay = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

function bytesOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks)));
  });
}

function ask({ headers }: IncomingMessage, body: string | Buffer): Promise<Dispatcher.ResponseData> {
  const forwarded: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  return upstream.request({ method: 'POST', path: '/v1/chat/completions', headers: forwarded, body });
}

async function answer({ statusCode, headers, body }: Dispatcher.ResponseData, res: ServerResponse, beforeReply?: () => Promise<void>): Promise<void> {
  if (String(headers['content-type']).startsWith(EVENT_STREAM)) {
    res.writeHead(statusCode, headers);
    return pipeline(body, res);
  }
  const reply = await body.bytes();
  await beforeReply?.();
  res.writeHead(statusCode, headers).end(reply);
}

const relay: Relay = async (req, res) => answer(await ask(req, await bytesOf(req)), res);

/** Parses every body and serialises it again. */
const relayParsed: Relay = async (req, res) => {
  const request: unknown = JSON.parse((await bytesOf(req)).toString());
  return answer(await ask(req, JSON.stringify(request)), res);
};

/** Before each reply, waits for an fsync of as many bytes as a commit writes. Replies that arrive during an fsync share the next one. */
async function durableRelay(): Promise<Relay> {
  const file = await OverwrittenFile.create('kept.bin');
  let syncing: Promise<void> = Promise.resolve();
  let following: Promise<void> | null = null;
  const kept = async (): Promise<void> => {
    await file.write();
    following ??= syncing.then(() => {
      following = null;
      syncing = file.sync();
      return syncing;
    });
    return following;
  };
  return async (req, res) => answer(await ask(req, await bytesOf(req)), res, kept);
}

function relayFor(wanted: PassThroughKind): Relay | Promise<Relay> {
  switch (wanted) {
    case 'node': case 'express': return relay;
    case 'parsing': return relayParsed;
    case 'durable': return durableRelay();
  }
}

async function listenerFor(wanted: PassThroughKind): Promise<RequestListener> {
  const pass = await relayFor(wanted);
  if (wanted === 'node') return (req, res) => void pass(req, res).catch(() => res.destroy());
  const { default: express } = await import('express');
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.post('/v1/chat/completions', (req, res, next) => void pass(req, res).catch(next));
  return app;
}

announcePort(createServer(await listenerFor(kind as PassThroughKind)));
