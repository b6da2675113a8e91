import { describe, expect, it } from '@jest/globals';
import { instant, type PersonId } from '@tollgate/core';
import { type AccountAccess, decideIssuerAdmission, type Person, type SignUpPolicy } from '@tollgate/identity';

const PERSON: Person = {
  id: 'person_1' as PersonId, accountId: null, email: 'alice@example.test', emailVerified: true, name: 'Alice', role: 'owner', factors: [], language: null, createdAt: instant(0),
};
const ACTIVE: AccountAccess = { status: 'active', blocked: false };
const UNVERIFIED = { ...PERSON, emailVerified: false };

describe('an unlinked subject of an issuer', () => {
  it.each<readonly [policy: SignUpPolicy, step: string]>([['open', 'register'], ['invitation', 'closed'], ['closed', 'closed']])(
    'whose address is unknown, with sign-up %s: %s', (policy, step) => {
      expect(decideIssuerAdmission(null, policy)).toEqual({ step });
    },
  );

  it.each<readonly [what: string, person: Person, passwordHash: string | null, policy: SignUpPolicy, step: string]>([
    ['verified the address', PERSON, 'hash', 'closed', 'link'], ['verified it and has no password', PERSON, null, 'closed', 'link'],
    ['signed up and did not verify it', UNVERIFIED, 'hash', 'open', 'take-over'], ['signed up and did not verify it', UNVERIFIED, 'hash', 'invitation', 'closed'],
    ['signed up and did not verify it', UNVERIFIED, 'hash', 'closed', 'closed'], ['was invited', UNVERIFIED, null, 'open', 'take-over'],
    ['was invited', UNVERIFIED, null, 'invitation', 'take-over'], ['was invited', UNVERIFIED, null, 'closed', 'closed'],
  ])('whose address belongs to a person who %s (%j, %s), with sign-up %s: %s', (_what, person, passwordHash, policy, step) => {
    const record = { person, passwordHash, account: ACTIVE };
    expect(decideIssuerAdmission({ record, hasOtherSubject: false }, policy)).toMatchObject({ step });
    expect(decideIssuerAdmission({ record, hasOtherSubject: true }, policy)).toEqual({ step: 'account-not-linked' });
  });

  it.each<readonly [account: AccountAccess | null, step: string]>([
    [{ status: 'suspended', blocked: false }, 'link'], [{ status: 'pending-deletion', blocked: false }, 'link'], [{ status: 'deleted', blocked: false }, 'refused'],
    [{ status: 'active', blocked: true }, 'refused'], [null, 'refused'],
  ])('whose address belongs to the owner of an account with %j: %s', (account, step) => {
    expect(decideIssuerAdmission({ record: { person: PERSON, passwordHash: 'hash', account }, hasOtherSubject: false }, 'open')).toMatchObject({ step });
  });
});
