import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The yardstick: a server that refuses every request at once, without reading it.

const BODY = '{"error":{"message":"Too many requests.","type":"rate_limit_error","code":"rate_limit_exceeded"}}';

const server = createServer((req, res) => {
  req.resume();
  res.writeHead(429, { 'content-type': 'application/json', 'content-length': BODY.length, 'retry-after': '1' }).end(BODY);
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => process.send?.({ port: (server.address() as AddressInfo).port }));
