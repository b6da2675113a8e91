import { COSEALG, decodeAttestationObject } from '@simplewebauthn/server/helpers';
import {
  type AuthenticationResponseJSON, generateAuthenticationOptions, generateRegistrationOptions, type RegistrationResponseJSON,
  verifyAuthenticationResponse, verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { JsonObject } from '@tollgate/core';
import {
  type CreationCommand, PASSKEY_CHALLENGE_MILLISECONDS, type PasskeyCredential, type Person, type VerifiedAssertion, type VerifiedCreation,
} from '@tollgate/identity';
import type { BrowserAnswer, RelyingParty } from './web-authn-ceremonies.js';

/**
 * True for no attestation, and for self-attestation. All other attestations have certificates; to verify these, the library would fetch revocation
 * lists from any host that the client names.
 */
export function isWithoutCertificates(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];
/** Maximum characters of a public key in base64url; an RSA key of 4,096 bits has about 700. */
const MAX_PUBLIC_KEY = 4_096;

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}

/** Authenticators return this handle at sign-in. */
function userHandleOf({ id }: Person): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(id, 'utf8'));
}

function describe({ credentialId, transports }: PasskeyCredential) {
  // The stored list contains only known transports.
  return { id: credentialId, transports: transports as RegistrationResponseJSON['response']['transports'] & string[] };
}

export async function creationOptions({ id, name }: RelyingParty, { challenge, person, existing }: CreationCommand): Promise<JsonObject> {
  const options = await generateRegistrationOptions({
    rpID: id, rpName: name, challenge: bytesOf(challenge), userID: userHandleOf(person), userName: person.email, userDisplayName: person.name,
    timeout: PASSKEY_CHALLENGE_MILLISECONDS, attestationType: 'none', supportedAlgorithmIDs: ALGORITHMS, excludeCredentials: existing.map(describe),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options } as unknown as JsonObject;
}

export async function requestOptions({ id }: RelyingParty, challenge: string): Promise<JsonObject> {
  const options = await generateAuthenticationOptions({
    rpID: id, challenge: bytesOf(challenge), timeout: PASSKEY_CHALLENGE_MILLISECONDS, userVerification: 'required',
  });
  return { ...options } as unknown as JsonObject;
}

/** Returns `null` or throws if the response is not valid. */
export async function verifyCreation({ id: rpId, origin }: RelyingParty, answer: BrowserAnswer, challenge: string): Promise<VerifiedCreation | null> {
  const { attestationObject = '' } = answer.parts;
  if (!isWithoutCertificates(attestationObject)) return null;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: answer.id, rawId: answer.id, type: 'public-key', clientExtensionResults: {}, response: { clientDataJSON: answer.clientDataJson, attestationObject },
    },
    expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified || !registrationInfo.userVerified || registrationInfo.credential.id !== answer.id) return null;
  const { credential, credentialBackedUp: backedUp } = registrationInfo;
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  if (publicKey.length > MAX_PUBLIC_KEY) return null;
  return { credential: { credentialId: credential.id, publicKey, counter: credential.counter, transports: answer.transports }, backedUp };
}

/** Returns `null` or throws if the response is not valid. */
export async function verifyAssertion(
  { id: rpId, origin }: RelyingParty, answer: BrowserAnswer, { challenge, person, credential }: { readonly challenge: string; readonly person: Person; readonly credential: PasskeyCredential },
): Promise<VerifiedAssertion | null> {
  const { authenticatorData = '', signature = '', userHandle = '' } = answer.parts;
  if (userHandle !== Buffer.from(userHandleOf(person)).toString('base64url') || answer.id !== credential.credentialId) return null;
  const response: AuthenticationResponseJSON = {
    id: answer.id, rawId: answer.id, type: 'public-key', clientExtensionResults: {},
    response: { clientDataJSON: answer.clientDataJson, authenticatorData, signature, userHandle },
  };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true,
    credential: { id: credential.credentialId, publicKey: bytesOf(credential.publicKey), counter: credential.counter },
  });
  if (!verified || !authenticationInfo.userVerified) return null;
  return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
}
