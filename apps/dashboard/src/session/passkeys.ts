import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { proof } from '#texts/proof';
import { call, type Reply } from '../api/call';
import { Problem } from '../api/problem';

/** Loaded at first use. */
const library = () => import('@simplewebauthn/browser');

function problemOf(error: unknown): Problem {
  const { name } = error instanceof Error ? error : { name: '' };
  // `InvalidStateError`: the device already has a passkey of the account. Names that are not handled here: the person has refused, or time ran out.
  if (name === 'InvalidStateError') return new Problem(proof.passkeyKnown);
  if (name === 'NotSupportedError') return new Problem(proof.passkeyUnsupported);
  return new Problem(proof.passkeyEnded);
}

/** Rejects with a `Problem`. */
async function ceremony(run: (browser: Awaited<ReturnType<typeof library>>) => Promise<object>): Promise<Record<string, unknown>> {
  if (!supportsPasskeys()) throw new Problem(proof.passkeyUnsupported);
  const browser = await library();
  try {
    return { ...await run(browser) };
  } catch (error) {
    throw problemOf(error);
  }
}

/** True in secure contexts of browsers with WebAuthn. */
export function supportsPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

export async function signInWithPasskey(): Promise<Reply<'signInByPasskey'>> {
  const { public_key: options } = await call('passkeySignInOptions', {});
  const answer = await ceremony(({ startAuthentication }) => startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }));
  return call('signInByPasskey', { body: { answer } });
}

/** Requires a recent proof of identity. */
export async function createPasskey(name: string): Promise<Reply<'addPasskey'>> {
  const { public_key: options } = await call('passkeyOptions', { body: {} });
  const answer = await ceremony(({ startRegistration }) => startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }));
  return call('addPasskey', { body: { name, answer } });
}
