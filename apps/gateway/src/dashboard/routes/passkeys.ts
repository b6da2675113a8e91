import { GatewayError, type PasskeyId, RefusedSignIn, refuseName, rfc3339 } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import type { Passkey, Passkeys, RegisterPasskeyOutcome } from '@tollgate/identity';
import { freshProofRequired } from '../call/admit-visitor.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import type { PasskeysOffer, SignInMethods } from '../call/sign-in-methods.js';
import { unknownAddress } from '../call/unknown-address.js';
import { encodeSignIn, SIGN_IN_REASONS } from './encode-sign-in.js';

export function passkeyEndpoints({ signInMethods, clock }: Pick<DashboardPorts, 'signInMethods' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.passkeySignInOptions)(async () => ({ object: 'passkey_options', public_key: await passkeysOf(signInMethods).signInOptions(clock.now()) })),
    endpoint(contract.signInByPasskey)(async ({ browser, body: { answer }, enter }) => {
      const outcome = await passkeysOf(signInMethods).signIn(browser, answer, clock.now());
      if (outcome.outcome !== 'signed-in') throw new GatewayError('sign_in_failed', 'The sign-in with this passkey failed. Try again, or choose another way to sign in.', { cause: new RefusedSignIn(SIGN_IN_REASONS[outcome.outcome]) });
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
    endpoint(contract.removePasskey)(async ({ browser, visitor, params: { id } }) => {
      const outcome = await passkeysOf(signInMethods).remove({ request: browser, signedIn: visitor, at: clock.now() }, id as PasskeyId);
      if (outcome === 'no-such-passkey') throw unknownAddress();
      if (outcome === 'last-factor') throw freshProofRequired();
    }),
  ];
}

type EncodedPasskey = ReplyOf<typeof contract.addPasskey>['passkey'];

const PASSKEY_REFUSALS: Readonly<Record<Exclude<RegisterPasskeyOutcome['outcome'], 'added'>, () => GatewayError>> = {
  'refused': () => new GatewayError('invalid_request', 'The new passkey could not be verified. Start again.', { param: 'answer' }),
  'malformed': () => refuseName(),
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

/** Throws the reason if passkeys are unavailable. */
function passkeysOf(methods: SignInMethods): Passkeys {
  const offer = methods.passkeys();
  if (offer.outcome === 'available') return offer.passkeys;
  throw new GatewayError(offer.outcome === 'no-secret' ? 'service_unavailable' : 'insecure_address', REASONS[offer.outcome]);
}
