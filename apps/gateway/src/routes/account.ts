import { encodeAccount } from '@tollgate/wire-kit';
import { type Endpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { sendJson } from '../http/reply/send-json.js';
import { type AccountStatePorts, readAccountState } from './account-state.js';

export function accountEndpoint(ports: AccountStatePorts): Endpoint {
  return readEndpoint('/v1/account', async (exchange, caller) => {
    sendJson(exchange, 200, encodeAccount(await readAccountState(caller, ports)));
  });
}
