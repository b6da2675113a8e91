import { contract } from '@tollgate/api-contract';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { provenBy, replyTo } from './proof-reply.js';

export function credentialEndpoints({ identity: { ownPassword, addressChange, passwordSignIn }, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.changePassword)(async ({ browser, visitor, body, ...call }) => {
      const at = clock.now();
      // The new password invalidates the browser's device cookie, so the browser gets a new one.
      await provenBy(await ownPassword.change(browser, visitor, { current: body.current_password, next: body.new_password }), replyTo(call, { passwordSignIn, at }));
    }),
    endpoint(contract.changeEmail)(async ({ visitor: { person }, body: { email } }) => {
      await addressChange.request(person, email);
      return { object: 'accepted' };
    }),
    endpoint(contract.confirmChangeEmail)(async ({ browser: { address }, body: { token } }) =>
      ({ object: 'address_change', state: await addressChange.follow({ token, address }) })),
  ];
}
