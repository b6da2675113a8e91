import { contract, type ReplyOf, type RouteDefinition } from '@tollgate/dashboard-contract';
import { DISPLAY_NAME_RULE, GatewayError, type Instant, type PasskeyId, RefusedSignIn, rfc3339, secondsUntil } from '@tollgate/core';
import type { ConfirmTotpOutcome, FactorRefusal, Passkey, Passkeys, PasswordSignIn, ProveOutcome, RegisterPasskeyOutcome, SignedIn } from '@tollgate/identity';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import type { PasskeysOffer, SignInMethods } from '../call/sign-in-methods.js';
import { type Call, type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { freshProofRequired, unknownAddress } from '../call/admit-visitor.js';
import { encodeSignIn, SIGN_IN_REASONS } from './sign-in.js';

export function credentialEndpoints({ identity: { ownPassword, addressChange, passwordSignIn }, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.changePassword)(async ({ browser, visitor, body, ...call }) => {
      const at = clock.now();
      // The new password invalidates the browser's device cookie, so it gets a new one.
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

/** Require a fresh proof. */
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

export function passkeyEndpoints({ signInMethods, clock }: Pick<DashboardPorts, 'signInMethods' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.passkeySignInOptions)(async () => ({ object: 'passkey_options', public_key: await passkeysOf(signInMethods).signInOptions(clock.now()) })),
    endpoint(contract.signInByPasskey)(async ({ browser, body: { answer }, enter }) => {
      const outcome = await passkeysOf(signInMethods).signIn(browser, answer, clock.now());
      if (outcome.outcome !== 'signed-in') throw new GatewayError('sign_in_failed', 'This passkey does not belong to an account here.', { cause: new RefusedSignIn(SIGN_IN_REASONS[outcome.outcome]) });
      return encodeSignIn(outcome, enter);
    }),
    endpoint(contract.passkeyOptions)(async ({ visitor }) => {
      const options = await passkeysOf(signInMethods).registrationOptions(visitor, clock.now());
      if (options === null) throw PASSKEY_REFUSALS['second-factor-required']();
      return { object: 'passkey_options', public_key: options };
    }),
    endpoint(contract.addPasskey)(async ({ browser, visitor, body, enter }) => {
      const added = await passkeysOf(signInMethods).register({ request: browser, signedIn: visitor, at: clock.now() }, body);
      if (added.outcome !== 'added') throw PASSKEY_REFUSALS[added.outcome]();
      await enter(added);
      return { object: 'passkey_added', passkey: encode(added.passkey), reach: added.signedIn.reach, factors: added.signedIn.person.factors };
    }),
    endpoint(contract.listPasskeys)(async ({ visitor: { person } }) => {
      const data = (await passkeysOf(signInMethods).list(person.id)).map(encode);
      return { object: 'list', data, has_more: false };
    }),
    endpoint(contract.renamePasskey)(async ({ visitor: { person }, params: { id }, body: { name } }) => {
      const outcome = await passkeysOf(signInMethods).rename(person.id, id as PasskeyId, name);
      if (outcome === 'malformed') throw PASSKEY_REFUSALS.malformed();
      if (outcome === 'no-such-passkey') throw unknownAddress();
    }),
    endpoint(contract.removePasskey)(async ({ visitor, params: { id } }) => {
      const outcome = await passkeysOf(signInMethods).remove(visitor, id as PasskeyId, clock.now());
      if (outcome === 'no-such-passkey') throw unknownAddress();
      if (outcome === 'last-factor') throw freshProofRequired();
    }),
  ];
}

type Proof = ReplyOf<typeof contract.provePassword>;

interface ProofReply extends Pick<Call<RouteDefinition>, 'setCookie' | 'enter' | 'inBackground'> {
  readonly sendLink: PasswordSignIn['sendLink'];
  readonly at: Instant;
}

type ReplyTools = Pick<ProofReply, 'setCookie' | 'enter' | 'inBackground'>;

function replyTo({ setCookie, enter, inBackground }: ReplyTools, { passwordSignIn, at }: { readonly passwordSignIn: PasswordSignIn; readonly at: Instant }): ProofReply {
  return { setCookie, enter, inBackground, sendLink: (person, start) => passwordSignIn.sendLink(person, start), at };
}

type Refused = Exclude<ProveOutcome | ConfirmTotpOutcome, { readonly outcome: 'proven' | 'enrolled' | 'ended' | 'unconfirmed' | 'locked' }>['outcome'];

const FACTOR_REFUSALS: Readonly<Record<Refused | FactorRefusal | 'already-enrolled' | 'not-enrolled', () => GatewayError>> = {
  'refused': () => new GatewayError('sign_in_failed', 'The password or code is incorrect or was already used.', { cause: new RefusedSignIn(SIGN_IN_REASONS.refused) }),
  'not-signed-in': () => new GatewayError('not_signed_in', 'Sign in to use the dashboard.'),
  'second-factor-required': () => new GatewayError('second_factor_required', 'Confirm your second factor first.'),
  'fresh-proof-required': freshProofRequired,
  'unavailable': () => new GatewayError('service_unavailable', 'This gateway cannot check second factors: it has no secret, or not the one with which they were set up.'),
  'nothing-begun': () => new GatewayError('conflict', 'No setup of an authenticator app is in progress. Start again.'),
  'already-enrolled': () => new GatewayError('conflict', 'An authenticator app is already set up. Remove it before you set up another one.'),
  'not-enrolled': () => new GatewayError('conflict', 'No authenticator app is set up.'),
};

function encodeProof({ reach, person: { factors } }: SignedIn): Proof {
  return { object: 'proof', reach, factors };
}

/** Throws the error of other outcomes. */
async function provenBy<Outcome extends ProveOutcome | ConfirmTotpOutcome>(
  outcome: Outcome, { setCookie, enter, inBackground, sendLink, at }: ProofReply,
): Promise<Extract<Outcome, { readonly outcome: 'proven' | 'enrolled' }>> {
  if (outcome.outcome === 'locked') {
    throw new GatewayError('too_many_attempts', 'Too many wrong passwords or codes. Try again later.', { retryAfterSeconds: secondsUntil(outcome.until, at), cause: new RefusedSignIn('proofs are locked after wrong passwords or codes in a row') });
  }
  if (outcome.outcome === 'ended') {
    setCookie(outcome.setCookie);
    throw new GatewayError('not_signed_in', 'Too many wrong codes. Sign in again.', { cause: new RefusedSignIn('the session has ended after wrong codes') });
  }
  if (outcome.outcome === 'unconfirmed') {
    setCookie(outcome.setCookie);
    sendLink(outcome.person, inBackground);
    throw new GatewayError('not_signed_in', 'Too many wrong passwords or codes. Open the link that was mailed to you, or sign in again.', { cause: new RefusedSignIn(SIGN_IN_REASONS.unconfirmed) });
  }
  if (outcome.outcome !== 'proven' && outcome.outcome !== 'enrolled') throw FACTOR_REFUSALS[outcome.outcome]();
  await enter(outcome);
  return outcome as Extract<Outcome, { readonly outcome: 'proven' | 'enrolled' }>;
}

type EncodedPasskey = ReplyOf<typeof contract.addPasskey>['passkey'];

const PASSKEY_REFUSALS: Readonly<Record<Exclude<RegisterPasskeyOutcome['outcome'], 'added'>, () => GatewayError>> = {
  'refused': () => new GatewayError('invalid_request', 'The new passkey could not be verified. Start again.', { param: 'answer' }),
  'malformed': () => new GatewayError('invalid_request', `name: must be ${DISPLAY_NAME_RULE}.`, { param: 'name' }),
  'known': () => new GatewayError('conflict', 'This passkey is already registered.'),
  'too-many': () => new GatewayError('conflict', 'There are too many passkeys. Remove one before you add another.'),
  'second-factor-required': () => new GatewayError('second_factor_required', 'Confirm your second factor first.'),
};

const REASONS: Readonly<Record<Exclude<PasskeysOffer['outcome'], 'available'>, string>> = {
  'ip-address': 'Passkeys do not work with IP addresses. Open the dashboard under a host name, or under localhost on this machine.',
  'insecure-address': 'Passkeys work only over https or on localhost.',
  'no-secret': 'Passkeys need a secret, and this gateway has none.',
};

function encode({ id, name, backedUp, createdAt, lastUsedAt }: Passkey): EncodedPasskey {
  return { id, object: 'passkey', name, backed_up: backedUp, created_at: rfc3339(createdAt), last_used_at: lastUsedAt === null ? null : rfc3339(lastUsedAt) };
}

/** Throws why they are unavailable. */
function passkeysOf(methods: SignInMethods): Passkeys {
  const offer = methods.passkeys();
  if (offer.outcome === 'available') return offer.passkeys;
  throw new GatewayError(offer.outcome === 'no-secret' ? 'service_unavailable' : 'insecure_address', REASONS[offer.outcome]);
}
