import { type Instant, rfc3339 } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import type { SignedIn } from '@tollgate/identity';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { FACTOR_REFUSALS, type ProofReply, provenBy, replyTo, type ReplyTools } from './proof-reply.js';

export function factorEndpoints({ sessions, secondFactors, clock, identity: { passwordSignIn } }: DashboardPorts): readonly DashboardEndpoint[] {
  const replyOf = (call: ReplyTools, at: Instant): ProofReply => replyTo(call, { passwordSignIn, at });
  return [
    endpoint(contract.provePassword)(async ({ browser, body: { password }, ...call }) => {
      const at = clock.now();
      return encodeProof((await provenBy(await sessions.prove(browser, { kind: 'password', password }, at), replyOf(call, at))).signedIn);
    }),
    endpoint(contract.verifyTotp)(async ({ browser, visitor: { person }, body: { code }, ...call }) => {
      const at = clock.now();
      if (person.factors.includes('totp')) {
        const { signedIn } = await provenBy(await sessions.prove(browser, { kind: 'totp', code }, at), replyOf(call, at));
        return { ...encodeProof(signedIn), recovery_codes: null };
      }
      const { signedIn, recoveryCodes } = await provenBy(await secondFactors.confirmTotp(browser, code, at), replyOf(call, at));
      return { ...encodeProof(signedIn), recovery_codes: recoveryCodes };
    }),
    endpoint(contract.useRecoveryCode)(async ({ browser, body: { code }, ...call }) => {
      const at = clock.now();
      return encodeProof((await provenBy(await sessions.prove(browser, { kind: 'recovery', code }, at), replyOf(call, at))).signedIn);
    }),
    ...enrolmentEndpoints({ secondFactors, clock }),
  ];
}

/** Endpoints that change factors, which require a fresh proof, and the overview of factors, which does not. */
function enrolmentEndpoints({ secondFactors, clock }: Pick<DashboardPorts, 'secondFactors' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.enableTotp)(async ({ browser }) => {
      const begun = await secondFactors.beginTotp(browser, clock.now());
      if (begun.outcome !== 'begun') throw FACTOR_REFUSALS[begun.outcome]();
      return { object: 'totp_enrolment', secret: begun.secret, uri: begun.uri };
    }),
    endpoint(contract.disableTotp)(async ({ browser }) => {
      const { outcome } = await secondFactors.removeTotp(browser, clock.now());
      if (outcome !== 'removed') throw FACTOR_REFUSALS[outcome]();
    }),
    endpoint(contract.renewRecoveryCodes)(async ({ browser }) => {
      const renewed = await secondFactors.renewRecoveryCodes(browser, clock.now());
      if (renewed.outcome !== 'renewed') throw FACTOR_REFUSALS[renewed.outcome]();
      return { object: 'recovery_codes', recovery_codes: renewed.recoveryCodes };
    }),
    endpoint(contract.factors)(async ({ visitor: { person } }) => {
      const { totpSince, recoveryCodesLeft } = await secondFactors.overview(person.id);
      return { object: 'factors', totp_since: totpSince === null ? null : rfc3339(totpSince), recovery_codes_left: recoveryCodesLeft };
    }),
  ];
}

type Proof = ReplyOf<typeof contract.provePassword>;

function encodeProof({ reach, person: { factors } }: SignedIn): Proof {
  return { object: 'proof', reach, factors };
}
