import { argon2, randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import type { AddressInfo } from 'node:net';

// Entry point of a process that is a comparison server. The environment variable SERVER selects which one.

const REFUSAL = '{"error":{"message":"Too many requests.","type":"rate_limit_error","code":"rate_limit_exceeded"}}';

/** Refuses without waiting for the body. */
const refuse: RequestListener = (req, res) => {
  req.resume();
  res.writeHead(429, { 'content-type': 'application/json', 'content-length': REFUSAL.length, 'retry-after': '1' }).end(REFUSAL);
};

/** Reads the body to its end, then refuses. */
const read: RequestListener = (req, res) => {
  req.resume().once('end', () => refuse(req, res));
};

const PARAMETERS = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
const AT_A_TIME = Math.min(2, Math.max(1, availableParallelism() - 1));
const MAX_WAITING = 64;

const waiting: ServerResponse[] = [];
let running = 0;

function answer(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
}

function hashNext(): void {
  if (running === AT_A_TIME) return;
  const res = waiting.shift();
  if (res === undefined) return;
  running += 1;
  argon2('argon2id', { message: 'correct horse battery', nonce: randomBytes(16), ...PARAMETERS }, () => {
    running -= 1;
    answer(res, 401);
    hashNext();
  });
}

/** Hashes a password for each request, with the gateway's concurrency and queue. */
const hash: RequestListener = (req, res) => {
  req.resume();
  if (waiting.length >= MAX_WAITING) {
    answer(res, 429);
    return;
  }
  waiting.push(res);
  hashNext();
};

const LISTENERS: Readonly<Record<string, RequestListener>> = { refusing: refuse, reading: read, hashing: hash };

const server = createServer(LISTENERS[process.env['SERVER'] ?? ''] ?? refuse);
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => process.send?.({ port: (server.address() as AddressInfo).port }));
