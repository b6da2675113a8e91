import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_PROVIDER_REQUEST_MILLISECONDS } from '@tollgate/core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stripe } from 'stripe';
import { RETRIES, stripeClient, TIMEOUT_MILLISECONDS } from './stripe-client.js';

/** The longest wait of the library before it repeats a request. */
const LONGEST_WAIT = 5_000;
/** A charge that needs authentication: the charge, its cancellation, and the checkout. A question: the payment, its refunds, and its disputes. */
const REQUESTS_PER_CALL = 3;

describe('stripeClient', () => {
  let server: Server;
  let client: Stripe;
  let piece: NodeJS.Timeout | undefined;

  beforeEach(async () => {
    server = createServer((request, response) => {
      let pieces = 0;
      if (request.url?.endsWith('overloaded') === true) {
        response.writeHead(503, { 'retry-after': '3600', 'content-type': 'application/json' }).end('{"error":{"type":"api_error"}}');
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      piece = setInterval(() => ((pieces += 1) < 50 ? response.write(' ') : response.end('{}')), 10);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    client = stripeClient({ secretKey: 'sk_test_a', apiBase: `http://127.0.0.1:${port}` });
  });

  afterEach(async () => {
    clearInterval(piece);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it('ends a request at its timeout, although the reply is still arriving in pieces', async () => {
    await expect(client.accounts.retrieve('acct_1', {}, { timeout: 100, maxNetworkRetries: 0 })).rejects.toMatchObject({ type: 'StripeConnectionError' });
  });

  it('does not wait for as long as an overloaded server asks it to', async () => {
    await expect(client.accounts.retrieve('overloaded', {}, { maxNetworkRetries: 1 })).rejects.toMatchObject({ statusCode: 503 });
  });

  it('ends a call, with all its requests and their repetitions, within the time that every provider promises', () => {
    expect(REQUESTS_PER_CALL * ((RETRIES + 1) * TIMEOUT_MILLISECONDS + RETRIES * LONGEST_WAIT)).toBeLessThan(MAX_PROVIDER_REQUEST_MILLISECONDS);
  });
});
