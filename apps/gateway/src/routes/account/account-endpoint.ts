import { type Endpoint, readEndpoint } from '../../http/routing/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';
import { type AccountStatePorts, readAccountState } from './account-state.js';
import { encodeAccount } from './encode-account.js';

/** `GET /v1/account`: standing, plan, balance, the limits in force and what is used of them. */
export function accountEndpoint(ports: AccountStatePorts): Endpoint {
  return readEndpoint('/v1/account', async (exchange, caller) => {
    sendJson(exchange, 200, encodeAccount(await readAccountState(caller, ports)));
  });
}
