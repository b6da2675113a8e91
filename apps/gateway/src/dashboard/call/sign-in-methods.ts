import type { DashboardSettings } from '@tollgate/adapters-config';
import { HmacChallenges, type InstallationSecret } from '@tollgate/adapters-node';
import { OpenIdIssuer, relyingPartyOf, WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import { PAY_AS_YOU_GO } from '@tollgate/core';
import {
  type IdentityIdGenerator, IssuerAdmissions, type IssuerRecords, IssuerSignIn, LOOPBACK_ISSUER_COOKIE, type PasskeyRecords, Passkeys, type PasskeysParts,
  PersonDrafts, type PersonRecords, SECURE_ISSUER_COOKIE, type SessionRecords, SessionStart, type SessionStartParts, type SignupCredits,
} from '@tollgate/identity';
import type { PublicAddress } from '../../http/public-address.js';

interface SignInMethodsParts extends Omit<SessionStartParts, 'sessions' | 'cookie' | 'secondFactor'>, Pick<PasskeysParts, 'notices'> {
  readonly ids: IdentityIdGenerator;
  readonly store: { readonly people: PersonRecords; readonly sessions: SessionRecords; readonly passkeys: PasskeyRecords; readonly issuers: IssuerRecords };
  readonly secret: InstallationSecret | null;
  readonly signupCredits: SignupCredits | null;
  readonly address: PublicAddress;
  readonly settings: Pick<DashboardSettings, 'signUp' | 'secondFactor' | 'issuer'>;
}

export type PasskeysOffer = { readonly outcome: 'available'; readonly passkeys: Passkeys } | { readonly outcome: 'ip-address' | 'insecure-address' | 'no-secret' };

const CALLBACK = '/dashboard/api/auth/callback/oidc';

/** Sign-in methods that the public address and the settings permit; created on first use, when the address is known. */
export class SignInMethods {
  #passkeys: PasskeysOffer | null = null;
  #issuer: IssuerSignIn | null = null;

  constructor(private readonly parts: SignInMethodsParts) {}

  passkeys(): PasskeysOffer {
    this.#passkeys ??= this.openPasskeys();
    return this.#passkeys;
  }

  /** `null` without an issuer, or without the installation's secret. */
  issuerName(): string | null {
    const { settings, secret } = this.parts;
    return secret === null ? null : settings.issuer?.name ?? null;
  }

  issuer(): IssuerSignIn | null {
    this.#issuer ??= this.openIssuer();
    return this.#issuer;
  }

  private start(): SessionStart {
    const { store, tokens, ids, settings, address } = this.parts;
    return new SessionStart({ sessions: store.sessions, tokens, ids, secondFactor: settings.secondFactor, cookie: address.cookieForm });
  }

  private openPasskeys(): PasskeysOffer {
    const { store, secret, address, tokens, ids, notices } = this.parts;
    const found = relyingPartyOf(new URL(address.origin));
    if (found.outcome !== 'available') return found;
    if (secret === null) return { outcome: 'no-secret' };
    const passkeys = new Passkeys({
      people: store.people, records: store.passkeys, ceremonies: new WebAuthnCeremonies(found.relyingParty), challenges: new HmacChallenges(secret.keysFor('challenge')),
      tokens, ids, start: this.start(), notices, cookie: address.cookieForm,
    });
    return { outcome: 'available', passkeys };
  }

  private openIssuer(): IssuerSignIn | null {
    const { store, secret, address, tokens, ids, signupCredits, settings: { issuer, signUp } } = this.parts;
    if (issuer === null || secret === null) return null;
    return new IssuerSignIn({
      issuer: new OpenIdIssuer({ ...issuer, redirectUri: `${address.origin}${CALLBACK}` }), challenges: new HmacChallenges(secret.keysFor('challenge')), tokens,
      admissions: new IssuerAdmissions({ records: store.issuers, people: store.people, drafts: new PersonDrafts(ids, PAY_AS_YOU_GO, signupCredits), start: this.start(), signUp }),
      cookie: address.cookieForm.secure ? SECURE_ISSUER_COOKIE : LOOPBACK_ISSUER_COOKIE,
    });
  }
}
