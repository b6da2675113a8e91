import type { Clock } from '@tollgate/core';
import type { BodyBudget } from './body-budget.js';
import { payloadTooLarge } from './body-headers.js';
import { MAX_BODY_BYTES } from './body-room.js';
import type { BodyUpload } from './body-upload.js';
import type { HttpExchange } from './http-exchange.js';
import { readBody } from './read-body.js';

/** The declared length, capped at the largest body; `null` if none is declared. */
export function declaredBytes({ req: { headers } }: HttpExchange): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES);
}

interface ReceivedBody {
  readonly upload: BodyUpload;
  readonly clock: Clock;
  readonly maximumBytes?: number;
}

/** Reads a body. Only now may a client with `Expect: 100-continue` send it. */
export function receiveBody({ req, res, unbilled }: HttpExchange, received: ReceivedBody): Promise<Buffer> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  return readBody(req, { ...received, onBytes: (size) => unbilled?.take(size) });
}

export interface SentBodyPorts {
  readonly budget: BodyBudget;
  readonly clock: Clock;
}

interface SentBodyTerms extends SentBodyPorts {
  readonly maximumBytes: number;
}

/**
 * Reads a body of a client without an account as it was sent, for a signature that covers its bytes. Returns its room once `use` has ended. Rejects with
 * refusals of the budget, and with `payload_too_large`.
 */
export async function useSentBody(exchange: HttpExchange, { maximumBytes, budget, clock }: SentBodyTerms, use: (bytes: Buffer) => Promise<void>): Promise<void> {
  const declared = declaredBytes(exchange);
  if (declared !== null && declared > maximumBytes) throw payloadTooLarge(maximumBytes);
  const upload = await budget.begin({ holder: { address: exchange.clientAddress }, declaredBytes: declared, signal: exchange.signal });
  try {
    await use(await receiveBody(exchange, { upload, clock, maximumBytes }));
  } finally {
    upload.giveBack();
  }
}
