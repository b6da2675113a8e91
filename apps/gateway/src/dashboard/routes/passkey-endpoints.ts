import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { GatewayError, type Passkey, type PasskeyId, type Passkeys, type RegisterPasskeyOutcome, rfc3339 } from '@tollgate/core';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';
import { freshProofRequired } from '../call/fresh-proof.js';
import type { PasskeysOffer, SignInMethods } from '../call/sign-in-methods.js';
import { unknownAddress } from '../middleware/admit-visitor.js';
import { encodeSignIn } from './session-endpoints.js';

type EncodedPasskey = ReplyOf<typeof contract.addPasskey>['passkey'];

/** What a client is told of each passkey that was not added. */
const REFUSALS: Readonly<Record<Exclude<RegisterPasskeyOutcome['outcome'], 'added'>, () => GatewayError>> = {
  'refused': () => new GatewayError('invalid_request', 'answer: is no new passkey for this session. Begin once more.', { param: 'answer' }),
  'malformed': () => new GatewayError('invalid_request', 'name: must be one line of at most 100 characters.', { param: 'name' }),
  'known': () => new GatewayError('conflict', 'This passkey is registered already.'),
  'too-many': () => new GatewayError('conflict', 'There are too many passkeys. Remove one before you add another.'),
  'second-factor-required': () => new GatewayError('second_factor_required', 'Prove your second factor first.'),
};

const REASONS: Readonly<Record<Exclude<PasskeysOffer['outcome'], 'available'>, string>> = {
  'ip-address': 'Browsers make passkeys for host names only: open the dashboard under a name, on this machine under localhost.',
  'insecure-address': 'Browsers make passkeys over https only, or on localhost.',
  'no-secret': 'This gateway has no secret, which passkeys need.',
};

function encode({ id, name, backedUp, createdAt, lastUsedAt }: Passkey): EncodedPasskey {
  return { id, object: 'passkey', name, backed_up: backedUp, created_at: rfc3339(createdAt), last_used_at: lastUsedAt === null ? null : rfc3339(lastUsedAt) };
}

/** Throws why there are none. */
function passkeysOf(methods: SignInMethods): Passkeys {
  const offer = methods.passkeys();
  if (offer.outcome === 'available') return offer.passkeys;
  throw new GatewayError(offer.outcome === 'no-secret' ? 'service_unavailable' : 'insecure_address', REASONS[offer.outcome]);
}

/** Passkeys: signing in, and those of the person who is signed in. */
export function passkeyEndpoints({ signInMethods, clock }: Pick<DashboardPorts, 'signInMethods' | 'clock'>): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.passkeySignInOptions)(async () => ({ object: 'passkey_options', public_key: await passkeysOf(signInMethods).signInOptions(clock.now()) })),
    endpoint(contract.signInByPasskey)(async ({ browser, body: { answer }, setCookie }) => {
      const outcome = await passkeysOf(signInMethods).signIn(browser, answer, clock.now());
      if (outcome.outcome !== 'signed-in') throw new GatewayError('sign_in_failed', 'This passkey does not open an account here.');
      return encodeSignIn(outcome, setCookie);
    }),
    endpoint(contract.passkeyOptions)(async ({ visitor }) => {
      const options = await passkeysOf(signInMethods).registrationOptions(visitor, clock.now());
      if (options === null) throw REFUSALS['second-factor-required']();
      return { object: 'passkey_options', public_key: options };
    }),
    endpoint(contract.addPasskey)(async ({ browser, visitor, body, setCookie }) => {
      const added = await passkeysOf(signInMethods).register({ request: browser, signedIn: visitor, at: clock.now() }, body);
      if (added.outcome !== 'added') throw REFUSALS[added.outcome]();
      setCookie(added.setCookie);
      return { object: 'passkey_added', passkey: encode(added.passkey), reach: added.signedIn.reach, factors: added.signedIn.person.factors };
    }),
    endpoint(contract.listPasskeys)(async ({ visitor: { person } }) => {
      const data = (await passkeysOf(signInMethods).list(person.id)).map(encode);
      return { object: 'list', data, has_more: false };
    }),
    endpoint(contract.renamePasskey)(async ({ visitor: { person }, params: { id }, body: { name } }) => {
      const outcome = await passkeysOf(signInMethods).rename(person.id, id as PasskeyId, name);
      if (outcome === 'malformed') throw REFUSALS.malformed();
      if (outcome === 'no-such-passkey') throw unknownAddress();
    }),
    endpoint(contract.removePasskey)(async ({ visitor, params: { id } }) => {
      const outcome = await passkeysOf(signInMethods).remove(visitor, id as PasskeyId, clock.now());
      if (outcome === 'no-such-passkey') throw unknownAddress();
      if (outcome === 'last-factor') throw freshProofRequired();
    }),
  ];
}
