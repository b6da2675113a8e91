import { GatewayError } from '@tollgate/core';
import { contract } from '@tollgate/api-contract';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';

export function consentEndpoints({ consents, clock }: Pick<DashboardPorts, 'consents' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.consent)(async ({ visitor: { person } }) => {
      const missing = await consents.missing(person);
      return { object: 'consent', documents: missing.map(({ agreedVersion, ...asked }) => ({ ...asked, agreed_version: agreedVersion })) };
    }),
    endpoint(contract.agree)(async ({ visitor: { person }, body: { terms, privacy }, call }) => {
      const shown = { ...(terms === undefined ? {} : { terms }), ...(privacy === undefined ? {} : { privacy }) };
      const isAgreed = await consents.agree(person, shown, { actor: actorOf(call, 'owner'), at: clock.now() });
      if (!isAgreed) throw new GatewayError('conflict', 'There is a newer version of the terms or the privacy notice. Read it, and agree again.');
    }),
  ];
}
