import { contract } from '@tollgate/dashboard-contract';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';

/** Changes of what a person proves themselves with: the password, and the address. */
export function credentialEndpoints({ identity: { ownPassword, addressChange } }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.changePassword)(async ({ browser, visitor, body, setCookie }) =>
      setCookie(await ownPassword.change(browser, visitor, { current: body.current_password, next: body.new_password }))),
    endpoint(contract.changeEmail)(async ({ visitor: { person }, body: { email } }) => {
      await addressChange.request(person, email);
      return { object: 'accepted' };
    }),
    endpoint(contract.confirmChangeEmail)(async ({ browser: { address }, body: { token } }) =>
      ({ object: 'address_change', state: await addressChange.follow({ token, address }) })),
  ];
}
