import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type ConfirmTotpOutcome, type FactorRefusal, GatewayError, type Instant, type ProveOutcome, rfc3339, secondsUntil, type SignedIn } from '@tollgate/core';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';
import { freshProofRequired } from '../call/fresh-proof.js';

type Proof = ReplyOf<typeof contract.provePassword>;
type SetCookie = (header: string) => void;
type Refused = Exclude<ProveOutcome | ConfirmTotpOutcome, { readonly outcome: 'proven' | 'enrolled' | 'ended' | 'locked' }>['outcome'];

/** What a client is told of each refusal. */
const REFUSALS: Readonly<Record<Refused | FactorRefusal | 'already-enrolled' | 'not-enrolled', () => GatewayError>> = {
  'refused': () => new GatewayError('sign_in_failed', 'The password or code is not right, or was used before.'),
  'not-signed-in': () => new GatewayError('not_signed_in', 'Sign in to use the dashboard.'),
  'second-factor-required': () => new GatewayError('second_factor_required', 'Prove your second factor first.'),
  'fresh-proof-required': freshProofRequired,
  'unavailable': () => new GatewayError('service_unavailable', 'This gateway cannot work with second factors at the moment: it has no secret, or not the one they were set up with.'),
  'nothing-begun': () => new GatewayError('conflict', 'No authenticator app is being set up. Begin once more.'),
  'already-enrolled': () => new GatewayError('conflict', 'There is an authenticator app already. Remove it before you set up another one.'),
  'not-enrolled': () => new GatewayError('conflict', 'There is no authenticator app.'),
};

function encodeProof({ reach, person: { factors } }: SignedIn): Proof {
  return { object: 'proof', reach, factors };
}

/** The session after a proof, with its new cookie; throws what a client is told of any other outcome. */
function provenBy<Outcome extends ProveOutcome | ConfirmTotpOutcome>(
  outcome: Outcome, setCookie: SetCookie, at: Instant,
): Extract<Outcome, { readonly outcome: 'proven' | 'enrolled' }> {
  if (outcome.outcome === 'locked') {
    throw new GatewayError('too_many_attempts', 'Too many wrong passwords or codes. Wait a while.', { retryAfterSeconds: secondsUntil(outcome.until, at) });
  }
  if (outcome.outcome === 'ended') {
    setCookie(outcome.setCookie);
    throw new GatewayError('not_signed_in', 'Too many wrong codes. Sign in once more.');
  }
  if (outcome.outcome !== 'proven' && outcome.outcome !== 'enrolled') throw REFUSALS[outcome.outcome]();
  setCookie(outcome.setCookie);
  return outcome as Extract<Outcome, { readonly outcome: 'proven' | 'enrolled' }>;
}

/** Second factors, and proofs in the session that the browser has. */
export function factorEndpoints({ sessions, secondFactors, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.provePassword)(async ({ browser, body: { password }, setCookie }) => {
      const at = clock.now();
      return encodeProof(provenBy(await sessions.prove(browser, { kind: 'password', password }, at), setCookie, at).signedIn);
    }),
    endpoint(contract.verifyTotp)(async ({ browser, visitor: { person }, body: { code }, setCookie }) => {
      const at = clock.now();
      if (person.factors.includes('totp')) {
        const { signedIn } = provenBy(await sessions.prove(browser, { kind: 'totp', code }, at), setCookie, at);
        return { ...encodeProof(signedIn), recovery_codes: null };
      }
      const { signedIn, recoveryCodes } = provenBy(await secondFactors.confirmTotp(browser, code, at), setCookie, at);
      return { ...encodeProof(signedIn), recovery_codes: recoveryCodes };
    }),
    endpoint(contract.useRecoveryCode)(async ({ browser, body: { code }, setCookie }) => {
      const at = clock.now();
      return encodeProof(provenBy(await sessions.prove(browser, { kind: 'recovery', code }, at), setCookie, at).signedIn);
    }),
    ...enrolmentEndpoints({ secondFactors, clock }),
  ];
}

/** Setting up and removing; each wants a fresh proof. */
function enrolmentEndpoints({ secondFactors, clock }: Pick<DashboardPorts, 'secondFactors' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.enableTotp)(async ({ browser }) => {
      const begun = await secondFactors.beginTotp(browser, clock.now());
      if (begun.outcome !== 'begun') throw REFUSALS[begun.outcome]();
      return { object: 'totp_enrolment', secret: begun.secret, uri: begun.uri };
    }),
    endpoint(contract.disableTotp)(async ({ browser }) => {
      const { outcome } = await secondFactors.removeTotp(browser, clock.now());
      if (outcome !== 'removed') throw REFUSALS[outcome]();
    }),
    endpoint(contract.renewRecoveryCodes)(async ({ browser }) => {
      const renewed = await secondFactors.renewRecoveryCodes(browser, clock.now());
      if (renewed.outcome !== 'renewed') throw REFUSALS[renewed.outcome]();
      return { object: 'recovery_codes', recovery_codes: renewed.recoveryCodes };
    }),
    endpoint(contract.factors)(async ({ visitor: { person } }) => {
      const { totpSince, recoveryCodesLeft } = await secondFactors.overview(person.id);
      return { object: 'factors', totp_since: totpSince === null ? null : rfc3339(totpSince), recovery_codes_left: recoveryCodesLeft };
    }),
  ];
}
