import { createHash } from 'node:crypto';
import type { MachineClaim } from '@tollgate/core';
import type { AdminRoute } from '@tollgate/api-contract';
import { machineActor } from '@tollgate/identity';
import type { Response } from 'express';
import { readAddress, readJsonBody } from '../../dashboard/call/read-call.js';
import { exchangeOf } from '../../http/middleware/answer.js';
import type { JsonBodyReader } from '../../http/json-body-reader.js';
import { readIdempotencyKey } from '../../routes/generation/idempotent-requests.js';
import type { AdminCall } from './admin-endpoint.js';
import { machineOf } from './admin-call.js';

/** Throws `not_found`, or `invalid_request` that names the field. */
export async function readAdminCall(route: AdminRoute, res: Response, bodies: JsonBodyReader): Promise<AdminCall> {
  const exchange = exchangeOf(res);
  const { req, clientAddress, requestId } = exchange;
  const machine = machineOf(res);
  const actor = machineActor(machine, clientAddress);
  const call = { exchange, ...readAddress(route, req), body: undefined, accountId: null, machineId: machine.id };
  if (route.method === 'get') return { ...call, actor };
  const key = readIdempotencyKey(req.headers);
  const { value, bytes } = route.body === undefined ? { value: undefined, bytes: Buffer.of() } : await readJsonBody(route.body, { exchange, holder: { address: clientAddress } }, bodies);
  const claim: MachineClaim | null = key === null ? null : { machineId: machine.id, key, requestId, fingerprint: fingerprintOf(`${req.method} ${req.originalUrl}`, bytes) };
  return { ...call, body: value, actor: claim === null ? actor : { ...actor, claim } };
}

function fingerprintOf(target: string, body: Buffer): string {
  return createHash('sha256').update(`${target}\n`).update(body).digest('hex');
}
