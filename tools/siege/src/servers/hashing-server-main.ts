import { argon2, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import type { AddressInfo } from 'node:net';

// The yardstick for sign-ins: a process that hashes passwords as the gateway does, with as many at a time and as many waiting, and does nothing else.

const PARAMETERS = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
const AT_A_TIME = Math.min(2, Math.max(1, availableParallelism() - 1));
const MOST_WAITING = 64;

const waiting: ServerResponse[] = [];
let running = 0;

function answer(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
}

function hashNext(): void {
  const res = waiting.shift();
  if (res === undefined || running === AT_A_TIME) {
    if (res !== undefined) waiting.unshift(res);
    return;
  }
  running += 1;
  argon2('argon2id', { message: 'correct horse battery', nonce: randomBytes(16), ...PARAMETERS }, () => {
    running -= 1;
    answer(res, 401);
    hashNext();
  });
}

const server = createServer((req, res) => {
  req.resume();
  if (waiting.length >= MOST_WAITING) {
    answer(res, 429);
    return;
  }
  waiting.push(res);
  hashNext();
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => process.send?.({ port: (server.address() as AddressInfo).port }));
